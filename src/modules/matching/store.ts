import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { MatchStatus } from './lifecycle/rules.ts';
import type { ConfidenceLevel, MatchQuality } from './engine/tiers.ts';

export type Match = {
  readonly id: string;
  readonly member_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly match_quality: MatchQuality;
  readonly match_status: MatchStatus;
  readonly computed_at: Date;
};

/** A match to be kept; `id` is used where the member and the job have none yet. */
export type NewMatch = Pick<Match, 'id' | 'member_id' | 'job_id' | 'org_id' | 'match_quality'> & {
  readonly confidence_level: ConfidenceLevel;
};

/** The columns of a {@link Match}, in the order of its fields. */
export const matchColumns = sql`id, member_id, job_id, org_id, match_quality, match_status, computed_at`;

const openCondition = sql`match_status in ('pending_review', 'org_interested', 'member_accepted')`;

/** The match of an id, or undefined. */
export function findMatch(db: Reader, id: string): Promise<Match | undefined> {
  return db.find(sql<Match>`select ${matchColumns} from matches where id = ${id}`);
}

/** The match of an id, held against changes of it; undefined where there is none. */
export function lockMatch(tx: Transaction, id: string): Promise<Match | undefined> {
  return tx.find(sql<Match>`select ${matchColumns} from matches where id = ${id} for no key update`);
}

/** Moves a match to a status. */
export async function updateMatchStatus(tx: Transaction, id: string, status: MatchStatus): Promise<void> {
  await tx.run(sql`update matches set match_status = ${status} where id = ${id}`);
}

/** The open matches of a job: as many as a shortlist holds, and those that somebody has acted on. */
export function listOpenMatches(
  db: Reader,
  job_id: string,
): Promise<Pick<Match, 'member_id' | 'match_status'>[]> {
  return db.list(
    sql<Match>`select member_id, match_status from matches where job_id = ${job_id} and ${openCondition}`,
  );
}

/** Those of the jobs that the member has a match with, in whatever state. */
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
 * Adds the matches that are new, as pending_review, and gives the open ones their new labels. A match that was decided or has ended stays
 * as it is, and so does one with labels of a later computation. @returns the jobs that gained a match.
 */
export async function upsertMatches(
  tx: Transaction,
  matches: readonly NewMatch[],
  computed_at: Date,
): Promise<readonly string[]> {
  // In one order everywhere, so that two computations never wait for each other's rows. A row that was never updated has no xmax.
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

/** Deletes those pending matches of a job's members that no later computation has labelled. */
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

/** Deletes those pending matches of a member's jobs that no later computation has labelled. */
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

/** Deletes the pending matches of each job beyond the `most` best tiers; which ones of the last tier is left to chance. */
export async function deleteExcessMatches(
  tx: Transaction,
  job_ids: readonly string[],
  most: number,
): Promise<void> {
  await tx.run(sql`
    delete from matches where id in (
      select id from (
        select id, row_number() over (partition by job_id order by match_quality, id) as place
        from matches where job_id = any(${job_ids}::uuid[]) and match_status = 'pending_review') as pending
      where place > ${most})`);
}

/** Ends the open matches of a member, unless the member is deployed after all, and forgets why they were matches. */
export async function withdrawMatches(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`
    update matches set match_status = 'withdrawn', withdrawn_from = match_status
    where member_id = ${member_id} and ${openCondition} and not exists (select from deployed_members where id = ${member_id})`);
  await tx.run(sql`
    delete from match_explanations
    where match_id in (select id from matches where member_id = ${member_id} and match_status = 'withdrawn')`);
}

/** Forgets the member's withdrawn matches that nobody had acted on, so that a member who comes back can be matched anew. */
export async function deleteUnseenWithdrawals(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`
    delete from matches
    where member_id = ${member_id} and match_status = 'withdrawn' and withdrawn_from = 'pending_review'`);
}

/** A match as its member sees it in a list. */
export type MemberMatch = Pick<Match, 'id' | 'match_quality' | 'match_status'> & {
  readonly job_title: string;
  readonly org_name: string;
  readonly confidence_level: ConfidenceLevel;
  readonly created_at: Date;
};

export type MemberMatchFilter = { readonly member_id: string; readonly status: MatchStatus | undefined };

/** Where a page of a member's matches goes on: behind the match of this time (ISO 8601) and id. */
export type MemberMatchPlace = readonly [created_at: string, id: string];

/** The matches of a member with the titles and names they go by, newest first. */
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
