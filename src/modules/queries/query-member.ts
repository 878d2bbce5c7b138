import type { LoggedInCaller } from '#lib/caller.ts';
import type { Micros } from '#lib/money.ts';
import { Refusal, type RefusalCode } from '#lib/refusal.ts';
import { computeLegibility } from '#modules/earnings';
import { postRefundJournal } from '#modules/ledger';
import { checkVerifiedAdmin, findNamedMember } from '#modules/matching';
import { findMember } from '#modules/members';
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
} from '#modules/payments';
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
  type DataType,
  type Tier,
} from './rules.ts';
import { findQuote, readUsage, upsertQuote, type ReadOrder, type Usage } from './store.ts';
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
};

/** The reply of a read, with the receipt of its payment in the headers. */
export type QueryReply = Reply<200, QueryResult>;

/**
 * Reads a member for an organisation: for the payment, or else from the free allowance. It checks, in this order: the organisation has a
 * verified administrator; the member is one whom it may name; consent and category; engagement level; the culture profile, for an alignment;
 * the daily quota; and last the payment. So nobody pays for what cannot be read, and a price is quoted only for what can. All but the first two
 * are checked again in the transaction that records the read, because they may change while a payment is settled.
 *
 * The same payment sent again returns the stored result, also if the member has withdrawn consent since: it is the read that was made before.
 *
 * @throws Refusal
 */
export async function queryMember(context: QueryContext, query: Query): Promise<QueryReply> {
  await checkVerifiedAdmin(context);
  const order = await buildOrder(context, query);
  try {
    const { tier, usage } = await checkOrder(context, order);
    if (query.proof) return await readForPayment(context, order, query.proof);
    if (usage.free_reads < queryLimits[tier].free_reads) return await readForFree(context, order);
    return await requirePrice(context, order);
  } catch (error) {
    const repeated = query.proof && (await findRepeated(context, order, query.proof, error));
    if (repeated) return repeated;
    throw error;
  }
}

async function buildOrder(context: QueryContext, { member_ref, data_type }: Query): Promise<ReadOrder> {
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

async function readForFree(context: QueryContext, order: ReadOrder): Promise<QueryReply> {
  try {
    return await context.transaction(async (tx) => reply(200, await recordQuery(context, tx, order, null)));
  } catch (error) {
    if (error instanceof AllowanceSpentError) return requirePrice(context, order);
    throw error;
  }
}

async function readForPayment(
  context: QueryContext,
  order: ReadOrder,
  proof: PaymentProof,
): Promise<QueryReply> {
  const purchase = buildPurchase(order, await findPrice(context, order));
  const claim = await claimPayment(context, proof, purchase).catch((error: unknown) =>
    refuseWithTerms(context, buildOffer(context, purchase), error),
  );
  if (claim.kind === 'recorded') return repeatReply(context, claim);
  try {
    return await context.transaction(async (tx) => {
      const result = await recordQuery(context, tx, order, claim.payment);
      return reply(200, result, [], claim.payment.receiptHeader);
    });
  } catch (error) {
    throw await refundUnreadable(context, claim.payment, error);
  }
}

/** Refusals of the recording transaction after which the payment is owed back. */
const refundCodes: ReadonlySet<RefusalCode> = new Set([
  'consent_required',
  'category_not_approved',
  'engagement_level_too_low',
  'member_not_found',
  'organisation_not_found',
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
    await refusePayment(tx, claimId, reason);
    await postRefundJournal(tx, { claimId, orgId: purchase.orgId, payer, rail, gross: amount, at, reason });
  });
}

/** The result of the same payment that another request, or an earlier one, has recorded; undefined if there is none. */
async function findRepeated(
  context: QueryContext,
  order: ReadOrder,
  proof: PaymentProof,
  error: unknown,
): Promise<QueryReply | undefined> {
  if (!(error instanceof Refusal)) return undefined;
  const recorded = await findRecordedPayment(context, proof, buildPurchase(order, 0n));
  return recorded && repeatReply(context, recorded);
}

/** Replies with a stored result. It takes nothing from the quota. */
function repeatReply(context: QueryContext, { result, payment }: RecordedPayment): Promise<QueryReply> {
  // `recordQuery` has written it. After an erasure it is gone.
  if (result === null) throw new Refusal('member_not_found');
  return context.transaction(() =>
    Promise.resolve(reply(200, result as QueryResult, [], payment.receiptHeader)),
  );
}

/** The name of the tool for which a payment is made; the MCP tools of the same reads use it as well. */
const tool = 'credential_query';

function buildPurchase({ org_id, user_id, member_id, data_type }: ReadOrder, price: Micros): Purchase {
  return { orgId: org_id, userId: user_id, memberId: member_id, tool, dataType: data_type, price };
}

/** The price to pay: the lowest that was quoted within the last 15 minutes, or else the current one. */
async function findPrice(context: QueryContext, order: ReadOrder): Promise<Micros> {
  const quoted = await findQuote(context.database, order, context.now());
  return quoted ?? computeCurrentPrice(context, order);
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
async function requirePrice(context: QueryContext, order: ReadOrder): Promise<never> {
  const price = await computeCurrentPrice(context, order);
  const expires_at = new Date(context.now().getTime() + quote_seconds * 1000);
  await upsertQuote(serviceDatabase(context), order, price, expires_at);
  return requirePayment(context, buildOffer(context, buildPurchase(order, price)));
}

function buildOffer({ config }: QueryContext, purchase: Purchase): Offer {
  return {
    purchase,
    resourceUrl: `${config.publicUrl}/api/v1/orgs/queries/credential`,
    description: `One read of ${purchase.dataType} of one member.`,
  };
}
