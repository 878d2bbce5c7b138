import { sql, type Database, type Reader, type Transaction } from '#platform/database/database.ts';
import type { TraitPriorities } from '#modules/measurement/traits';
import type { GivenRating, RecordedOutcome, Result } from './rules.ts';

/**
 * Runs work in a transaction that has only the privileges of the learner: PostgreSQL refuses it everything that the migrations do not grant.
 * The role ends with the transaction.
 */
export function runAsLearner<Value>(
  database: Database,
  work: (tx: Transaction) => Promise<Value>,
): Promise<Value> {
  return database.transaction(async (tx) => {
    await tx.run(sql`set local role tessera_learner`);
    return work(tx);
  });
}

/**
 * What the learner can do: the tables and views that it can read, in order of name, and whether it has the rights of another role. What its views read counts
 * with them.
 */
export type LearnerGrants = { readonly readable: readonly string[]; readonly inherits: boolean };

/** Finds the privileges of the learner; undefined if the role does not exist. */
export async function findLearnerGrants(db: Reader): Promise<LearnerGrants | undefined> {
  const role = await db.find(sql<{ inherits: boolean }>`
    select rolsuper or rolbypassrls or exists (select from pg_auth_members where member = pg_roles.oid) as inherits
    from pg_roles where rolname = 'tessera_learner'`);
  if (!role) return undefined;
  const rows = await db.list(sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p', 'v', 'm', 'f') and has_any_column_privilege('tessera_learner', pg_class.oid, 'select')
      and exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and has_column_privilege('tessera_learner', attrelid, attnum, 'select')
          and not exists (select from list_learner_columns() where relation = attrelid and attribute = attnum))
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname collate "C" limit 1000`);
  return { readable: rows.map(({ name }) => name), inherits: role.inherits };
}

/** What finds a match on the node of its job. */
export type MatchPlace = { readonly job_id: string; readonly match_id: string };

/** A match about which more is recorded than its observation was made from. */
export type UnobservedMatch = MatchPlace & { readonly records: number };

/** Lists matches whose observation is missing or old, in order of their ids. */
export function listUnobserved(
  tx: Transaction,
  after: MatchPlace,
  limit: number,
): Promise<UnobservedMatch[]> {
  return tx.list(sql<UnobservedMatch>`
    select recorded.job_id, recorded.match_id, recorded.records from (
      select job_id, match_id, count(*)::integer as records from (
        select job_id, match_id from recorded_outcomes union all select job_id, match_id from given_ratings
      ) as each_record group by job_id, match_id
    ) as recorded
      left join learning_observations as observed
        on observed.job_id = recorded.job_id and observed.match_id = recorded.match_id
    where (recorded.job_id, recorded.match_id) > (${after.job_id}::uuid, ${after.match_id}::uuid)
      and observed.records is distinct from recorded.records
    order by recorded.job_id, recorded.match_id limit ${limit}`);
}

/** A match with what was logged when it was computed. */
export type LoggedMatch = MatchPlace & {
  readonly member_id: string;
  readonly org_id: string;
  readonly version: number;
  /** Null for matches from before it was logged. */
  readonly propensity: number | null;
};

const loggedColumns = sql`job_id, match_id, member_id, org_id, version, propensity`;

export function findLoggedMatch(
  tx: Transaction,
  { job_id, match_id }: MatchPlace,
): Promise<LoggedMatch | undefined> {
  return tx.find(sql<LoggedMatch>`
    select ${loggedColumns} from logged_matches where job_id = ${job_id} and match_id = ${match_id}`);
}

/** Draws a few other matches of the same job, version and tier: always the same ones for a match. */
export function listAlternatives(
  tx: Transaction,
  { job_id, match_id }: MatchPlace,
  limit: number,
): Promise<{ readonly member_id: string }[]> {
  return tx.list(sql<{ member_id: string }>`
    select other.member_id
    from logged_matches as own join logged_matches as other
      on other.job_id = own.job_id and other.version = own.version and other.match_quality = own.match_quality
    where own.job_id = ${job_id} and own.match_id = ${match_id} and other.match_id <> own.match_id
    order by md5(own.match_id::text || other.match_id::text) limit ${limit}`);
}

/** Lists the outcomes of a match, the oldest first: at most 20. */
export function listRecordedOutcomes(
  tx: Transaction,
  { job_id, match_id }: MatchPlace,
): Promise<RecordedOutcome[]> {
  return tx.list(sql<RecordedOutcome>`
    select outcome, placed_at, ended_at, recorded_at from recorded_outcomes
    where job_id = ${job_id} and match_id = ${match_id} order by number`);
}

/** Lists the ratings of a match: at most six. */
export function listGivenRatings(tx: Transaction, { job_id, match_id }: MatchPlace): Promise<GivenRating[]> {
  return tx.list(sql<GivenRating>`
    select stage_days, respondent, overall_rating, created_at from given_ratings
    where job_id = ${job_id} and match_id = ${match_id} order by stage_days, respondent`);
}

export async function findPriorities(
  tx: Transaction,
  { job_id, version }: Pick<LoggedMatch, 'job_id' | 'version'>,
): Promise<TraitPriorities | undefined> {
  const row = await tx.find(sql<{ trait_priorities: TraitPriorities }>`
    select trait_priorities from job_priorities where job_id = ${job_id} and version = ${version}`);
  return row?.trait_priorities;
}

/** The traits of a member, in the order of the traits and in standard deviations. */
export type MemberTraits = {
  readonly member_id: string;
  readonly mean: readonly number[];
  readonly variance: readonly number[];
};

/** Lists the traits of those of the members that are matched, by the vectors that lists use now. */
export function listMemberTraits(tx: Transaction, member_ids: readonly string[]): Promise<MemberTraits[]> {
  return tx.list(sql<MemberTraits>`
    select deployed.id as member_id, to_json(latest.mean) as mean, to_json(latest.variance) as variance
    from deployed_members as deployed cross join lateral (
      select mean, variance from latent_vectors
      where member_id = deployed.id and (
        parameter_version = coalesce(
          (select parameter_version from listed_vector_versions order by position desc limit 1), parameter_version)
        or bank <> (select bank from listed_vector_versions order by position desc limit 1))
      order by version desc limit 1) as latest
    where deployed.id = any(${member_ids}::uuid[])`);
}

export type Candidate = { readonly features: readonly number[]; readonly propensity: number };

export type NewObservation = UnobservedMatch &
  Candidate &
  Result & {
    readonly observed_at: Date;
    readonly candidates: readonly (Candidate & { readonly member_id: string })[];
  };

/** Stores an observation. If there is one already, it gets the new value and weight, and keeps the features and candidates of the first time. */
export async function upsertObservation(tx: Transaction, observation: NewObservation): Promise<void> {
  const { job_id, match_id, records, features, value, weight, propensity, observed_at } = observation;
  const { added } = await tx.one(sql<{ added: boolean }>`
    insert into learning_observations as kept (job_id, match_id, records, features, value, weight, propensity, observed_at)
    values (${job_id}, ${match_id}, ${records}, ${features}::real[], ${value}, ${weight}, ${propensity}, ${observed_at})
    on conflict (job_id, match_id) do update set records = excluded.records, value = excluded.value, weight = excluded.weight,
      observed_at = excluded.observed_at
    returning xmax = 0 as added`);
  if (!added) return;
  await tx.run(sql`
    insert into learning_candidates (job_id, match_id, member_id, features, propensity)
    select ${job_id}, ${match_id}, member_id, features, propensity
    from jsonb_to_recordset(${JSON.stringify(observation.candidates)}::jsonb)
      as candidate (member_id uuid, features real[], propensity real)`);
}

/** An observation as learning uses it. */
export type Observation = Candidate &
  Result & {
    readonly org_id: string;
    readonly member_id: string;
    readonly occupation_group: string | null;
    /** When the latest record about the match was observed. */
    readonly observed_at: Date;
    /** Whether it evaluates candidates instead of training them: two jobs in five. */
    readonly evaluates: boolean;
    /** Null for those that train. */
    readonly candidates: readonly (Candidate & { readonly member_id: string })[] | null;
  };

/** Lists which of the members are matched now: not those who have withdrawn a consent, paused their profile or asked for deletion. */
export async function listMatchedMembers(
  tx: Transaction,
  member_ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    select id from deployed_members where id = any(${member_ids}::uuid[])`);
  return rows.map(({ id }) => id);
}

/**
 * Lists the latest observations with their candidates. Those of organisations that the operator has suspended are left out. All that is joined has the key of the
 * job, so that each node does it alone.
 */
export function listObservations(tx: Transaction, limit: number): Promise<Observation[]> {
  const evaluates = sql`get_byte(uuid_send(latest.job_id), 1) % 5 >= 3`;
  return tx.list(sql<Observation>`
    select match.org_id, match.member_id, priorities.occupation_group, to_json(latest.features) as features, latest.value, latest.weight,
      latest.propensity, latest.observed_at, ${evaluates} as evaluates, (
        select json_agg(json_build_object('member_id', candidate.member_id, 'features', candidate.features, 'propensity', candidate.propensity)
          order by candidate.member_id)
        from learning_candidates as candidate
        where candidate.job_id = latest.job_id and candidate.match_id = latest.match_id and ${evaluates}
      ) as candidates
    from learning_observations as latest
      join logged_matches as match on match.job_id = latest.job_id and match.match_id = latest.match_id
      join job_priorities as priorities on priorities.job_id = match.job_id and priorities.version = match.version
    where latest.weight > 0 and match.org_id not in (select id from suspended_organisations)
    order by latest.observed_at desc, latest.match_id limit ${limit}`);
}
