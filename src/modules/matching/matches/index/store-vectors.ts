import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { shard_multiplier, type IndexShard } from '#lib/concurrency/index-shard.ts';
import type { MemberTerms } from '#modules/matching/engine';

/** A deployed member as matching needs it: the latest posterior of the twenty traits, in slot order and standard deviations, and the terms. */
export type MemberVector = {
  readonly member_id: string;
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  /** Whether the parameters behind the posterior are not yet calibrated. */
  readonly provisional: boolean;
  readonly terms: MemberTerms;
};

/** The version of the parameters whose vectors all lists use, and since when; both undefined as long as there is only one version. */
export type ListedVersion = { readonly version: string | undefined; readonly since: Date | undefined };

/** Finds the version of the parameters whose vectors all lists use. */
export async function findListedVersion(db: Reader): Promise<ListedVersion> {
  const last = await db.find(sql<{ parameter_version: string; switched_at: Date }>`
    select parameter_version, switched_at from listed_vector_versions order by position desc limit 1`);
  return { version: last?.parameter_version, since: last?.switched_at };
}

/** A row of the query; the columns of preferences are null if the member has set none. */
type Row = Omit<MemberTerms, 'clearance_held'> & {
  readonly member_id: string;
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly provisional: boolean;
  readonly clearance_held: MemberTerms['clearance_held'] | null;
};

/** Arrays are read as JSON, which the driver parses natively: 215 ms for 20,000 members, compared with 470 ms for PostgreSQL arrays. */
const columns = sql`
  deployed.member_id, to_json(latest.mean) as mean, to_json(latest.variance) as variance, latest.provisional, location_country, location_state,
  years_experience, education_level, clearance_held, to_json(remote_policies) as remote_policies, salary_min,
  salary_currency, "values"`;

/**
 * Selects the vectors of a version and those of other banks, whose answers it cannot score; all vectors if there is only one version. The last of a member
 * counts.
 */
const selectListed = (version: string | undefined) => sql`
  (parameter_version = coalesce(${version ?? null}, parameter_version)
    or bank <> (select bank from listed_vector_versions where parameter_version = ${version ?? null} limit 1))`;

/** Selects the members by their latest listed vector. */
const selectDeployed = (version: string | undefined) => sql`
  from deployed_profiles as deployed
    left join matching_preferences as preferences on preferences.member_id = deployed.member_id
    cross join lateral (
      select mean, variance, provisional from latent_vectors
      where member_id = deployed.member_id and ${selectListed(version)}
      order by version desc limit 1) as latest`;

/**
 * Lists deployed members who have a listed vector, with ids greater than `after`, in order of id.
 *
 * @param part Only members of this part, as `isInShard` says. The database does not read the vectors of the others.
 */
export async function listVectors(
  db: Reader,
  version: string | undefined,
  after: string,
  limit: number,
  part?: IndexShard,
): Promise<MemberVector[]> {
  const rows = await db.list(sql<Row>`
    select ${columns} ${selectDeployed(version)} where deployed.member_id > ${after} ${part ? selectPart(part) : emptySql}
    order by deployed.member_id limit ${limit}`);
  return rows.map(toMemberVector);
}

/** Selects the members of a part: the same computation as in `isInShard`. */
const selectPart = ({ shard, shards }: IndexShard) => sql`
  and ('x' || right(deployed.member_id::text, 8))::bit(32)::bigint * ${shard_multiplier}::bigint % 4294967296 * ${shards}::bigint / 4294967296
    = ${shard}::bigint - 1`;

export async function listMemberVectors(
  db: Reader,
  version: string | undefined,
  member_ids: readonly string[],
): Promise<MemberVector[]> {
  if (member_ids.length === 0) return [];
  const rows = await db.list(
    sql<Row>`select ${columns} ${selectDeployed(version)} where deployed.member_id = any(${member_ids}::uuid[])`,
  );
  return rows.map(toMemberVector);
}

/** Locks those of the members that are deployed, in share mode, and lists them as {@link listMemberVectors} does. */
export async function lockVectors(
  tx: Transaction,
  version: string | undefined,
  member_ids: readonly string[],
): Promise<MemberVector[]> {
  // A distributed database locks rows of one shard only, so a function locks one member after the other.
  const locked = await tx.list(sql<{ member_id: string }>`
    select member_id from lock_deployed_members(${member_ids}::uuid[]) as member_id`);
  return listMemberVectors(
    tx,
    version,
    locked.map(({ member_id }) => member_id),
  );
}

/** Serialises the computations of each member's matches until the transaction ends. Computations of jobs do not wait. */
export async function lockComputations(tx: Transaction, member_ids: readonly string[]): Promise<void> {
  // All computations use the same order, so that they cannot deadlock.
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('matching.member:' || id, 0))
    from (select id from unnest(${member_ids}::uuid[]) as id order by id) as ordered`);
}

function toMemberVector({
  member_id,
  mean,
  variance,
  provisional,
  clearance_held,
  ...terms
}: Row): MemberVector {
  const clearance = { clearance_held: clearance_held ?? 'none' } as const;
  return {
    member_id,
    // As 32-bit numbers, which the database stores and the index has. As text they have only as many digits as tell them apart.
    mean: mean.map(Math.fround),
    variance: variance.map(Math.fround),
    provisional,
    terms: { ...terms, ...clearance },
  };
}
