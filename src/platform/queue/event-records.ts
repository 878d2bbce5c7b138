import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';

/** Returns the stored events about a member. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const rows = await db.list(sql<Readonly<Record<string, unknown>>>`
    select id, type, created_at from events where data->>'member_id' = ${member_id} order by created_at, id`);
  return [{ name: 'events', rows }];
}

/** An event as it was stored when it happened. */
export type StoredEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
};

/**
 * Lists events, the oldest first, and keeps them from being deleted until the transaction ends: a transaction that stores something about the
 * member of an event locks it, so that an erasure waits, and then finds what was stored. Those that were deleted are missing.
 */
export function lockEvents(tx: Transaction, ids: readonly string[]): Promise<StoredEvent[]> {
  return tx.list(sql<StoredEvent>`
    select id, type, data, created_at from events where id = any(${ids}::uuid[]) order by created_at, id for key share`);
}

/** Deletes at most `limit` events from before a time. The tasks that they have started have their own data. @returns how many were deleted. */
export function deleteOldEvents(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from events where id in (
      select id from events where created_at < ${before} order by created_at, id limit ${limit})`);
}

/** Deletes the events about a member. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from events where data->>'member_id' = ${member_id}`);
}
