import { randomUUID } from 'node:crypto';
import { whole_bps } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { findReadConsent, type ReadConsent } from '#modules/people/consent';
import { findCultureProfile } from '#modules/organisations/culture';
import { recordRead, toShownPayment } from '#modules/income/books';
import { computeAlignment } from '#modules/matching/matches';
import { computeEngagementLevel, lockMemberShared, type Member } from '#modules/people/members';
import { findOrganisation, requireOpenOrganisation } from '#modules/organisations/orgs';
import {
  recordPayment,
  storeRecordedPayment,
  type PreparedPayment,
  type SettledPayment,
} from '#modules/income/payments';
import { findLatestVector, type LatestVector } from '#modules/measurement/traits';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildReading, doesNeedCulture, findReadArchetype, type Reading } from './build-reading.ts';
import { findFreeBasis } from './find-free-basis.ts';
import { listContents, type Contents } from './list-contents.ts';
import { readRecorded } from '../events.ts';
import {
  checkReadable,
  createQuotaRefusal,
  deriveMultiplier,
  engagement_level_min,
  formatDay,
  readLimits,
  share_bps,
  type ReadFacts,
  type Tier,
  type WantedRead,
} from '../rules.ts';
import {
  findFreeRead,
  insertFreeRead,
  keepAlignment,
  lockQuota,
  takeFromAllowance,
  takeFromQuota,
} from '../store.ts';
import { takeDomain } from '../store-free-domains.ts';
import { takeProposal } from '../store-proposals.ts';
import type { ReadResult } from '../wire.ts';

type ReadServices = Pick<Services, 'memory' | 'secrets' | 'queue' | 'now' | 'config'>;

/** The free allowance is used up. The transaction is rolled back, and the read needs a payment. */
export class AllowanceSpentError extends Error {}

/**
 * Reads a member and records the read: its consent, its quota, its payment or free allowance, the income of the member and the result of the
 * payment are one transaction. The member's row is locked first, in share mode: reads of one member do not wait for each other, but a
 * withdrawal waits for them, and a read that comes after it sees it.
 *
 * The same free read of the same day is the same read: it returns the stored result and takes nothing.
 *
 * @param payment What was paid; null for a free read.
 * @param prepared The same payment, if it is stored with the read.
 * @throws Refusal as `checkReadable`, `nothing_to_read`, `organisation_suspended`, `query_quota_spent`, `culture_profile_not_ready`, `member_not_found`,
 *   `transaction_ended`.
 * @throws AllowanceSpentError
 * @throws PaymentTakenError, or a refusal of the payment, if it is stored with the read.
 */
export async function makeRead(
  services: ReadServices,
  tx: Transaction,
  wanted: WantedRead,
  payment: SettledPayment | null,
  prepared?: PreparedPayment,
): Promise<ReadResult> {
  const now = services.now();
  // Sent at once, and run in this order: what is read after the lock stays true until the commit.
  const [member, , sources] = await Promise.all([
    lockMemberShared(tx, wanted.member_id),
    requireOpenOrganisation(tx, wanted.org_id),
    findSources(tx, wanted),
  ]);
  if (!member) throw new Refusal('member_not_found');
  const { vector } = checkSources(services, member, sources, wanted);
  const { tier, consent } = sources;
  const reading = {
    ...buildReading(services, wanted, vector, consent),
    ...(await buildAlignment(tx, wanted, vector, sources)),
  };
  const day = formatDay(now);
  if (payment === null) {
    // Of two equal free reads at the same time, the second waits here and finds the first.
    await lockQuota(tx, wanted.org_id, day);
    const made = await findFreeRead(tx, wanted, day);
    if (made) return made as ReadResult;
  }
  await takeProposed(tx, wanted, now);
  // The row of the quota is locked late, because the organisation's other reads wait for it until the commit.
  const daily_reads = await takeReads(services, tx, wanted, { tier, now, is_free: payment === null });
  const result: ReadResult = {
    data: reading,
    query_metadata: {
      data_type: wanted.data_type,
      payment_type: toShownPayment(payment?.rail ?? 'allowance'),
      remaining_daily_queries: readLimits[tier].daily_reads - daily_reads,
      consent_level: consent.consent_level === 'full' ? 'full' : 'selective',
    },
  };
  await recordWithEffects(services, tx, wanted, { payment, prepared, result, now });
  if (payment === null) await insertFreeRead(tx, wanted, day, result);
  return result;
}

/** Takes the proposal that the read pays, unless it has ended. */
async function takeProposed(
  tx: Transaction,
  { member_id, proposal_id: id }: WantedRead,
  now: Date,
): Promise<void> {
  if (id !== undefined && !(await takeProposal(tx, { member_id, id }, now)))
    throw new Refusal('transaction_ended');
}

type Sources = {
  readonly consent: ReadConsent;
  readonly vector: LatestVector | undefined;
  readonly tier: Tier;
  readonly culture: Awaited<ReturnType<typeof findCultureProfile>>;
};

/** Finds what a read is computed from, besides the member. */
export async function findSources(
  db: Reader,
  { org_id, member_id, data_type }: WantedRead,
): Promise<Sources> {
  const [consent, vector, organisation, culture] = await Promise.all([
    findReadConsent(db, member_id),
    findLatestVector(db, member_id),
    findOrganisation(db, org_id),
    doesNeedCulture(data_type) ? findCultureProfile(db, org_id) : undefined,
  ]);
  if (!organisation) throw new Refusal('organisation_not_found');
  if (organisation.suspended_at !== null) throw new Refusal('organisation_suspended');
  return { consent, vector, tier: organisation.tier, culture };
}

/** Checks that the member can be read and that the read says something. @returns the trait vector, and what the read will contain. */
export function checkSources(
  services: Pick<Services, 'memory'>,
  member: Member,
  { consent, vector, culture }: Sources,
  { data_type, member_id }: WantedRead,
): { readonly vector: LatestVector; readonly contents: Contents } {
  const facts: ReadFacts = {
    account_active: member.account_status === 'active',
    consent_level: isAllowed(consent.consent_level) ? consent.consent_level : undefined,
    category_approved: consent.approved.has(data_type),
    // Without a measurement, there is nothing to read, whatever the member's level.
    engagement_level: vector ? computeReadableLevel(member) : engagement_level_min - 1,
  };
  checkReadable(facts, data_type);
  if (doesNeedCulture(data_type) && !culture) throw new Refusal('culture_profile_not_ready');
  const contents = listContents({
    data_type,
    vector: vector!,
    archetype_approved: consent.approved.has('archetype'),
    archetype_determined: findReadArchetype(services, member_id, vector!) !== 'undetermined',
  });
  if (contents.parts.length === 0) throw new Refusal('nothing_to_read');
  return { vector: vector!, contents };
}

/** A stub has no account that could reach a level. Its observations stand for the assessment. */
function computeReadableLevel(member: Member): number {
  return member.is_unclaimed ? engagement_level_min : computeEngagementLevel(member);
}

function isAllowed(level: ReadConsent['consent_level']): level is 'selective' | 'full' {
  return level === 'selective' || level === 'full';
}

async function buildAlignment(
  tx: Transaction,
  wanted: WantedRead,
  vector: LatestVector,
  { culture }: Sources,
): Promise<Pick<Reading, 'alignment'>> {
  if (!culture) return {};
  const alignment = { ...computeAlignment(vector, culture), culture_basis: culture.basis };
  return { alignment: await keepAlignment(tx, wanted, vector.version, alignment) };
}

type Taking = { readonly tier: Tier; readonly now: Date; readonly is_free: boolean };

/** Takes the read from the quota of the day, and a free one from the allowance. @returns how many reads of the day are used with it. */
async function takeReads(
  services: Pick<Services, 'config'>,
  tx: Transaction,
  { org_id }: WantedRead,
  { tier, now, is_free }: Taking,
): Promise<number> {
  const { daily_reads, free_reads } = readLimits[tier];
  const taken = await takeFromQuota(tx, { org_id, day: formatDay(now), limit: daily_reads });
  if (taken === undefined) throw createQuotaRefusal(tier, now);
  if (is_free) await takeFreeRead(services, tx, { org_id, limit: free_reads, now });
  return taken;
}

/** @throws AllowanceSpentError */
async function takeFreeRead(
  services: Pick<Services, 'config'>,
  tx: Transaction,
  { org_id, limit, now }: { readonly org_id: string; readonly limit: number; readonly now: Date },
): Promise<void> {
  const basis = await findFreeBasis(services, tx, org_id);
  if (!basis) throw new AllowanceSpentError();
  // Of two organisations that prove one domain after the other, the first has taken its free reads.
  if (basis.kind === 'domain' && !(await takeDomain(tx, { domain: basis.domain, org_id, now })))
    throw new AllowanceSpentError();
  if (!(await takeFromAllowance(tx, org_id, limit))) throw new AllowanceSpentError();
}

type Making = {
  readonly payment: SettledPayment | null;
  readonly prepared: PreparedPayment | undefined;
  readonly result: ReadResult;
  readonly now: Date;
};

/** Records the read with its money, its audit entry and its event. */
async function recordWithEffects(
  { queue, config }: ReadServices,
  tx: Transaction,
  { org_id, user_id, member_id, known_as, data_type, proposal_id }: WantedRead,
  { payment, prepared, result, now }: Making,
): Promise<void> {
  const gross = payment?.amount ?? 0n;
  const id = proposal_id ?? randomUUID();
  const multiplier_bps = payment ? deriveMultiplier(data_type, gross) : whole_bps;
  const read = {
    id,
    member_id,
    known_as,
    org_id,
    user_id,
    data_type,
    share_bps,
    multiplier_bps,
    created_at: now,
  };
  // Of several requests with the same payment, the first records it. The transaction of the others ends here, with everything that was sent at once.
  await Promise.all([
    prepared
      ? storeRecordedPayment(tx, prepared, result)
      : payment && recordPayment(tx, payment.payment_id, result),
    recordRead(tx, { ...read, payment }, config.payout_hold_seconds),
    recordAudit(tx, {
      now,
      actor: { user_id, role: 'org_admin' },
      action: 'queries.recorded',
      member_id,
      org_id,
      detail: { data_type, payment_type: payment?.rail ?? 'allowance' },
    }),
    queue.emit(tx, readRecorded, {
      read_id: id,
      member_id,
      org_id,
      data_type,
      gross_micros: Number(gross),
    }),
  ]);
}
