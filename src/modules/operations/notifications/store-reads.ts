import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';

/** Until when reads were reported to a member, and when the next report is due. */
export type ReadNotice = {
  readonly user_id: string;
  readonly member_id: string;
  readonly reported_until: Date;
  readonly latest_at: Date;
  readonly due_at: Date | null;
};

/** Finds the reports of a user; undefined if nothing of theirs was read. */
export function findReadNotice(db: Reader, user_id: string): Promise<ReadNotice | undefined> {
  return db.find(sql<ReadNotice>`
    select user_id, member_id, reported_until, latest_at, due_at from read_notices where user_id = ${user_id}`);
}

/** Stores that a read must be reported, unless a report is due earlier. Repeating it changes nothing. */
export async function upsertReadNotice(tx: Transaction, notice: ReadNotice): Promise<void> {
  const { user_id, member_id, reported_until, latest_at, due_at } = notice;
  await tx.run(sql`
    insert into read_notices as kept (user_id, member_id, reported_until, latest_at, due_at)
    values (${user_id}, ${member_id}, ${reported_until}, ${latest_at}, ${due_at})
    on conflict (user_id) do update set
      latest_at = greatest(kept.latest_at, excluded.latest_at), due_at = least(kept.due_at, excluded.due_at)`);
}

/**
 * Stores that all reads until a time were reported.
 *
 * @param due_at When to report the reads after it; ignored if there are none.
 */
export async function finishReadNotice(
  db: Executor,
  { user_id, reported_until, due_at }: Pick<ReadNotice, 'user_id' | 'reported_until' | 'due_at'>,
): Promise<void> {
  await db.run(sql`
    update read_notices set reported_until = greatest(reported_until, ${reported_until}),
      due_at = case when latest_at > ${reported_until} then ${due_at}::timestamptz end
    where user_id = ${user_id}`);
}

type Rows = Readonly<Record<string, unknown>>[];

export function listReadNotices(db: Reader, user_ids: readonly string[]): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select reported_until, latest_at, due_at from read_notices where user_id = any(${user_ids}::uuid[])`);
}

/** Deletes the reports of users. */
export async function deleteReadNotices(tx: Transaction, user_ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from read_notices where user_id = any(${user_ids}::uuid[])`);
}
