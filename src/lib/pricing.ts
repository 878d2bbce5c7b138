/** A price offer of the x402 protocol, version 1. */
export type PaymentTermsV1 = {
  readonly scheme: string;
  readonly network: string;
  readonly maxAmountRequired: string;
  readonly resource: string;
  readonly description: string;
  readonly mimeType: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly asset: string;
  readonly extra: { readonly name: string; readonly version: string };
};

/** What a reply with status 402 says about the price and how to pay it. The server settles only at these terms. */
export type Pricing = {
  readonly price: number;
  readonly currency: 'USD';
  readonly data_type: string;
  /** The rails that this service accepts. */
  readonly rails: readonly ('mock' | 'transfer' | 'x402')[];
  /** Where to pay, on which chain, and in which token; null on the mock rail alone. */
  readonly pay_to: string | null;
  readonly network: string | null;
  readonly asset: string | null;
  /** How many confirmations a transfer needs; null without that rail. */
  readonly confirmations: number | null;
  /** The share of the person whose data is read, in percent. */
  readonly share_percent: number;
  /** How many reads of the free allowance are left. */
  readonly free_reads_left: number;
};

/** The members that a problem with status 402 has besides the usual ones. */
export type PaymentTerms = {
  readonly pricing: Pricing;
  /** Terms for clients of version 1 of the x402 protocol, which read them here. Version 2 has them in the header PAYMENT-REQUIRED. */
  readonly x402Version: 1;
  readonly accepts: readonly PaymentTermsV1[];
};
