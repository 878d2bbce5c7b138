import type { LoggedInCaller } from '#lib/caller.ts';
import type { Micros } from '#lib/money.ts';
import { Refusal, type RefusalCode } from '#lib/refusal.ts';
import { computeLegibility } from '#modules/income/earnings';
import { reserveSpend, returnSpend } from '#modules/access/agents';
import { postRefundJournal } from '#modules/income/ledger';
import { checkVerifiedAdmin, findNamedMember } from '#modules/matching/matches';
import { findMember } from '#modules/people/members';
import {
  claimPayment,
  findRecordedPayment,
  refusePayment,
  refuseWithTerms,
  requirePayment,
  type Offer,
  type PaymentProof,
  type Purchase,
  type RecordedPayment,
  type SettledPayment,
  type UnrecordedPayment,
} from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import { reply, type Context, type Reply } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import { AllowanceSpentError, checkSources, findSources, recordQuery } from './record-query.ts';
import {
  computePrice,
  createQuotaRefusal,
  formatDay,
  queryLimits,
  quote_seconds,
  share_bps,
  type DataType,
  type Tier,
  type Usage,
} from './rules.ts';
import { findQuote, readUsage, upsertQuote, type ReadOrder } from './store.ts';
import type { QueryResult } from './wire.ts';

/** What a read needs: the services, a caller who acts for an organisation, and the transaction of the request. */
export type QueryContext = Omit<Context<'org_admin'>, 'caller'> & {
  readonly caller: Extract<LoggedInCaller, { readonly role: 'org_admin' }>;
};

/** A request to read a member. */
export type Query = {
  /** The alias of one of the organisation's matches, or the real id of a member who shares the contact. */
  readonly member_ref: string;
  readonly data_type: DataType;
  /** Null if the request has no payment. */
  readonly proof: PaymentProof | null;
  /** Uses no free read. */
  readonly is_paid?: boolean;
  /** It is a purchase on the marketplace: if its process ends before the read, the task that finishes the read reports it. */
  readonly is_on_marketplace?: boolean;
  /** The price that the buyer offers, on the mock rail alone; by default, it follows from the member's legibility. */
  readonly price?: Micros | undefined;
  /** Throws a Refusal if the buyer does not accept the price. Not asked about a payment that has bought its read before. */
  readonly acceptPrice?: (price: Micros) => void;
};

/** A read that was recorded, now or before with the same payment. */
export type RecordedRead = {
  readonly order: ReadOrder;
  readonly result: QueryResult;
  /** Null for a free read. */
  readonly payment: SettledPayment | null;
};

/** Builds the reply in the transaction of the read, and may store more in it. */
export type FinishRead<Result> = (tx: Transaction, read: RecordedRead) => Result | Promise<Result>;

/** Replies with what was read, and the receipt of its payment. */
export const replyWithResult: FinishRead<Reply<200, QueryResult>> = (_tx, { result, payment }) =>
  reply(200, result, [], payment?.receiptHeader);

/**
 * Reads a member for an organisation: for the payment, or else from the free allowance. It checks, in this order: the organisation has a
 * verified administrator; the member is one whom it may name; consent and category; engagement level; the culture profile, for an alignment;
 * the daily quota; and last the payment. So nobody pays for what cannot be read, and a price is quoted only for what can. All but the first two
 * are checked again in the transaction that records the read, because they may change while a payment is settled.
 *
 * The same payment sent again returns the stored result even if the member has withdrawn consent since: it is the read that was made before.
 *
 * @param finish Builds the reply.
 * @throws Refusal
 */
export async function queryMember<Result>(
  context: QueryContext,
  query: Query,
  finish: FinishRead<Result>,
): Promise<Result> {
  checkGrantedRead(context.caller, query.data_type);
  await checkVerifiedAdmin(context);
  const order = await buildOrder(context, query).catch(async (error: unknown) => {
    const former = await findFormerOrder(context, query, error);
    if (former) return former;
    throw error;
  });
  const read = { context, query, order, finish };
  try {
    const [{ tier, usage }, quoted] = await Promise.all([
      checkOrder(context, order),
      query.proof && findQuote(context.database, order, context.now()),
    ]);
    const freeReadsLeft = Math.max(0, queryLimits[tier].free_reads - usage.free_reads);
    if (query.proof) {
      const price = query.price ?? quoted ?? (await computeCurrentPrice(context, order));
      query.acceptPrice?.(price);
      return await readForPayment(read, { proof: query.proof, price, freeReadsLeft });
    }
    const mayBeFree = !query.is_paid && freeReadsLeft > 0;
    return mayBeFree ? await readForFree(read) : await requirePrice(read, freeReadsLeft);
  } catch (error) {
    const repeated = await findRepeated(read, error);
    if (repeated) return repeatReply(read, repeated);
    throw error;
  }
}

/** An agent may make the kinds of read that were allowed to it, over MCP and over HTTP. */
function checkGrantedRead({ grant }: QueryContext['caller'], data_type: DataType): void {
  if (grant && !grant.tools.has(`query_${data_type}`)) throw new Refusal('tool_not_granted');
}

/** A read in progress. */
type ReadInProgress<Result> = {
  readonly context: QueryContext;
  readonly query: Query;
  readonly order: ReadOrder;
  readonly finish: FinishRead<Result>;
};

/**
 * The order of a read that this payment has bought under an id that no longer names the member: a prepared identity that was claimed, or a
 * member who no longer shares the contact. Nothing else can be read by it.
 */
async function findFormerOrder(
  context: QueryContext,
  { member_ref, data_type, proof }: Query,
  error: unknown,
): Promise<ReadOrder | undefined> {
  if (!proof || !(error instanceof Refusal)) return undefined;
  const { org_id, user_id } = context.caller;
  const order = { org_id, user_id, member_id: member_ref.toLowerCase(), data_type };
  return (await findRecordedPayment(context, proof, buildPurchase(order, 0n))) && order;
}

async function buildOrder(
  context: QueryContext,
  { member_ref, data_type }: Pick<Query, 'member_ref' | 'data_type'>,
): Promise<ReadOrder> {
  const { org_id, user_id } = context.caller;
  const member_id = await findNamedMember(context, context.database, org_id, member_ref);
  if (member_id === undefined) throw new Refusal('member_not_found');
  return { org_id, user_id, member_id, data_type };
}

type OrderCheck = { readonly tier: Tier; readonly usage: Usage };

/** Checks what the recording transaction checks again, before anything is paid. */
async function checkOrder({ database, now }: QueryContext, order: ReadOrder): Promise<OrderCheck> {
  const [member, sources, usage] = await Promise.all([
    findMember(database, order.member_id),
    findSources(database, order),
    readUsage(database, order.org_id, formatDay(now())),
  ]);
  if (!member) throw new Refusal('member_not_found');
  checkSources(member, sources, order);
  const { tier } = sources;
  if (usage.daily_reads >= queryLimits[tier].daily_reads) throw createQuotaRefusal(tier, now());
  return { tier, usage };
}

async function readForFree<Result>(read: ReadInProgress<Result>): Promise<Result> {
  const { context, order, finish } = read;
  try {
    return await context.transaction(async (tx) => {
      const result = await recordQuery(context, tx, order, null);
      return finish(tx, { order, result, payment: null });
    });
  } catch (error) {
    if (error instanceof AllowanceSpentError) return requirePrice(read, 0);
    throw error;
  }
}

type Paying = {
  readonly proof: PaymentProof;
  /** The lowest that was quoted within the last 15 minutes, or else the current one. */
  readonly price: Micros;
  readonly freeReadsLeft: number;
};

async function readForPayment<Result>(
  read: ReadInProgress<Result>,
  { proof, price, freeReadsLeft }: Paying,
): Promise<Result> {
  const { context, query, order, finish } = read;
  const { grant } = context.caller;
  const purchase = {
    ...buildPurchase(order, price),
    marketplaceMemberId: query.is_on_marketplace ? query.member_ref.toLowerCase() : null,
    ...(grant && { grantId: grant.grant_id, reserve: countSpending(context, grant.grant_id) }),
  };
  const claim = await claimPayment(context, proof, purchase).catch((error: unknown) =>
    refuseWithTerms(context, buildOffer(context, purchase, freeReadsLeft), error),
  );
  if (claim.kind === 'recorded') return repeatReply(read, claim);
  try {
    return await context.transaction(async (tx) => {
      const result = await recordQuery(context, tx, order, claim.payment);
      return finish(tx, { order, result, payment: claim.payment });
    });
  } catch (error) {
    throw await refundUnreadable(context, claim.payment, error);
  }
}

/**
 * Counts what an agent spends against the limit that the user has set, when the payment is claimed, before any money moves. A payment that then
 * fails stays counted, because the same payment can still be carried out until it expires; one that is owed back is taken off.
 */
function countSpending({ now }: QueryContext, grant_id: string) {
  return (tx: Transaction, amount_micro: number) => reserveSpend({ now }, tx, grant_id, BigInt(amount_micro));
}

/** Refusals of the recording transaction after which the payment is owed back. */
const refundCodes: ReadonlySet<RefusalCode> = new Set([
  'consent_required',
  'category_not_approved',
  'engagement_level_too_low',
  'member_not_found',
  'organisation_not_found',
  'organisation_suspended',
  'culture_profile_not_ready',
  'query_quota_spent',
]);

/**
 * Gives a payment back that was settled for what may no longer be read. The refusal and the debt are one transaction, apart from the one that
 * was rolled back. If it fails as well, the task `queries.finishPayments` does it.
 *
 * @returns the error for the caller.
 */
async function refundUnreadable(
  context: QueryContext,
  payment: SettledPayment,
  error: unknown,
): Promise<unknown> {
  if (!isRefundable(error)) return error;
  await refundPayment(context, payment, error.code);
  const code =
    error.code === 'consent_required' || error.code === 'category_not_approved'
      ? 'consent_withdrawn'
      : error.code;
  return new Refusal(code, {
    ...error.extras,
    detail: `${error.message} Nothing was read, and the amount is owed back to its payer.`,
  });
}

/** Whether a settled payment is owed back after this error of the recording transaction: what it was for can no longer be read. */
export function isRefundable(error: unknown): error is Refusal {
  return error instanceof Refusal && refundCodes.has(error.code);
}

/** Refuses a settled payment, and records that its amount is owed to its payer. */
export function refundPayment(
  services: Pick<Services, 'memory' | 'now'>,
  payment: SettledPayment | UnrecordedPayment,
  reason: string,
): Promise<void> {
  const { claimId, rail, payer, amount, purchase } = payment;
  const at = services.now();
  return serviceDatabase(services).transaction(async (tx) => {
    const counted = await refusePayment(tx, claimId, reason);
    if (counted.grantId !== null) await returnSpend(tx, counted.grantId, counted.amount);
    await postRefundJournal(tx, { claimId, orgId: purchase.orgId, payer, rail, gross: amount, at, reason });
  });
}

/** The result of the same payment that another request, or an earlier one, has recorded; undefined if there is none. */
async function findRepeated<Result>(
  { context, query: { proof }, order }: ReadInProgress<Result>,
  error: unknown,
): Promise<RecordedPayment | undefined> {
  if (!proof || !(error instanceof Refusal)) return undefined;
  return findRecordedPayment(context, proof, buildPurchase(order, 0n));
}

/** Replies with a stored result. It takes nothing from the quota. */
function repeatReply<Result>(
  { context, order, finish }: ReadInProgress<Result>,
  { result, payment }: RecordedPayment,
): Promise<Result> {
  // `recordQuery` has written it. After an erasure it is gone.
  if (result === null) throw new Refusal('member_not_found');
  return context.transaction(async (tx) => finish(tx, { order, result: result as QueryResult, payment }));
}

/** The name of the tool for which a payment is made; the MCP tools of the same reads use it as well. */
const tool = 'credential_query';

function buildPurchase({ org_id, user_id, member_id, data_type }: ReadOrder, price: Micros): Purchase {
  return { orgId: org_id, userId: user_id, memberId: member_id, tool, dataType: data_type, price };
}

async function computeCurrentPrice(
  { database }: QueryContext,
  { member_id, data_type }: ReadOrder,
): Promise<Micros> {
  const { multiplierBps } = await computeLegibility(database, member_id);
  return computePrice(data_type, multiplierBps);
}

/**
 * Quotes the current price. The quote is stored, so that a change of the multiplier before the payment arrives breaks no payment: for 15
 * minutes, the quoted price is enough.
 *
 * @throws Refusal `payment_required`.
 */
async function requirePrice(
  { context, query, order }: Pick<ReadInProgress<unknown>, 'context' | 'query' | 'order'>,
  freeReadsLeft: number,
): Promise<never> {
  const price = await computeCurrentPrice(context, order);
  query.acceptPrice?.(price);
  const expires_at = new Date(context.now().getTime() + quote_seconds * 1000);
  await upsertQuote(serviceDatabase(context), order, price, expires_at);
  return requirePayment(context, buildOffer(context, buildPurchase(order, price), freeReadsLeft));
}

function buildOffer({ config, request }: QueryContext, purchase: Purchase, freeReadsLeft: number): Offer {
  return {
    purchase,
    freeReadsLeft,
    shareBps: share_bps,
    resourceUrl: request.payment.resource ?? `${config.publicUrl}/api/v1/orgs/queries/credential`,
    description: `One read of ${purchase.dataType} of one member.`,
  };
}
