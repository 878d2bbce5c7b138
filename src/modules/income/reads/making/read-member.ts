import { Refusal } from '#lib/refusal.ts';
import { checkVerifiedAdmin, findNamedMember } from '#modules/matching/matches';
import { findOrganisation } from '#modules/organisations/orgs';
import { findMember } from '#modules/people/members';
import {
  findRecordedPayment,
  PaymentTakenError,
  toSettledPayment,
  type SettledPayment,
} from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import {
  computeFirstCountedDay,
  createQuotaRefusal,
  formatDay,
  readLimits,
  type DataType,
  type WantedRead,
} from '../rules.ts';
import { countDailyReads, countFreeReads, findFreeRead, takeRefusal } from '../store.ts';
import type { ReadResult } from '../wire.ts';
import { findFreeBasis } from './find-free-basis.ts';
import { AllowanceSpentError, checkSources, findSources, makeRead } from './make-read.ts';
import {
  chooseProof,
  payForRead,
  preparePaidRead,
  refundUnreadable,
  isRefundRehearsal,
  requirePrice,
  type CheckedRead,
  type ReadContext,
  type ReadRequest,
} from './pay-for-read.ts';

/** A read that was made, now or before with the same payment. */
export type MadeRead = {
  readonly wanted: WantedRead;
  readonly result: ReadResult;
  /** Null for a free read. */
  readonly payment: SettledPayment | null;
};

/**
 * Reads a member for an organisation: for the payment, or else from the free allowance. It checks, in this order: the organisation has a
 * verified administrator; the member is one whom it may name; consent and category; engagement level; the culture profile, for an alignment;
 * the daily quota; and last the payment. So nobody pays for what cannot be read, and a price is quoted only for what can. All but the first two
 * are checked again in the transaction that records the read, because they may change while a payment is settled.
 *
 * The same payment sent again returns the stored result even if the member has withdrawn consent since: it is the read that was made before.
 *
 * @param buildReply Builds the reply in the transaction of the read, and may store more in it.
 * @throws Refusal
 */
export async function readMember<Reply>(
  context: ReadContext,
  request: ReadRequest,
  buildReply: (tx: Transaction, made: MadeRead) => Reply | Promise<Reply>,
): Promise<Reply> {
  checkGrantedRead(context.caller, request.data_type);
  await checkVerifiedAdmin(context);
  const wanted = await findWantedRead(context, request);
  const commit = (found: FoundRead) =>
    context.transaction(async (tx) =>
      buildReply(tx, 'result' in found ? found : await recordFoundRead(context, request, tx, found)),
    );
  try {
    const paid = await payAndRead(context, request, wanted, buildReply);
    if (paid !== undefined) return paid;
    const found = await checkAndPay(context, request, wanted);
    return await commit(found).catch((error: unknown) => endRead(context, request, found, error));
  } catch (error) {
    const made = await findMadeRead(context, request, wanted, error);
    if (made) return commit(made);
    throw await countRefusal(context, error);
  }
}

/**
 * Pays for a read and makes it in one transaction, if the payment needs nobody else.
 *
 * @returns undefined if the payment cannot be stored: nothing has changed then, and the steps one after the other refuse it with the terms, or continue
 *   an earlier one.
 * @throws Refusal of the read.
 */
async function payAndRead<Reply>(
  context: ReadContext,
  request: ReadRequest,
  wanted: WantedRead,
  buildReply: (tx: Transaction, made: MadeRead) => Reply | Promise<Reply>,
): Promise<Reply | undefined> {
  const prepared = await preparePaidRead(context, request, wanted).catch(ignoreRefusal);
  if (!prepared) return undefined;
  const payment = toSettledPayment(prepared.payment, prepared.read);
  try {
    return await context.transaction(async (tx) => {
      const result = await makeRead(context, tx, wanted, payment, prepared);
      return buildReply(tx, { wanted, result, payment });
    });
  } catch (error) {
    const isOfPayment = error instanceof Refusal && error.status === 402;
    if (isOfPayment || error instanceof PaymentTakenError) return undefined;
    throw error;
  }
}

/** A payment is refused only after it is known that the member can be read. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

/**
 * Counts an answer about a member that is not a read: refusals and prices differ from person to person, so that unlimited ones would recognise people for
 * nothing. In 30 days, as many as the tier has reads a day are answered, and one more for each read; those beyond say only that. A read that succeeds is not
 * concerned.
 *
 * @returns the refusal for the caller.
 */
async function countRefusal(context: ReadContext, error: unknown): Promise<unknown> {
  const { config, database, now, caller } = context;
  if (!config.rateLimits || !(error instanceof Refusal) || !doesTellOfMember(error)) return error;
  const organisation = await findOrganisation(database, caller.org_id);
  if (!organisation) return error;
  const limit = readLimits[organisation.tier].daily_reads;
  const taking = {
    org_id: caller.org_id,
    first_day: formatDay(computeFirstCountedDay(now())),
    day: formatDay(now()),
    limit,
  };
  const isWithin = await takeRefusal(serviceDatabase(context), taking);
  return isWithin ? error : createQuotaRefusal(organisation.tier, now());
}

/** Outages and spent quotas concern no member. A transfer that waits for confirmations has been paid, and its answer has no price. */
function doesTellOfMember({ status, code }: Refusal): boolean {
  return status < 429 && code !== 'payment_unconfirmed';
}

/** An agent may make the kinds of read that were allowed to it, over MCP and over HTTP. */
function checkGrantedRead({ grant }: ReadContext['caller'], data_type: DataType): void {
  if (grant && !grant.tools.has(`query_${data_type}`)) throw new Refusal('tool_not_granted');
}

/**
 * Finds whom the request names. A payment that has bought this read may name the member by an id that it no longer has: a prepared identity that was
 * claimed, or a member who no longer shares the contact. Nothing else can be read by it.
 *
 * @throws Refusal `member_not_found`, or what `findNamedMember` throws.
 */
async function findWantedRead(context: ReadContext, request: ReadRequest): Promise<WantedRead> {
  const { org_id, user_id } = context.caller;
  const { member_ref, data_type, proposal } = request;
  if (proposal) {
    const known_as = member_ref.toLowerCase();
    return { org_id, user_id, member_id: proposal.member_id, known_as, data_type, proposal_id: proposal.id };
  }
  try {
    const named = await findNamedMember(context, context.database, org_id, member_ref);
    if (named === undefined) throw new Refusal('member_not_found');
    return { org_id, user_id, ...named, data_type };
  } catch (error) {
    const id = member_ref;
    const former = { org_id, user_id, member_id: id, known_as: id, data_type };
    if (await findMadeRead(context, request, former, error)) return former;
    throw error;
  }
}

/** A read that may be made now, for a settled payment or free, or one that the same payment has bought before. */
type FoundRead = MadeRead | Omit<MadeRead, 'result'>;

async function checkAndPay(
  context: ReadContext,
  request: ReadRequest,
  wanted: WantedRead,
): Promise<FoundRead> {
  const checked = await checkWantedRead(context, request, wanted);
  const paid = await payForRead(context, request, checked);
  if (paid?.kind === 'recorded') return toMadeRead(wanted, paid);
  if (paid) return { wanted, payment: paid.payment };
  if (isFree(request) && (checked.is_repeated || (await checked.countFreeReadsLeft()) > 0))
    return { wanted, payment: null };
  return requirePrice(context, request, checked);
}

/** Checks what the recording transaction checks again, before anything is paid. */
async function checkWantedRead(
  context: ReadContext,
  request: ReadRequest,
  wanted: WantedRead,
): Promise<CheckedRead & { readonly is_repeated: boolean }> {
  const { database, now } = context;
  const day = formatDay(now());
  const [member, sources, daily_reads, repeated] = await Promise.all([
    findMember(database, wanted.member_id),
    findSources(database, wanted),
    countDailyReads(database, wanted.org_id, day),
    isFree(request) ? findFreeRead(database, wanted, day) : undefined,
  ]);
  if (!member) throw new Refusal('member_not_found');
  const { contents } = checkSources(context, member, sources, wanted);
  const { tier } = sources;
  const is_repeated = repeated !== undefined;
  if (!is_repeated && daily_reads >= readLimits[tier].daily_reads) throw createQuotaRefusal(tier, now());
  const countFreeReadsLeft = async () => {
    const basis = await findFreeBasis(context, database, wanted.org_id);
    if (!basis) return 0;
    return Math.max(0, readLimits[tier].free_reads - (await countFreeReads(database, wanted.org_id)));
  };
  return { wanted, contents, countFreeReadsLeft, is_repeated };
}

/** Whether the request may be a free read: it has no payment and no offer. */
function isFree({ proof, offer_aud }: ReadRequest): boolean {
  return proof === null && offer_aud === undefined;
}

async function recordFoundRead(
  context: ReadContext,
  request: ReadRequest,
  tx: Transaction,
  { wanted, payment }: Omit<MadeRead, 'result'>,
): Promise<MadeRead> {
  if (payment && isRefundRehearsal(context, request)) throw new Refusal('consent_required');
  return { wanted, result: await makeRead(context, tx, wanted, payment), payment };
}

/** Ends a read whose transaction failed: another request has taken the last free read, or the payment is owed back. @throws always. */
async function endRead(
  context: ReadContext,
  request: ReadRequest,
  { wanted, payment }: FoundRead,
  error: unknown,
): Promise<never> {
  if (error instanceof AllowanceSpentError)
    return requirePrice(context, request, {
      ...(await checkWantedRead(context, request, wanted)),
      countFreeReadsLeft: () => Promise.resolve(0),
    });
  throw payment ? await refundUnreadable(context, payment, error) : error;
}

/** Finds the read that the same payment has bought, now or before, if something refuses to make it again. It takes nothing from the quota. */
async function findMadeRead(
  context: ReadContext,
  request: ReadRequest,
  wanted: WantedRead,
  error: unknown,
): Promise<MadeRead | undefined> {
  const proof = chooseProof(context, request);
  if (!proof || !(error instanceof Refusal)) return undefined;
  const recorded = await findRecordedPayment(context, proof, { ...wanted, price: 0n });
  return recorded && toMadeRead(wanted, recorded);
}

type Recorded = NonNullable<Awaited<ReturnType<typeof findRecordedPayment>>>;

function toMadeRead(wanted: WantedRead, { result, payment }: Recorded): MadeRead {
  // `makeRead` has written it. After an erasure it is gone.
  if (result === null) throw new Refusal('member_not_found');
  return { wanted, result: result as ReadResult, payment };
}
