import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Sandbox, Year } from './rules.ts';

type Columns = Omit<Sandbox, 'year'> & { readonly year_id: string | null } & {
  readonly [Name in Exclude<keyof Year, 'id'> as `year_${Name}`]: Year[Name] | null;
};

const columns = sql`
  ahead_ms, seed, member_count, created_at, year_id, year_seed, year_org_id, year_began_at, year_acts_done, year_acts_total, year_status`;

/** Finds what the database says of its sandbox; undefined if it is that of a real service. */
export async function findSandbox(db: Reader): Promise<Sandbox | undefined> {
  const found = await db.find(sql<Columns>`select ${columns} from sandbox`);
  return found && toSandbox(found);
}

/** Finds the sandbox, and lets no other transaction change it until this one ends. */
export async function lockSandbox(tx: Transaction): Promise<Sandbox | undefined> {
  const found = await tx.find(sql<Columns>`select ${columns} from sandbox for update`);
  return found && toSandbox(found);
}

function toSandbox({ ahead_ms, seed, member_count, created_at, ...year }: Columns): Sandbox {
  return { ahead_ms, seed, member_count, created_at, year: toYear(year) };
}

/** The database has all of a year or nothing of it. */
function toYear(stored: Omit<Columns, keyof Sandbox>): Year | null {
  if (stored.year_id === null) return null;
  return {
    id: stored.year_id,
    seed: stored.year_seed!,
    org_id: stored.year_org_id!,
    began_at: stored.year_began_at,
    acts_done: stored.year_acts_done!,
    acts_total: stored.year_acts_total!,
    status: stored.year_status!,
  };
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

/** Stores a year that begins soon, in the place of an earlier one. */
export async function startStoredYear(
  tx: Transaction,
  { id, seed, org_id, acts_total }: Pick<Year, 'id' | 'seed' | 'org_id' | 'acts_total'>,
): Promise<void> {
  await tx.run(sql`
    update sandbox set year_id = ${id}, year_seed = ${seed}, year_org_id = ${org_id}, year_began_at = null, year_acts_done = 0,
      year_acts_total = ${acts_total}, year_status = 'running'`);
}

/** Stores when a running year begins, unless it has begun. */
export async function beginYear(db: Executor, id: string, began_at: Date): Promise<void> {
  await db.run(sql`
    update sandbox set year_began_at = ${began_at} where year_id = ${id} and year_status = 'running' and year_began_at is null`);
}

/** Stores how many acts of a running year are done. @returns whether it is running. */
export async function recordActs(db: Executor, id: string, acts_done: number): Promise<boolean> {
  const recorded = await db.run(sql`
    update sandbox set year_acts_done = ${acts_done} where year_id = ${id} and year_status = 'running'`);
  return recorded > 0;
}

/** Ends a running year. @returns whether it was running. */
export async function endYear(
  db: Executor,
  id: string,
  status: Exclude<Year['status'], 'running'>,
): Promise<boolean> {
  const ended = await db.run(sql`
    update sandbox set year_status = ${status} where year_id = ${id} and year_status = 'running'`);
  return ended > 0;
}
