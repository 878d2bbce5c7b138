import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { ConfidenceLevel, MatchQuality } from './engine/tiers.ts';
import type { MatchStatus } from './lifecycle/rules.ts';

export type Match = {
  readonly id: string;
  readonly member_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly match_quality: MatchQuality;
  readonly match_status: MatchStatus;
  readonly computed_at: Date;
};

/** A match to store. `id` is used only if the member and the job have no match yet. */
export type NewMatch = Pick<Match, 'id' | 'member_id' | 'job_id' | 'org_id' | 'match_quality'> & {
  readonly confidence_level: ConfidenceLevel;
};

/** The columns of a {@link Match}, in the order of its fields. */
export const matchColumns = sql`id, member_id, job_id, org_id, match_quality, match_status, computed_at`;

const openCondition = sql`match_status in ('pending_review', 'org_interested', 'member_accepted')`;

/** Finds a match by its id. */
export function findMatch(db: Reader, id: string): Promise<Match | undefined> {
  return db.find(sql<Match>`select ${matchColumns} from matches where id = ${id}`);
}

/** Locks a match, so that changes to it wait until the transaction ends. */
export function lockMatch(tx: Transaction, id: string): Promise<Match | undefined> {
  return tx.find(sql<Match>`select ${matchColumns} from matches where id = ${id} for no key update`);
}

/** Sets the status of a match. */
export async function updateMatchStatus(tx: Transaction, id: string, status: MatchStatus): Promise<void> {
  await tx.run(sql`update matches set match_status = ${status} where id = ${id}`);
}

/** Lists the open matches of a job: at most a full shortlist, plus the matches that the organisation or the member has acted on. */
export function listOpenMatches(
  db: Reader,
  job_id: string,
): Promise<Pick<Match, 'member_id' | 'match_status'>[]> {
  return db.list(
    sql<Match>`select member_id, match_status from matches where job_id = ${job_id} and ${openCondition}`,
  );
}

/** Lists those of the jobs with which the member has a match, in any status. */
export async function listMatchedJobs(
  db: Reader,
  member_id: string,
  job_ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.list(
    sql<Match>`select job_id from matches where member_id = ${member_id} and job_id = any(${job_ids}::uuid[])`,
  );
  return rows.map(({ job_id }) => job_id);
}

/**
 * Adds new matches as pending_review and updates the labels of open ones. Matches that were decided or have ended do not change, nor do
 * matches that a later computation has labelled. @returns the jobs that gained a match.
 */
export async function upsertMatches(
  tx: Transaction,
  matches: readonly NewMatch[],
  computed_at: Date,
): Promise<readonly string[]> {
  // All computations use the same order of rows, so that they cannot deadlock. A row that was never updated has no xmax.
  const rows = await tx.list(sql<{ job_id: string; added: boolean }>`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, computed_at, created_at)
    select *, 'pending_review', ${computed_at}::timestamptz, ${computed_at}::timestamptz from unnest(
      ${matches.map((match) => match.id)}::uuid[], ${matches.map((match) => match.member_id)}::uuid[],
      ${matches.map((match) => match.job_id)}::uuid[], ${matches.map((match) => match.org_id)}::uuid[],
      ${matches.map((match) => match.match_quality)}::match_quality[],
      ${matches.map((match) => match.confidence_level)}::text[]) as new (id, member_id, job_id, org_id, quality, confidence)
    order by new.job_id, new.member_id
    on conflict (job_id, member_id) do update set
      match_quality = excluded.match_quality, confidence_level = excluded.confidence_level, computed_at = excluded.computed_at
    where matches.match_status in ('pending_review', 'org_interested', 'member_accepted')
      and matches.computed_at <= excluded.computed_at
    returning job_id, (xmax = 0) as added`);
  return [...new Set(rows.filter(({ added }) => added).map(({ job_id }) => job_id))];
}

/** Deletes the pending matches between a job and these members, except those that a later computation has labelled. */
export async function deletePendingJobMatches(
  tx: Transaction,
  job_id: string,
  member_ids: readonly string[],
  computed_at: Date,
): Promise<void> {
  await tx.run(sql`
    delete from matches where job_id = ${job_id} and member_id = any(${member_ids}::uuid[])
      and match_status = 'pending_review' and computed_at <= ${computed_at}`);
}

/** Deletes the pending matches between a member and these jobs, except those that a later computation has labelled. */
export async function deletePendingMemberMatches(
  tx: Transaction,
  member_id: string,
  job_ids: readonly string[],
  computed_at: Date,
): Promise<void> {
  await tx.run(sql`
    delete from matches where member_id = ${member_id} and job_id = any(${job_ids}::uuid[])
      and match_status = 'pending_review' and computed_at <= ${computed_at}`);
}

/** Deletes the pending matches of each job beyond the `matches_max` best by tier. Within a tier, the choice is random. */
export async function deleteExcessMatches(
  tx: Transaction,
  job_ids: readonly string[],
  matches_max: number,
): Promise<void> {
  await tx.run(sql`
    delete from matches where id in (
      select id from (
        select id, row_number() over (partition by job_id order by match_quality, id) as place
        from matches where job_id = any(${job_ids}::uuid[]) and match_status = 'pending_review') as pending
      where place > ${matches_max})`);
}

/** Withdraws the open matches of a member and deletes the explanations of withdrawn matches. */
export async function withdrawMatches(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`
    update matches set match_status = 'withdrawn', withdrawn_from = match_status
    where member_id = ${member_id} and ${openCondition}`);
  await tx.run(sql`
    delete from match_explanations
    where match_id in (select id from matches where member_id = ${member_id} and match_status = 'withdrawn')`);
}

/** Deletes the member's withdrawn matches on which no one had acted, so that a member who returns can be matched again. */
export async function deleteUnseenWithdrawals(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`
    delete from matches
    where member_id = ${member_id} and match_status = 'withdrawn' and withdrawn_from = 'pending_review'`);
}

/** Deletes every match of an organisation, whose jobs the transaction has locked, and the stored numbers of its matches. */
export async function deleteOrganisationMatches(
  tx: Transaction,
  org_id: string,
  job_ids: readonly string[],
): Promise<void> {
  await tx.run(sql`delete from matches where org_id = ${org_id}`);
  await tx.run(sql`delete from match_counts where owner_id = any(${[org_id, ...job_ids]}::uuid[])`);
}

/** A match as it appears in its member's list. */
export type MemberMatch = Pick<Match, 'id' | 'match_quality' | 'match_status'> & {
  readonly job_title: string;
  readonly org_name: string;
  readonly confidence_level: ConfidenceLevel;
  readonly created_at: Date;
};

export type MemberMatchFilter = { readonly member_id: string; readonly status: MatchStatus | undefined };

/** The position of a match in its member's list: its creation time (ISO 8601) and id. */
export type MemberMatchPlace = readonly [created_at: string, id: string];

/** Lists the matches of a member with job titles and organisation names, newest first. */
export function listMemberMatches(
  db: Reader,
  filter: MemberMatchFilter,
  after: MemberMatchPlace | undefined,
  limit: number,
): Promise<MemberMatch[]> {
  const from = after
    ? sql`and (matches.created_at, matches.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<MemberMatch>`
    select matches.id, match_quality, match_status, confidence_level, matches.created_at,
      job_outlines.title as job_title, organisation_names.name as org_name
    from matches join job_outlines on job_outlines.id = matches.job_id
      join organisation_names on organisation_names.id = matches.org_id
    where ${buildMemberMatchCondition(filter)} ${from} order by matches.created_at desc, matches.id desc limit ${limit}`);
}

export async function countMemberMatches(db: Reader, filter: MemberMatchFilter): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from matches where ${buildMemberMatchCondition(filter)}`,
  );
  return count;
}

function buildMemberMatchCondition({ member_id, status }: MemberMatchFilter): Statement {
  return sql`matches.member_id = ${member_id} ${status ? sql`and match_status = ${status}` : emptySql}`;
}
