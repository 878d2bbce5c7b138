import { sql, type Executor, type Reader } from '#platform/database/database.ts';
import type { Observation } from './rules.ts';

/** Stores how many faults a check of the books found. */
export async function upsertBookFaults(db: Executor, fault_count: number, observed_at: Date): Promise<void> {
  await db.run(sql`
    insert into money_watch (topic, observed_at, fault_count) values ('books', ${observed_at}, ${fault_count})
    on conflict (topic) do update set observed_at = excluded.observed_at, fault_count = excluded.fault_count`);
}

/** Stores the time of the newest block of the node; null if it did not answer. */
export async function upsertChainHead(
  db: Executor,
  newest_block_at: Date | null,
  observed_at: Date,
): Promise<void> {
  await db.run(sql`
    insert into money_watch (topic, observed_at, newest_block_at) values ('chain', ${observed_at}, ${newest_block_at})
    on conflict (topic) do update set observed_at = excluded.observed_at, newest_block_at = excluded.newest_block_at`);
}

/** Lists what was last observed: at most one row about the books and one about the chain. */
export function listObservations(db: Reader): Promise<Observation[]> {
  return db.list(
    sql<Observation>`select topic, observed_at, fault_count, newest_block_at from money_watch order by topic`,
  );
}
