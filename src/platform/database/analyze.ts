import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** Lets the planner know how many rows tables have and which values. Call it once a bulk load has committed. */
export async function analyzeTables(db: Executor, names: readonly string[]): Promise<void> {
  for (const name of names) await db.run(sql`select analyze_table(${name})`);
}

/** Estimates the number of rows of a table, as the planner does: without a look at them, and 0 before it was analysed for the first time. */
export function estimateRows(db: Reader, table: string): Promise<number> {
  return db.count(sql<{ count: number }>`
    select greatest(reltuples, 0)::bigint as count from pg_class where oid = to_regclass(${table})`);
}
