import { microsToNumber } from '#lib/money.ts';
import type { PaymentTerms } from '#lib/pricing.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Services } from '#platform/platform.ts';
import { openSharedChain } from './chain/chain.ts';
import { refuseUnavailable } from './rails/refuse.ts';
import { buildRequirements, buildRequirementsV1, formatNetwork, type TermsOf } from './rails/terms.ts';
import type { Purchase } from './rules.ts';

/** What a client is asked to pay for. */
export type Offer = {
  readonly purchase: Purchase;
  /** The full URL of the endpoint, or `mcp://tool/…`. */
  readonly resourceUrl: string;
  /** One sentence for people. */
  readonly description: string;
  /** How many reads of the organisation's free allowance are left. */
  readonly freeReadsLeft?: number;
  /** The share of the person, in basis points. */
  readonly shareBps?: number;
  /** Why an earlier payment was not accepted. */
  readonly error?: string;
};

/** The terms of an offer: for the body of a problem, and as the header `PAYMENT-REQUIRED`. */
export type PaymentRequired = { readonly body: PaymentTerms; readonly header: string };

/** Builds the terms of an offer for every rail that this service accepts. */
export async function buildPaymentRequired(services: Services, offer: Offer): Promise<PaymentRequired> {
  const { purchase, resourceUrl, description, freeReadsLeft = 0, shareBps = 7_500, error } = offer;
  const { rails, chain } = services.config.payments;
  const terms = await buildTerms(services, purchase);
  const resource = { url: resourceUrl, description };
  const pricing = {
    price: microsToNumber(purchase.price),
    currency: 'USD',
    data_type: purchase.dataType,
    rails,
    pay_to: chain?.payTo ?? null,
    network: chain ? formatNetwork(chain) : null,
    asset: chain?.asset ?? null,
    confirmations: chain && rails.includes('transfer') ? chain.confirmations : null,
    share_percent: shareBps / 100,
    free_reads_left: freeReadsLeft,
  } as const;
  const body: PaymentTerms = {
    pricing,
    x402Version: 1,
    accepts: terms ? [buildRequirementsV1(terms, resource)] : [],
  };
  const required = {
    x402Version: 2,
    error: error ?? 'PAYMENT-SIGNATURE header is required',
    resource: { ...resource, mimeType: 'application/json' },
    accepts: terms ? [buildRequirements(terms)] : [],
  };
  return { body, header: Buffer.from(JSON.stringify(required)).toString('base64') };
}

/** Builds the terms of the x402 protocol; undefined if that rail is off. */
async function buildTerms(services: Services, { price }: Purchase): Promise<TermsOf | undefined> {
  const { rails, chain: settings } = services.config.payments;
  if (!settings || !rails.includes('x402')) return undefined;
  const chain = await openSharedChain(services);
  const domain = await chain.readTokenDomain().catch(refuseUnavailable);
  return { settings, domain, amount: price };
}

/**
 * Refuses a request with status 402 and the terms of its offer.
 *
 * @throws Refusal always.
 */
export async function requirePayment(services: Services, offer: Offer): Promise<never> {
  return refuseWithTerms(services, offer, new Refusal('payment_required'));
}

/**
 * Throws an error of `claimPayment`. A payment that was not accepted gets the terms of the offer, so that the client can pay again.
 *
 * @throws the error always.
 */
export async function refuseWithTerms(services: Services, offer: Offer, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || error.status !== 402) throw error;
  const { body, header } = await buildPaymentRequired(services, { error: error.code, ...offer });
  throw new Refusal(error.code, {
    ...error.extras,
    payment_terms: body,
    headers: { ...error.extras.headers, 'payment-required': header },
  });
}
