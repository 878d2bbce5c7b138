import { findBrokenConstraint, sql, type Executor, type Reader } from '#platform/database/database.ts';

/** The match index of a worker, as it described it last. */
export type IndexNode = {
  readonly id: string;
  /** The host and the process. */
  readonly name: string;
  readonly readiness: 'building' | 'behind' | 'ready';
  readonly members: number;
  readonly bytes: number;
  readonly lag_seconds: number | null;
  readonly reported_at: Date;
  /** The part that the worker holds; null for the whole, as are the next three. */
  readonly shard: number | null;
  readonly shards: number | null;
  /** The origin of its internal port; null until it listens. */
  readonly address: string | null;
  /** What {@link computeIndexVersion} says there. */
  readonly version: string | null;
};

/**
 * Stores how the index of a worker is now.
 *
 * @throws Error of PostgreSQL if another worker of the same version holds the same part ({@link isPartTaken}).
 */
export async function upsertNode(
  db: Executor,
  {
    id,
    name,
    readiness,
    members,
    bytes,
    lag_seconds,
    shard,
    shards,
    address,
    version,
  }: Omit<IndexNode, 'reported_at'>,
): Promise<void> {
  await db.run(sql`
    insert into match_index_nodes (id, name, readiness, member_count, bytes, lag_seconds, shard, shards, address, version)
    values (${id}, ${name}, ${readiness}, ${members}, ${bytes}, ${lag_seconds}, ${shard}, ${shards}, ${address}, ${version})
    on conflict (id) do update set readiness = excluded.readiness, member_count = excluded.member_count, bytes = excluded.bytes,
      lag_seconds = excluded.lag_seconds, address = excluded.address, reported_at = now()`);
}

/** Says whether {@link upsertNode} failed because another worker holds the same part. */
export function isPartTaken(error: unknown): boolean {
  return findBrokenConstraint(error) === 'match_index_nodes_by_shard';
}

export async function deleteNode(db: Executor, id: string): Promise<void> {
  await db.run(sql`delete from match_index_nodes where id = ${id}`);
}

const nodes_max = 200;

/** Lists the workers that reported within the last minute by the clock of the database. */
export function listRecentNodes(db: Reader): Promise<IndexNode[]> {
  return db.list(sql<IndexNode>`
    select id, name, readiness, member_count as members, bytes, lag_seconds, reported_at, shard, shards, address, version
    from match_index_nodes where reported_at > now() - interval '1 minute' order by name, id limit ${nodes_max}`);
}

/** A worker that holds a part, and whether it has reported within the last minute by the clock of the database. */
export type PartHolder = Pick<IndexNode, 'id' | 'name' | 'address'> & { readonly is_recent: boolean };

/** Finds the worker of a version that holds a part. */
export function findPartHolder(
  db: Reader,
  { version, shard, shards }: { readonly version: string; readonly shard: number; readonly shards: number },
): Promise<PartHolder | undefined> {
  return db.find(sql<PartHolder>`
    select id, name, address, reported_at > now() - interval '1 minute' as is_recent from match_index_nodes
    where version = ${version} and shard = ${shard} and shards = ${shards}`);
}

/** A part of the index, and the seconds since the worker that holds it reported. */
export type PartAge = { readonly shard: number; readonly shards: number; readonly age_seconds: number };

/** Lists how old the reports of the parts of a version are. */
export function listPartAges(db: Reader, version: string): Promise<PartAge[]> {
  return db.list(sql<PartAge>`
    select shard, shards, extract(epoch from now() - reported_at)::float8 as age_seconds from match_index_nodes
    where version = ${version} and shard is not null and shards is not null order by shards, shard limit ${nodes_max}`);
}

/** Deletes at most `limit` reports that are older than a day. @returns how many rows were deleted. */
export function deleteOldNodes(db: Executor, limit: number): Promise<number> {
  return db.run(sql`
    delete from match_index_nodes where id in (
      select id from match_index_nodes where reported_at < now() - interval '1 day' limit ${limit})`);
}
