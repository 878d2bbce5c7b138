import { microsToNumber, type Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import type { Services } from '#platform/platform.ts';
import { openSharedChain } from './chain/chain.ts';
import { refuseUnavailable } from './chain/chain-unavailable.ts';
import type { PaymentTerms } from './payment-problem.ts';
import { describeForCatalogues } from './rails/discovery.ts';
import { buildRequirements, buildRequirementsV1, formatNetwork, type TermsOf } from './rails/terms.ts';
import type { PaidRead } from './rules.ts';

/** What a client is asked to pay for. */
export type Offer = {
  readonly read: PaidRead;
  /** The parts that the read will contain, and how much is known of the person, in coarse words. */
  readonly contents: { readonly parts: readonly string[]; readonly data_completeness: string };
  /** The full URL of the endpoint, or `mcp://tool/…`. */
  readonly resource_url: string;
  /** One sentence for people. */
  readonly description: string;
  /** How many reads of the organisation's free allowance are left. */
  readonly free_reads_left?: number;
  /** What the prepaid balance of the organisation that asks has left; undefined if it was never filled. */
  readonly balance?: Micros;
  /** The share of the person, in basis points. */
  readonly share_bps?: number;
  /** Why an earlier payment was not accepted. */
  readonly error?: string;
};

/** The terms of an offer: for the body of a problem, and as the header `PAYMENT-REQUIRED`. */
export type PaymentRequired = { readonly body: PaymentTerms; readonly header: string };

/** Builds the terms of an offer for every rail that this service accepts. */
async function buildPaymentRequired(services: Services, offer: Offer): Promise<PaymentRequired> {
  const {
    read,
    contents,
    resource_url,
    description,
    free_reads_left = 0,
    balance,
    share_bps = 7_500,
    error,
  } = offer;
  const { rails, chain } = services.config.payments;
  const terms = await buildTerms(services, read);
  const resource = { url: resource_url, description };
  const pricing = {
    price: microsToNumber(read.price),
    currency: 'USD' as const,
    data_type: read.data_type,
    parts: [...contents.parts],
    data_completeness: contents.data_completeness,
    // A balance pays with every configuration, once it was filled.
    rails: balance === undefined ? [...rails] : [...rails, 'balance' as const],
    pay_to: chain?.payTo ?? null,
    network: chain ? formatNetwork(chain) : null,
    asset: chain?.asset ?? null,
    confirmations: chain && rails.includes('transfer') ? chain.confirmations : null,
    share_percent: share_bps / 100,
    free_reads_left,
    balance: balance === undefined ? null : microsToNumber(balance),
  } satisfies PaymentTerms['pricing'];
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
    ...(resource_url.startsWith('http') && { extensions: describeForCatalogues(read) }),
  };
  return { body, header: Buffer.from(JSON.stringify(required)).toString('base64') };
}

/** Builds the terms of the x402 protocol; undefined if that rail is off. */
async function buildTerms(services: Services, { price }: PaidRead): Promise<TermsOf | undefined> {
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
 * Throws an error of `takePayment`. A payment that was not accepted gets the terms of the offer, so that the client can pay again.
 *
 * @throws the error always.
 */
export async function refuseWithTerms(services: Services, offer: Offer, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || error.status !== 402) throw error;
  const { body, header } = await buildPaymentRequired(services, { error: error.code, ...offer });
  throw new Refusal(error.code, {
    ...error.extras,
    fields: body,
    headers: { ...error.extras.headers, 'payment-required': header },
  });
}

/** The refusals of an operation that takes a payment: those of its terms, its proof and its outcome. */
export const paymentRefusals = [
  'malformed_payment',
  'payment_required',
  'payment_balance_too_low',
  'payment_expired',
  'payment_failed',
  'payment_funds_insufficient',
  'payment_not_found',
  'payment_not_yet_valid',
  'payment_overpaid',
  'payment_rail_unsupported',
  'payment_scheme_unsupported',
  'payment_signature_invalid',
  'payment_timestamp_skewed',
  'payment_too_old',
  'payment_unconfirmed',
  'payment_underpaid',
  'payment_wallet_foreign',
  'payment_wrong_asset',
  'payment_wrong_network',
  'payment_wrong_payee',
  'payment_already_used',
  'payment_refunded',
  'payment_unresolved',
  'chain_unavailable',
] as const satisfies readonly RefusalCode[];
