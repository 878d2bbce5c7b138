import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { ConfidenceLevel, MatchQuality } from '#modules/matching/engine';
import type { MatchStatus } from './rules.ts';
import type { EndedMatch, LabelledMatch, Match, MatchKey, MatchLabels } from './store.ts';

/** A match as it appears in its member's list. */
export type MemberMatch = Pick<Match, 'id' | 'match_quality' | 'match_status' | 'provisional'> & {
  readonly job_title: string;
  readonly org_name: string;
  readonly confidence_level: ConfidenceLevel;
  readonly created_at: Date;
};

export type MemberMatchFilter = {
  readonly member_id: string;
  readonly status: MatchStatus | undefined;
  /** Labels that replace the stored ones. */
  readonly labels: readonly NewLabels[];
};

/**
 * Leaves out what a suspended organisation has offered and the member has not accepted. The arrays are computed once for a statement, and are
 * nearly always empty.
 */
export const notPaused = sql`not (
  match_status in ('pending_review', 'org_interested') and job_id = any(array(
    select job_outlines.id from job_outlines where org_id = any(array(select suspended_organisations.id from suspended_organisations)))))`;

/** The labels of a match that are shown instead of the stored ones. */
export type NewLabels = Pick<Match, 'id'> & MatchLabels;

/** The position of a match in its member's list: its tier, creation time (ISO 8601) and id. A cursor can be read, so it has no suitability. */
export type MemberMatchPlace = readonly [match_quality: MatchQuality, created_at: string, id: string];

/** The suitability of a match that was deleted after its page was read: the next page repeats its tier and leaves nothing out. */
const highest_suitability = 32_767;

/**
 * Lists the matches of a member with job titles and organisation names: the best tier first, within a tier what suits the member best, and
 * among equals the newest.
 */
export function listMemberMatches(
  db: Reader,
  filter: MemberMatchFilter,
  after: MemberMatchPlace | undefined,
  limit: number,
): Promise<MemberMatch[]> {
  const own = selectOwnMatches(filter.member_id, filter.labels);
  const from = after
    ? sql`and match_quality >= ${after[0]}::match_quality and (
        match_quality > ${after[0]}::match_quality
        or (suitability, created_at, match_id) < (
          coalesce((select suitability from (${own}) as own where match_id = ${after[2]}), ${highest_suitability}),
          ${after[1]}::timestamptz, ${after[2]}::uuid))`
    : emptySql;
  // The limit keeps the planner from reading all titles for the few rows of a page.
  return db.list(sql<MemberMatch>`
    select match_id as id, match_quality, match_status, confidence_level, provisional, created_at, job_title, org_name
    from (
      select * from (${own}) as own where ${buildMemberMatchCondition(filter)} ${from}
      order by match_quality, suitability desc, created_at desc, match_id desc limit ${limit}
    ) as page cross join lateral (
      select title as job_title, name as org_name
      from job_outlines join organisation_names on organisation_names.id = org_id where job_outlines.id = page.job_id limit 1
    ) as offer
    order by match_quality, suitability desc, created_at desc, match_id desc`);
}

/** Lists the matches that a member got after a time, that nobody has ended, and that fit strongly or better: the best first. */
export function listFoundMatches(
  db: Reader,
  member_id: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<Pick<MemberMatch, 'match_quality' | 'job_title' | 'org_name'>[]> {
  return db.list(sql<Pick<MemberMatch, 'match_quality' | 'job_title' | 'org_name'>>`
    select match_quality, job_title, org_name
    from (
      select * from member_matches
      where member_id = ${member_id} and created_at > ${since} and match_status = 'pending_review' and match_quality <= 'strong' and ${notPaused}
      order by match_quality, suitability desc, match_id limit ${limit}
    ) as found cross join lateral (
      select title as job_title, name as org_name
      from job_outlines join organisation_names on organisation_names.id = org_id where job_outlines.id = found.job_id limit 1
    ) as offer
    order by match_quality, suitability desc, match_id`);
}

/** Selects the matches of a member, with other labels where there are some. */
export function selectOwnMatches(member_id: string, labels: readonly NewLabels[]): Statement {
  if (labels.length === 0) return sql`select * from member_matches where member_id = ${member_id}`;
  return sql`
    select own.match_id, own.member_id, own.job_id, own.match_status, own.version, own.computed_at, own.created_at,
      coalesce(new.quality, own.match_quality) as match_quality, coalesce(new.confidence, own.confidence_level) as confidence_level,
      coalesce(new.provisional, own.provisional) as provisional, coalesce(new.suitability, own.suitability) as suitability
    from member_matches as own left join unnest(
      ${labels.map(({ id }) => id)}::uuid[], ${labels.map(({ match_quality }) => match_quality)}::match_quality[],
      ${labels.map(({ confidence_level }) => confidence_level)}::text[], ${labels.map(({ provisional }) => provisional)}::boolean[],
      ${labels.map(({ suitability }) => suitability)}::smallint[]
    ) as new (id, quality, confidence, provisional, suitability) on new.id = own.match_id
    where own.member_id = ${member_id}`;
}

/** Lists the matches of the member that can still move. */
export function listOpenMemberMatches(
  db: Reader,
  member_id: string,
): Promise<Pick<Match, 'id' | 'job_id' | 'version'>[]> {
  return db.list(sql<Pick<Match, 'id' | 'job_id' | 'version'>>`
    select match_id as id, job_id, version from member_matches
    where member_id = ${member_id} and match_status in ('pending_review', 'org_interested', 'member_accepted')`);
}

export function countMemberMatches(db: Reader, filter: Omit<MemberMatchFilter, 'labels'>): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from member_matches where ${buildMemberMatchCondition(filter)}`,
  );
}

/** Lists deployed members with ids greater than `after`, in order of id, and says whether the list of each is empty. */
export async function listDeployedLists(
  db: Reader,
  after: string,
  limit: number,
): Promise<readonly { readonly member_id: string; readonly is_empty: boolean }[]> {
  const page = await db.list(sql<{ member_id: string }>`
    select member_id from deployed_profiles where member_id > ${after} order by member_id limit ${limit}`);
  const ids = page.map(({ member_id }) => member_id);
  const rows = await db.list(sql<{ member_id: string }>`
    select distinct member_id from member_matches where member_id = any(${ids}::uuid[]) and ${notPaused}`);
  const listed = new Set(rows.map(({ member_id }) => member_id));
  return ids.map((member_id) => ({ member_id, is_empty: !listed.has(member_id) }));
}

/** Finds the match of a member with an organisation that has come furthest, among those that both can see; of several, the oldest. */
export function findMatchWithOrganisation(
  db: Reader,
  member_id: string,
  org_id: string,
): Promise<Pick<Match, 'job_id' | 'version' | 'member_id' | 'match_status'> | undefined> {
  return db.find(sql<Pick<Match, 'job_id' | 'version' | 'member_id' | 'match_status'>>`
    select job_id, version, member_id, match_status
    from member_matches join job_outlines on job_outlines.id = job_id
    where member_id = ${member_id} and org_id = ${org_id} and ${notPaused}
      and match_status in ('pending_review', 'org_interested', 'member_accepted', 'placed')
    order by match_status in ('member_accepted', 'placed') desc, match_status = 'org_interested' desc, created_at, match_id limit 1`);
}

/** Lists the matches of members, in any status. */
export function listMatchesOfMembers(db: Reader, member_ids: readonly string[]): Promise<LabelledMatch[]> {
  return db.list(sql<LabelledMatch>`
    select match_id as id, job_id, member_id, match_status, match_quality, confidence_level, provisional, version, suitability
    from member_matches where member_id = any(${member_ids}::uuid[])`);
}

/** Lists those of the members who have a match that can still move, and that they see. */
export async function listMembersWithOpenMatches(
  db: Reader,
  member_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (member_ids.length === 0) return new Set();
  const rows = await db.list(sql<{ member_id: string }>`
    select distinct member_id from member_matches
    where member_id = any(${member_ids}::uuid[]) and match_status in ('pending_review', 'org_interested', 'member_accepted')
      and ${notPaused}`);
  return new Set(rows.map(({ member_id }) => member_id));
}

function buildMemberMatchCondition({ member_id, status }: Omit<MemberMatchFilter, 'labels'>): Statement {
  const ofStatus = status ? sql`and match_status = ${status}` : emptySql;
  return sql`member_id = ${member_id} ${ofStatus} and ${notPaused}`;
}

/**
 * Withdraws the open matches of a member and deletes the explanations and notes of withdrawn matches.
 *
 * @returns those in which an organisation was interested.
 */
export async function withdrawMatches(tx: Transaction, member_id: string): Promise<EndedMatch[]> {
  const keys = await listKeys(
    tx,
    member_id,
    sql`and match_status in ('pending_review', 'org_interested', 'member_accepted')`,
  );
  if (keys.length === 0) return [];
  const [job_ids, ids] = [keys.map(({ job_id }) => job_id), keys.map(({ id }) => id)];
  const withdrawn = await tx.list(sql<EndedMatch>`
    update matches set match_status = 'withdrawn', withdrawn_from = match_status
    from unnest(${job_ids}::uuid[], ${ids}::uuid[]) as open (job_id, id)
    where matches.job_id = open.job_id and matches.id = open.id
      and match_status in ('pending_review', 'org_interested', 'member_accepted')
    returning matches.id, matches.job_id, org_id, matches.member_id, version, withdrawn_from as ended_from`);
  await tx.run(sql`
    update member_matches set match_status = 'withdrawn'
    where member_id = ${member_id} and match_id = any(${withdrawn.map(({ id }) => id)}::uuid[])`);
  await tx.run(sql`
    delete from match_explanations using unnest(${job_ids}::uuid[], ${ids}::uuid[]) as open (job_id, id)
    where match_explanations.job_id = open.job_id and match_id = open.id`);
  await tx.run(sql`
    delete from match_contacts using unnest(${job_ids}::uuid[], ${ids}::uuid[]) as open (job_id, id)
    where match_contacts.job_id = open.job_id and match_id = open.id and match_id = any(${withdrawn.map(({ id }) => id)}::uuid[])`);
  await tx.run(sql`
    delete from private_notes using unnest(${job_ids}::uuid[], ${ids}::uuid[]) as open (job_id, id)
    where private_notes.job_id = open.job_id and match_id = open.id and match_id = any(${withdrawn.map(({ id }) => id)}::uuid[])`);
  await tx.run(sql`
    delete from match_references using unnest(${job_ids}::uuid[], ${ids}::uuid[]) as open (job_id, id)
    where match_references.job_id = open.job_id and match_id = open.id and match_id = any(${withdrawn.map(({ id }) => id)}::uuid[])`);
  return withdrawn.filter(({ ended_from }) => ended_from !== 'pending_review');
}

/**
 * Deletes the member's withdrawn matches on which no one had acted, so that a member who returns can be matched again. Those that `keepMatch` has made
 * stay are pending again, so that what belongs to them is not lost.
 */
export async function forgetUnseenWithdrawals(tx: Transaction, member_id: string): Promise<void> {
  const keys = await listKeys(tx, member_id, sql`and match_status = 'withdrawn'`);
  if (keys.length === 0) return;
  await deleteMatches(tx, member_id, keys, sql`and withdrawn_from = 'pending_review' and not is_kept`);
  const kept = await tx.list(sql<{ id: string }>`
    update matches set match_status = 'pending_review', withdrawn_from = null
    from unnest(${keys.map(({ job_id }) => job_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as ended (job_id, id)
    where matches.job_id = ended.job_id and matches.id = ended.id
      and match_status = 'withdrawn' and withdrawn_from = 'pending_review' and is_kept
    returning matches.id`);
  await tx.run(sql`
    update member_matches set match_status = 'pending_review'
    where member_id = ${member_id} and match_id = any(${kept.map(({ id }) => id)}::uuid[])`);
}

/** Deletes every match of the member. */
export async function deleteMemberMatches(tx: Transaction, member_id: string): Promise<void> {
  await deleteMatches(tx, member_id, await listMemberKeys(tx, member_id), emptySql);
}

/** Lists what finds the matches of the member, in any status. */
export function listMemberKeys(db: Reader, member_id: string): Promise<MatchKey[]> {
  return listKeys(db, member_id, emptySql);
}

function listKeys(db: Reader, member_id: string, condition: Statement): Promise<MatchKey[]> {
  return db.list(sql<MatchKey>`
    select match_id as id, job_id, member_id from member_matches where member_id = ${member_id} ${condition}`);
}

async function deleteMatches(
  tx: Transaction,
  member_id: string,
  keys: readonly MatchKey[],
  condition: Statement,
): Promise<void> {
  if (keys.length === 0) return;
  const deleted = await tx.list(sql<{ id: string }>`
    delete from matches using unnest(${keys.map(({ job_id }) => job_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as gone (job_id, id)
    where matches.job_id = gone.job_id and matches.id = gone.id ${condition} returning matches.id`);
  await tx.run(sql`
    delete from member_matches where member_id = ${member_id} and match_id = any(${deleted.map(({ id }) => id)}::uuid[])`);
}
