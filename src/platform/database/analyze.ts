import { sql, type Executor } from '#platform/database/database.ts';

/** Lets the planner know how many rows tables have and which values. Call it once a bulk load has committed. */
export async function analyzeTables(db: Executor, names: readonly string[]): Promise<void> {
  for (const name of names) await db.run(sql`select analyze_table(${name})`);
}
