import { sql, type Executor, type Reader } from '#platform/database/database.ts';
import type { Sandbox } from './rules.ts';

/** Finds what the database says of its sandbox; undefined if it is that of a real service. */
export function findSandbox(db: Reader): Promise<Sandbox | undefined> {
  return db.find(sql<Sandbox>`select ahead_ms, seed, member_count, created_at from sandbox`);
}

/** Makes the database that of a sandbox. */
export async function insertSandbox(db: Executor, now: Date): Promise<void> {
  await db.run(sql`insert into sandbox (created_at) values (${now})`);
}

/** Stores by how much the test clock is ahead. It never goes back. */
export async function advanceAhead(db: Executor, ahead_ms: number): Promise<void> {
  await db.run(sql`update sandbox set ahead_ms = ${ahead_ms} where ahead_ms < ${ahead_ms}`);
}

/** Stores that all made-up people are there. */
export async function recordSeed(
  db: Executor,
  { seed, member_count }: { readonly seed: number; readonly member_count: number },
): Promise<void> {
  await db.run(sql`update sandbox set seed = ${seed}, member_count = ${member_count}`);
}
