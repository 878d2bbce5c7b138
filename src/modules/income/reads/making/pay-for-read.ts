import type { LoggedInCaller } from '#lib/caller.ts';
import { microsToNumber, type Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import { reserveSpend, returnSpend } from '#modules/access/agents';
import { chargeBalance, findBalance, postRefundJournal } from '#modules/income/books';
import {
  createMockProof,
  isSettledAtOnce,
  preparePayment,
  refusePayment,
  refuseWithTerms,
  requirePayment,
  takePayment,
  type NewPaidRead,
  type Offer,
  type PaidRead,
  type PaymentProof,
  type PreparedPayment,
  type SettledPayment,
  type TakenPayment,
  type UnrecordedPayment,
} from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Context } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import { computeLegibility } from '../legibility/compute-legibility.ts';
import type { Contents } from './list-contents.ts';
import {
  computePrice,
  convertToAud,
  convertToUsd,
  quote_seconds,
  share_bps,
  type DataType,
  type Proposal,
  type WantedRead,
} from '../rules.ts';
import { findQuote, upsertQuote } from '../store.ts';

/** What a read needs: the services, a caller who acts for an organisation, and the transaction of the request. */
export type ReadContext = Omit<Context<'org_admin'>, 'caller'> & {
  readonly caller: Extract<LoggedInCaller, { readonly role: 'org_admin' }>;
};

/** A request to read a member. */
export type ReadRequest = {
  /** The alias of one of the organisation's matches, or the real id of a member who shares the contact. */
  readonly member_ref: string;
  readonly data_type: DataType;
  /** Null if the request has no payment. */
  readonly proof: PaymentProof | null;
  /**
   * What the organisation offers in Australian dollars, for a read on the marketplace. It uses no free read, its price must not be above the offer, and
   * without a payment the mock rail pays what is offered.
   */
  readonly offer_aud?: Micros;
  /** The proposal of the member that is paid. What the member asks is then the price. */
  readonly proposal?: Pick<Proposal, 'id' | 'member_id'>;
};

/** A read that was checked, and may be paid. */
export type CheckedRead = {
  readonly wanted: WantedRead;
  readonly contents: Contents;
  /** Counts the free reads that are left. Asked only where a price is shown or nothing is paid. */
  readonly countFreeReadsLeft: () => Promise<number>;
};

/**
 * Prepares a payment that needs nobody else, so that it can be stored with its read. Its price is that of {@link payForRead}.
 *
 * @returns undefined if there is nothing to pay with, or money has to move elsewhere first.
 * @throws Refusal of a payment, `offer_too_low`.
 */
export async function preparePaidRead(
  context: ReadContext,
  request: ReadRequest,
  wanted: WantedRead,
): Promise<PreparedPayment | undefined> {
  const proof = chooseProof(context, request);
  if (!proof || !isSettledAtOnce(context.config, proof) || isRefundRehearsal(context, request))
    return undefined;
  const price = await choosePrice(context, wanted, request);
  return preparePayment(context, proof, buildPaidRead(context, request, wanted, price));
}

/**
 * Takes the payment of the request. Its price is the lowest that was quoted within the last 15 minutes, or else the current one, and must not be above
 * the offer. Without a payment, the mock rail pays what is offered.
 *
 * @returns undefined if there is nothing to pay with.
 * @throws Refusal of a payment, `offer_too_low`.
 */
export async function payForRead(
  context: ReadContext,
  request: ReadRequest,
  checked: CheckedRead,
): Promise<TakenPayment | undefined> {
  const { wanted } = checked;
  const proof = chooseProof(context, request);
  if (!proof) return undefined;
  const read = buildPaidRead(context, request, wanted, await choosePrice(context, wanted, request));
  return takePayment(context, proof, read).catch(async (error: unknown) => {
    // It is answered as often as the client asks, so it must not tell the price.
    if (error instanceof Refusal && error.code === 'payment_unconfirmed') throw error;
    return refuseWithTerms(context, await buildOffer(context, read, checked), error);
  });
}

function buildPaidRead(
  context: ReadContext,
  { member_ref, offer_aud, proposal }: ReadRequest,
  wanted: WantedRead,
  price: Micros,
): NewPaidRead {
  const { grant } = context.caller;
  return {
    ...wanted,
    price,
    proposal_id: proposal?.id ?? null,
    ...(offer_aud !== undefined && {
      shown_member_id: member_ref,
      offer: { aud: offer_aud, usd: convertToUsd(offer_aud, context.config.aud_per_usd_micros) },
    }),
    ...(grant && { grant_id: grant.grant_id, reserve: countSpending(context, grant.grant_id) }),
    charge: takeFromBalance(context),
  };
}

async function choosePrice(
  { config, database, now }: ReadContext,
  wanted: WantedRead,
  { proof, offer_aud, proposal }: ReadRequest,
): Promise<Micros> {
  if (offer_aud !== undefined && (!proof || proposal))
    return convertToUsd(offer_aud, config.aud_per_usd_micros);
  const price = (await findQuote(database, wanted, now())) ?? (await computeCurrentPrice(database, wanted));
  checkOffer(config, price, offer_aud);
  return price;
}

/** The payment of the request, or the one that the mock rail makes up for an offer; null if there is nothing to pay with. */
export function chooseProof(
  { config, now, request: { repeat_id } }: ReadContext,
  { proof, offer_aud }: ReadRequest,
): PaymentProof | null {
  if (proof || offer_aud === undefined || !config.payments.rails.includes('mock')) return proof;
  return createMockProof(now(), repeat_id);
}

function checkOffer(
  { aud_per_usd_micros }: ReadContext['config'],
  price: Micros,
  offer_aud: Micros | undefined,
): void {
  const price_aud = convertToAud(price, aud_per_usd_micros);
  if (offer_aud !== undefined && offer_aud < price_aud)
    throw new Refusal('offer_too_low', { detail: `The price is ${microsToNumber(price_aud)} AUD.` });
}

async function computeCurrentPrice(
  database: ReadContext['database'],
  { member_id, data_type }: WantedRead,
): Promise<Micros> {
  const { multiplier_bps } = await computeLegibility(database, member_id);
  return computePrice(data_type, multiplier_bps);
}

/**
 * Counts what an agent spends against the limit that the user has set, when the payment is stored, before any money moves. A payment on a chain that then
 * fails stays counted, because the same payment can still be carried out until it expires; one that is owed back is taken off.
 */
function countSpending({ now }: ReadContext, grant_id: string) {
  return (tx: Transaction, amount_micros: number) =>
    reserveSpend({ now }, tx, grant_id, BigInt(amount_micros));
}

/** Takes what a payment from the prepaid balance pays out of it. */
function takeFromBalance(context: ReadContext): NonNullable<NewPaidRead['charge']> {
  return (tx, { id, org_id, data_type, amount_micros, created_at }) =>
    chargeBalance(context, tx, {
      payment_id: id,
      org_id,
      data_type,
      amount: BigInt(amount_micros),
      at: created_at,
    });
}

/**
 * Quotes the current price. The quote is stored, so that a change of the multiplier before the payment arrives breaks no payment: for 15
 * minutes, the quoted price is enough.
 *
 * @throws Refusal `payment_required`, `offer_too_low`.
 */
export async function requirePrice(
  context: ReadContext,
  { offer_aud, proposal }: ReadRequest,
  checked: CheckedRead,
): Promise<never> {
  const { wanted } = checked;
  if (offer_aud !== undefined && proposal) {
    const asked = convertToUsd(offer_aud, context.config.aud_per_usd_micros);
    return requirePayment(context, await buildOffer(context, { ...wanted, price: asked }, checked));
  }
  const price = await computeCurrentPrice(context.database, wanted);
  checkOffer(context.config, price, offer_aud);
  const expires_at = new Date(context.now().getTime() + quote_seconds * 1000);
  await upsertQuote(serviceDatabase(context), wanted, price, expires_at);
  return requirePayment(context, await buildOffer(context, { ...wanted, price }, checked));
}

async function buildOffer(
  { config, database, request }: ReadContext,
  read: PaidRead,
  { contents, countFreeReadsLeft }: CheckedRead,
): Promise<Offer> {
  const [prepaid, free_reads_left] = await Promise.all([
    findBalance(database, read.org_id),
    countFreeReadsLeft(),
  ]);
  return {
    read,
    contents,
    free_reads_left,
    ...(prepaid && { balance: prepaid.balance }),
    share_bps,
    resource_url: request.payment.resource ?? `${config.publicUrl}/api/v1/orgs/queries/credential`,
    description: `One read of ${read.data_type} of one member.`,
  };
}

/**
 * Whether a payment in a sandbox asks for what otherwise happens by chance: that the member withdraws between the payment and the read. Its
 * `tx_hash` begins with `refund-`.
 */
export function isRefundRehearsal({ config }: ReadContext, { proof }: ReadRequest): boolean {
  return config.sandbox && proof?.kind === 'hash' && proof.tx_hash.startsWith('refund-');
}

/** Refusals of the recording transaction after which the payment is owed back. */
const refundCodes: ReadonlySet<RefusalCode> = new Set([
  'consent_required',
  'category_not_approved',
  'engagement_level_too_low',
  'nothing_to_read',
  'member_not_found',
  'organisation_not_found',
  'organisation_suspended',
  'culture_profile_not_ready',
  'query_quota_spent',
  'transaction_ended',
]);

/** Whether a settled payment is owed back after this error of the recording transaction: what it was for can no longer be read. */
export function isRefundable(error: unknown): error is Refusal {
  return error instanceof Refusal && refundCodes.has(error.code);
}

/**
 * Gives a payment back that was settled for what may no longer be read. The refusal and the debt are one transaction, apart from the one that
 * was rolled back. If it fails as well, the task `reads.finishReads` does it.
 *
 * @returns the error for the caller.
 */
export async function refundUnreadable(
  services: Pick<Services, 'memory' | 'now'>,
  payment: SettledPayment,
  error: unknown,
): Promise<unknown> {
  if (!isRefundable(error)) return error;
  await refundPayment(services, payment, error.code);
  const code =
    error.code === 'consent_required' || error.code === 'category_not_approved'
      ? 'consent_withdrawn'
      : error.code;
  return new Refusal(code, {
    ...error.extras,
    detail: `${error.message} Nothing was read, and the amount is owed back to its payer.`,
  });
}

/** Refuses a settled payment, and records that its amount is owed to its payer. */
export function refundPayment(
  services: Pick<Services, 'memory' | 'now'>,
  { payment_id, rail, payer, amount: gross, read: { org_id } }: SettledPayment | UnrecordedPayment,
  reason: string,
): Promise<void> {
  const at = services.now();
  return serviceDatabase(services).transaction(async (tx) => {
    const counted = await refusePayment(tx, payment_id, reason);
    if (counted.grant_id !== null) await returnSpend(tx, counted.grant_id, counted.amount);
    await postRefundJournal(tx, { payment_id, org_id, payer, rail, gross, at, reason });
  });
}
