import { sql, type Executor, type Reader } from '#platform/database/database.ts';

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
};

/** Stores how the index of a worker is now. */
export async function upsertNode(
  db: Executor,
  { id, name, readiness, members, bytes, lag_seconds }: Omit<IndexNode, 'reported_at'>,
): Promise<void> {
  await db.run(sql`
    insert into match_index_nodes (id, name, readiness, member_count, bytes, lag_seconds)
    values (${id}, ${name}, ${readiness}, ${members}, ${bytes}, ${lag_seconds})
    on conflict (id) do update set readiness = excluded.readiness, member_count = excluded.member_count, bytes = excluded.bytes,
      lag_seconds = excluded.lag_seconds, reported_at = now()`);
}

export async function deleteNode(db: Executor, id: string): Promise<void> {
  await db.run(sql`delete from match_index_nodes where id = ${id}`);
}

const nodes_max = 200;

/** Lists the workers that reported within the last minute by the clock of the database. */
export function listRecentNodes(db: Reader): Promise<IndexNode[]> {
  return db.list(sql<IndexNode>`
    select id, name, readiness, member_count as members, bytes, lag_seconds, reported_at from match_index_nodes
    where reported_at > now() - interval '1 minute' order by name, id limit ${nodes_max}`);
}

/** Deletes at most `limit` reports that are older than a day. @returns how many rows were deleted. */
export function deleteOldNodes(db: Executor, limit: number): Promise<number> {
  return db.run(sql`
    delete from match_index_nodes where id in (
      select id from match_index_nodes where reported_at < now() - interval '1 day' limit ${limit})`);
}
