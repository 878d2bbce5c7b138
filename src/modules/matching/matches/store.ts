import { readParentId } from '#lib/child-id.ts';
import { sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { ConfidenceLevel, MatchQuality } from '#modules/matching/engine';
import type { MatchStatus } from './rules.ts';

export type Match = {
  readonly id: string;
  readonly member_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly match_quality: MatchQuality;
  readonly match_status: MatchStatus;
  /** When the labels were computed. A later computation that finds the same labels does not change it. Organisations do not see it. */
  readonly computed_at: Date;
  /** The version of the job's requirements that the match belongs to. */
  readonly version: number;
  /** Whether the tier follows from parameters that are not yet calibrated with the answers of enough people. */
  readonly provisional: boolean;
};

/**
 * What finds a match: `matches` by its job, `member_matches` by its member. Every function that changes a match changes both tables, because
 * in a distributed database they are on different nodes.
 */
export type MatchKey = Pick<Match, 'id' | 'job_id' | 'member_id'>;

/**
 * With the time of its creation, which both tables have: the primary key of a match in `member_matches`. Without the time PostgreSQL reads the
 * whole table as soon as a statement names a few dozen matches. In seconds, because dates have no microseconds, and a distributed database returns no text of a
 * time from a change.
 */
export type ListedKey = MatchKey & { readonly created_seconds: number };

/** What a change of matches returns for the lists of their members; `to_timestamp` turns it back without a loss. */
export const createdSeconds = sql`extract(epoch from created_at at time zone 'UTC')::double precision as created_seconds`;

/** A match that has ended without a decision, and the status that it had. */
export type EndedMatch = Pick<Match, 'id' | 'job_id' | 'org_id' | 'member_id' | 'version'> & {
  readonly ended_from: MatchStatus | null;
};

/** The labels of a match, and the place in its member's own list: how well the job suits the member, in hundredths of a standard deviation. */
export type MatchLabels = Pick<Match, 'match_quality' | 'provisional'> & {
  readonly confidence_level: ConfidenceLevel;
  readonly suitability: number;
};

/** How the labels were computed: by which policy, and among how many matches of the tier. Null if it is not known. */
export type MatchLog = { readonly policy_version: number | null; readonly tier_candidates: number | null };

/** A match to store. `id` is used only if the member and the job have no match yet. */
export type NewMatch = MatchKey &
  MatchLabels &
  Pick<Match, 'org_id' | 'version'> &
  Partial<MatchLog> & {
    /** Whether it is added because the list of its member would be empty, and not because the member is one of the best for the job. */
    readonly fills_list?: boolean;
  };

/** A stored match as a computation needs it. Its suitability is null if it was read by its job, because `matches` does not have it. */
export type LabelledMatch = MatchKey &
  Omit<MatchLabels, 'suitability'> &
  Pick<Match, 'match_status' | 'version'> & { readonly suitability: number | null };

/** The columns of a {@link Match} in `matches`, in the order of its fields. */
export const matchColumns = sql`id, member_id, job_id, org_id, match_quality, match_status, computed_at, version, provisional`;

const openCondition = sql`match_status in ('pending_review', 'org_interested', 'member_accepted')`;

/**
 * Selects the matches of a job, as `matches`, for a list that begins after a place. With the place in the same query, PostgreSQL 18 expects one row
 * after it and reads the index of all organisations from there on.
 */
export function selectOfJob(job_id: string): Statement {
  return sql`(select * from matches where job_id = ${job_id} offset 0) as matches`;
}

/** Finds a match by its id. */
export function findMatch(db: Reader, id: string): Promise<Match | undefined> {
  return db.find(
    sql<Match>`select ${matchColumns} from matches where job_id = ${readParentId(id)} and id = ${id}`,
  );
}

/** What an alias is computed from. */
export type NamedMatch = Pick<Match, 'job_id' | 'version' | 'member_id'>;

/** Lists the matches of a job of the organisation, whatever their status. */
export function listNamedMatches(
  db: Reader,
  job_id: string,
  org_id: string,
): Promise<(NamedMatch & Pick<Match, 'match_status'>)[]> {
  return db.list(sql<NamedMatch & Pick<Match, 'match_status'>>`
    select job_id, version, member_id, match_status from matches where job_id = ${job_id} and org_id = ${org_id}`);
}

/** Finds the match of a member with a job, whatever its status. */
export function findMatchOfMember(
  db: Reader,
  { job_id, member_id }: Pick<MatchKey, 'job_id' | 'member_id'>,
): Promise<Match | undefined> {
  return db.find(
    sql<Match>`select ${matchColumns} from matches where job_id = ${job_id} and member_id = ${member_id}`,
  );
}

/** Finds the match of a member with a job of the organisation. */
export function findNamedMatch(
  db: Reader,
  job_id: string,
  org_id: string,
  member_id: string,
): Promise<(NamedMatch & Pick<Match, 'match_status'>) | undefined> {
  return db.find(sql<NamedMatch & Pick<Match, 'match_status'>>`
    select job_id, version, member_id, match_status from matches
    where job_id = ${job_id} and member_id = ${member_id} and org_id = ${org_id}`);
}

/** A match that is locked for a move. */
export type LockedMatch = Match & {
  /** The decision of the organisation that can be undone as a whole. Of an interest: only until it is announced. */
  readonly decision_id: string | null;
  /** How often the interest of the organisation was announced. */
  readonly proposals: number;
};

/** Locks a match, so that changes to it wait until the transaction ends. */
export function lockMatch(tx: Transaction, id: string): Promise<LockedMatch | undefined> {
  return tx.find(sql<LockedMatch>`
    select ${matchColumns}, decision_id, proposals from matches where job_id = ${readParentId(id)} and id = ${id} for no key update`);
}

/** Stores a move of a match that {@link lockMatch} has locked. */
export function updateMatchStatus(
  tx: Transaction,
  {
    id,
    job_id,
    member_id,
    match_status,
    decision_id,
    proposals,
  }: Pick<LockedMatch, keyof MatchKey | 'match_status' | 'decision_id' | 'proposals'>,
): void {
  void tx.runAhead(sql`
    update matches set match_status = ${match_status}, decision_id = ${decision_id}, proposals = ${proposals}
    where job_id = ${job_id} and id = ${id}`);
  void tx.runAhead(sql`
    update member_matches set match_status = ${match_status} where member_id = ${member_id} and match_id = ${id}`);
}

/** An open match of a job. */
export type OpenMatch = LabelledMatch & { readonly fills_list: boolean };

/**
 * Lists the open matches of a job: at most a full shortlist, the matches that the organisation or the member has acted on, and those that fill the lists
 * of their members.
 */
export function listOpenMatches(db: Reader, job_id: string): Promise<OpenMatch[]> {
  return db.list(sql<OpenMatch>`
    select id, job_id, member_id, match_status, match_quality, confidence_level, provisional, version, null as suitability, fills_list
    from matches where job_id = ${job_id} and ${openCondition}`);
}

/** Adds matches as pending_review, except where the member and the job have a match already. @returns the added matches. */
export async function insertMatches(
  tx: Transaction,
  matches: readonly NewMatch[],
  computed_at: Date,
): Promise<readonly MatchKey[]> {
  if (matches.length === 0) return [];
  // All computations use the same order of rows, so that they cannot deadlock.
  const rows = await tx.list(sql<{ id: string }>`
    insert into matches
      (id, member_id, job_id, org_id, match_quality, confidence_level, version, provisional, policy_version, tier_candidates, fills_list,
        match_status, computed_at, created_at)
    select *, 'pending_review', ${computed_at}::timestamptz, ${computed_at}::timestamptz from unnest(
      ${matches.map((match) => match.id)}::uuid[], ${matches.map((match) => match.member_id)}::uuid[],
      ${matches.map((match) => match.job_id)}::uuid[], ${matches.map((match) => match.org_id)}::uuid[],
      ${matches.map((match) => match.match_quality)}::match_quality[],
      ${matches.map((match) => match.confidence_level)}::text[], ${matches.map((match) => match.version)}::integer[],
      ${matches.map((match) => match.provisional)}::boolean[],
      ${matches.map((match) => match.policy_version ?? null)}::smallint[],
      ${matches.map((match) => match.tier_candidates ?? null)}::smallint[],
      ${matches.map((match) => match.fills_list ?? false)}::boolean[]
    ) as new (id, member_id, job_id, org_id, quality, confidence, version, provisional, policy, candidates, fills)
    order by new.job_id, new.member_id
    on conflict (job_id, member_id) do nothing returning id`);
  const ids = new Set(rows.map(({ id }) => id));
  const added = matches.filter(({ id }) => ids.has(id));
  await tx.run(sql`
    insert into member_matches
      (match_id, member_id, job_id, match_quality, confidence_level, version, provisional, suitability, match_status, computed_at, created_at)
    select *, 'pending_review', ${computed_at}::timestamptz, ${computed_at}::timestamptz from unnest(
      ${added.map((match) => match.id)}::uuid[], ${added.map((match) => match.member_id)}::uuid[],
      ${added.map((match) => match.job_id)}::uuid[], ${added.map((match) => match.match_quality)}::match_quality[],
      ${added.map((match) => match.confidence_level)}::text[], ${added.map((match) => match.version)}::integer[],
      ${added.map((match) => match.provisional)}::boolean[], ${added.map((match) => match.suitability)}::smallint[]
    ) as new (id, member_id, job_id, quality, confidence, version, provisional, suitability)
    order by new.member_id, new.job_id`);
  return added;
}

/** The number of open matches of a tier of a job. */
export type TierCount = {
  readonly job_id: string;
  readonly match_quality: MatchQuality;
  readonly count: number;
};

/** Counts the open matches of jobs by tier, from stored numbers. */
export function countOpenTiers(db: Reader, job_ids: readonly string[]): Promise<TierCount[]> {
  return db.list(sql<TierCount>`
    select job_id, match_quality, sum(match_count)::integer as count from match_counts
    where job_id = any(${job_ids}::uuid[]) and owner_id = job_id and ${openCondition} group by job_id, match_quality`);
}

/** Gives open matches new labels. Matches that were decided or have ended since they were read do not change. */
export async function updateLabels(
  tx: Transaction,
  matches: readonly (MatchKey & MatchLabels & Partial<MatchLog>)[],
  computed_at: Date,
): Promise<void> {
  if (matches.length === 0) return;
  const rows = await tx.list(sql<Pick<ListedKey, 'id' | 'created_seconds'>>`
    update matches set match_quality = new.quality, confidence_level = new.confidence, provisional = new.provisional,
      policy_version = new.policy, tier_candidates = new.candidates, computed_at = ${computed_at}
    from unnest(${matches.map((match) => match.job_id)}::uuid[], ${matches.map((match) => match.id)}::uuid[],
      ${matches.map((match) => match.match_quality)}::match_quality[], ${matches.map((match) => match.confidence_level)}::text[],
      ${matches.map((match) => match.provisional)}::boolean[], ${matches.map((match) => match.policy_version ?? null)}::smallint[],
      ${matches.map((match) => match.tier_candidates ?? null)}::smallint[]
    ) as new (job_id, id, quality, confidence, provisional, policy, candidates)
    where matches.job_id = new.job_id and matches.id = new.id and ${openCondition}
    returning matches.id, ${createdSeconds}`);
  const times = new Map(rows.map(({ id, created_seconds }) => [id, created_seconds]));
  const labelled = matches.filter(({ id }) => times.has(id));
  await tx.run(sql`
    update member_matches set match_quality = new.quality, confidence_level = new.confidence, provisional = new.provisional,
      suitability = new.suitability, computed_at = ${computed_at}
    from unnest(${labelled.map((match) => match.member_id)}::uuid[], ${labelled.map(({ id }) => times.get(id)!)}::double precision[],
      ${labelled.map((match) => match.id)}::uuid[], ${labelled.map((match) => match.match_quality)}::match_quality[], ${labelled.map((match) => match.confidence_level)}::text[],
      ${labelled.map((match) => match.provisional)}::boolean[], ${labelled.map((match) => match.suitability)}::smallint[]
    ) as new (member_id, created_seconds, id, quality, confidence, provisional, suitability)
    where member_matches.member_id = new.member_id and member_matches.created_at = to_timestamp(new.created_seconds) and match_id = new.id`);
}

/** Makes a match stay, even if a later computation no longer finds it. */
export async function keepMatch(
  tx: Transaction,
  { id, job_id }: Pick<Match, 'id' | 'job_id'>,
): Promise<void> {
  await tx.run(sql`update matches set is_kept = true where job_id = ${job_id} and id = ${id}`);
}

/** Deletes those of the matches that are still pending, except those that {@link keepMatch} has made stay. */
export async function deletePendingMatches(tx: Transaction, matches: readonly MatchKey[]): Promise<void> {
  if (matches.length === 0) return;
  const deleted = await tx.list(sql<ListedKey>`
    delete from matches using unnest(${matches.map((match) => match.job_id)}::uuid[], ${matches.map((match) => match.id)}::uuid[]) as gone (job_id, id)
    where matches.job_id = gone.job_id and matches.id = gone.id and match_status = 'pending_review' and not is_kept
    returning matches.id, matches.job_id, member_id, ${createdSeconds}`);
  await deleteFromMembers(tx, deleted);
}

/** Deletes from the lists of their members matches that were deleted from `matches`. */
export async function deleteFromMembers(tx: Transaction, matches: readonly ListedKey[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    delete from member_matches
    using unnest(${matches.map((match) => match.member_id)}::uuid[], ${matches.map((match) => match.created_seconds)}::double precision[],
      ${matches.map((match) => match.id)}::uuid[]) as gone (member_id, created_seconds, id)
    where member_matches.member_id = gone.member_id and member_matches.created_at = to_timestamp(gone.created_seconds) and match_id = gone.id`);
}

/**
 * Lists the pending matches of each job beyond the `matches_max` best by tier, without those that fill the lists of their members. Within a tier, the
 * choice is random.
 */
export function listExcessMatches(
  tx: Transaction,
  job_ids: readonly string[],
  matches_max: number,
): Promise<MatchKey[]> {
  return tx.list(sql<MatchKey>`
    select id, job_id, member_id from (
      select id, job_id, member_id, row_number() over (partition by job_id order by match_quality, id) as place
      from matches where job_id = any(${job_ids}::uuid[]) and match_status = 'pending_review' and not fills_list) as pending
    where place > ${matches_max}`);
}

/** Marks matches that filled the lists of their members as chosen by a computation of their job. */
export async function markChosen(tx: Transaction, matches: readonly MatchKey[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    update matches set fills_list = false
    where job_id = any(${matches.map(({ job_id }) => job_id)}::uuid[]) and id = any(${matches.map(({ id }) => id)}::uuid[])`);
}

/** Lists the suspended organisations. */
export async function listSuspendedIds(db: Reader): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`select id from suspended_organisations`);
  return rows.map(({ id }) => id);
}

/** Deletes every match of an organisation, whose jobs the transaction has locked, and the stored numbers of its matches. */
export async function deleteOrganisationMatches(
  tx: Transaction,
  org_id: string,
  job_ids: readonly string[],
): Promise<void> {
  const deleted = await tx.list(sql<ListedKey>`
    delete from matches where job_id = any(${job_ids}::uuid[]) returning id, job_id, member_id, ${createdSeconds}`);
  await deleteFromMembers(tx, deleted);
  await tx.run(sql`
    delete from match_counts where job_id = any(${job_ids}::uuid[]) and owner_id = any(${[org_id, ...job_ids]}::uuid[])`);
}
