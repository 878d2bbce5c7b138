import { randomUUID } from 'node:crypto';
import { whole_bps } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { findSaleConsent, type SaleConsent } from '#modules/people/consent';
import { findCultureProfile } from '#modules/organisations/culture';
import { recordRead } from '#modules/income/earnings';
import { postReadJournal } from '#modules/income/ledger';
import { computeAlignment } from '#modules/matching/matches';
import { computeEngagementLevel, lockMemberShared, type Member } from '#modules/people/members';
import { findOrganisation, requireOpenOrganisation } from '#modules/organisations/orgs';
import { recordPayment, type SettledPayment } from '#modules/income/payments';
import { findLatestVector, type LatestVector } from '#modules/measurement/traits';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildReading, doesNeedCulture, type Reading } from './build-reading.ts';
import { readRecorded } from './events.ts';
import {
  checkReadable,
  createQuotaRefusal,
  deriveMultiplier,
  engagement_level_min,
  formatDay,
  queryLimits,
  share_bps,
  type ReadFacts,
  type Tier,
} from './rules.ts';
import { keepAlignment, takeFromAllowance, takeFromQuota, type ReadOrder } from './store.ts';
import type { QueryResult } from './wire.ts';

type QueryServices = Pick<Services, 'memory' | 'secrets' | 'queue' | 'now' | 'config'>;

/** The free allowance is used up. The transaction is rolled back, and the read needs a payment. */
export class AllowanceSpentError extends Error {}

/**
 * Reads a member and records the read: its consent, its quota, its payment or free allowance, the income of the member and the result of the
 * claim are one transaction. The member's row is locked first, in share mode: reads of one member do not wait for each other, but a
 * withdrawal waits for them, and a read that comes after it sees it.
 *
 * @param payment What was paid; null for a free read.
 * @throws Refusal as `checkReadable`, `organisation_suspended`, `query_quota_spent`, `culture_profile_not_ready`, `member_not_found`.
 * @throws AllowanceSpentError
 */
export async function recordQuery(
  services: QueryServices,
  tx: Transaction,
  order: ReadOrder,
  payment: SettledPayment | null,
): Promise<QueryResult> {
  const now = services.now();
  // Sent at once, and run in this order: what is read after the lock stays true until the commit.
  const [member, , sources] = await Promise.all([
    lockMemberShared(tx, order.member_id),
    requireOpenOrganisation(tx, order.org_id),
    findSources(tx, order),
  ]);
  if (!member) throw new Refusal('member_not_found');
  const vector = checkSources(member, sources, order);
  const { tier, consent } = sources;
  const reading = {
    ...buildReading(services, order, vector, consent),
    ...(await buildAlignment(tx, order, vector, sources)),
  };
  // The row of the quota is locked late, because the organisation's other reads wait for it until the commit.
  const daily_reads = await takeReads(tx, order, { tier, now, is_free: payment === null });
  const result: QueryResult = {
    data: reading,
    query_metadata: {
      data_type: order.data_type,
      payment_type: payment === null ? 'allowance' : 'x402',
      remaining_daily_queries: queryLimits[tier].daily_reads - daily_reads,
      consent_level: consent.consent_level === 'full' ? 'full' : 'selective',
    },
  };
  await recordSale(services, tx, order, { payment, result, now });
  return result;
}

type Sources = {
  readonly consent: SaleConsent;
  readonly vector: LatestVector | undefined;
  readonly tier: Tier;
  readonly culture: Awaited<ReturnType<typeof findCultureProfile>>;
};

/** Finds what a read is computed from, besides the member. */
export async function findSources(db: Reader, { org_id, member_id, data_type }: ReadOrder): Promise<Sources> {
  const [consent, vector, organisation, culture] = await Promise.all([
    findSaleConsent(db, member_id),
    findLatestVector(db, member_id),
    findOrganisation(db, org_id),
    doesNeedCulture(data_type) ? findCultureProfile(db, org_id) : undefined,
  ]);
  if (!organisation) throw new Refusal('organisation_not_found');
  if (organisation.suspended_at !== null) throw new Refusal('organisation_suspended');
  return { consent, vector, tier: organisation.tier, culture };
}

/** Checks that the member can be read. @returns the trait vector. */
export function checkSources(
  member: Member,
  { consent, vector, culture }: Sources,
  { data_type }: ReadOrder,
): LatestVector {
  const facts: ReadFacts = {
    account_active: member.account_status === 'active',
    consent_level: isForSale(consent.consent_level) ? consent.consent_level : undefined,
    category_approved: consent.approved.has(data_type),
    // Without a measurement, there is nothing to read, whatever the member's level.
    engagement_level: vector ? computeReadableLevel(member) : engagement_level_min - 1,
  };
  checkReadable(facts, data_type);
  if (doesNeedCulture(data_type) && !culture) throw new Refusal('culture_profile_not_ready');
  return vector!;
}

/** A stub has no account that could reach a level. Its observations stand for the assessment. */
function computeReadableLevel(member: Member): number {
  return member.is_unclaimed ? engagement_level_min : computeEngagementLevel(member);
}

function isForSale(level: SaleConsent['consent_level']): level is 'selective' | 'full' {
  return level === 'selective' || level === 'full';
}

async function buildAlignment(
  tx: Transaction,
  order: ReadOrder,
  vector: LatestVector,
  { culture }: Sources,
): Promise<Pick<Reading, 'alignment'>> {
  if (!culture) return {};
  return { alignment: await keepAlignment(tx, order, vector.version, computeAlignment(vector, culture)) };
}

type Taking = { readonly tier: Tier; readonly now: Date; readonly is_free: boolean };

/** Takes the read from the quota of the day, and a free one from the allowance. @returns how many reads of the day are used with it. */
async function takeReads(
  tx: Transaction,
  { org_id }: ReadOrder,
  { tier, now, is_free }: Taking,
): Promise<number> {
  const { daily_reads, free_reads } = queryLimits[tier];
  const taken = await takeFromQuota(tx, { org_id, day: formatDay(now), limit: daily_reads });
  if (taken === undefined) throw createQuotaRefusal(tier, now);
  if (is_free && !(await takeFromAllowance(tx, org_id, free_reads))) throw new AllowanceSpentError();
  return taken;
}

type Sale = { readonly payment: SettledPayment | null; readonly result: QueryResult; readonly now: Date };

/** Records the read with its money, its audit entry and its event. */
async function recordSale(
  { queue, config }: QueryServices,
  tx: Transaction,
  { org_id, user_id, member_id, data_type }: ReadOrder,
  { payment, result, now }: Sale,
): Promise<void> {
  const read = {
    id: randomUUID(),
    memberId: member_id,
    orgId: org_id,
    userId: user_id,
    dataType: data_type,
    at: now,
  };
  // Of several requests with the same payment, the first records it. The transaction of the others ends here, with everything that was sent at once.
  const [, sold] = await Promise.all([
    payment && recordPayment(tx, payment.claimId, result),
    payment ? postSale(config, tx, read, payment) : freeSale,
    recordAudit(tx, {
      now,
      actor: { user_id, role: 'org_admin' },
      action: 'queries.recorded',
      member_id,
      org_id,
      detail: { data_type, payment_type: payment?.rail ?? 'allowance' },
    }),
    queue.emit(tx, readRecorded, {
      read_id: read.id,
      member_id,
      org_id,
      data_type,
      gross_micros: Number(payment?.amount ?? 0n),
    }),
  ]);
  recordRead(tx, { ...read, ...sold });
}

type NewRead = Parameters<typeof recordRead>[1];
type Sold = Omit<NewRead, 'id' | 'memberId' | 'orgId' | 'userId' | 'dataType' | 'at'>;

const freeSale: Sold = {
  paymentType: 'allowance',
  gross: 0n,
  memberShare: 0n,
  shareBps: share_bps,
  multiplierBps: whole_bps,
  claimId: null,
  protocolVersion: null,
  journalId: null,
};

async function postSale(
  config: QueryServices['config'],
  tx: Transaction,
  read: Omit<NewRead, keyof Sold> & { readonly id: string },
  payment: SettledPayment,
): Promise<Sold> {
  const { claimId, rail, amount: gross, protocolVersion } = payment;
  const { journalId, memberShare } = await postReadJournal(tx, {
    readId: read.id,
    memberId: read.memberId,
    orgId: read.orgId,
    claimId,
    rail,
    gross,
    shareBps: share_bps,
    at: read.at,
    holdSeconds: config.payout_hold_seconds,
  });
  return {
    paymentType: rail,
    gross,
    memberShare,
    shareBps: share_bps,
    multiplierBps: deriveMultiplier(read.dataType, gross),
    claimId,
    protocolVersion,
    journalId,
  };
}
