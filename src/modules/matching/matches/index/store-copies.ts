import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** Records that a copy of an index is saved that contains nothing but what was committed before. */
export async function insertCopy(db: Executor, id: string): Promise<void> {
  await db.run(sql`insert into match_index_copies (id) values (${id})`);
}

/** Finds a copy, and says whether it was saved within the last twelve hours by the clock of the database; undefined if it is unknown. */
export function findCopy(db: Reader, id: string): Promise<{ readonly is_recent: boolean } | undefined> {
  return db.find(sql<{ is_recent: boolean }>`
    select saved_at > now() - interval '12 hours' as is_recent from match_index_copies where id = ${id}`);
}

/** Deletes at most `limit` copies that are older than a day, which no process uses any more. @returns how many rows were deleted. */
export function deleteOldCopies(db: Executor, limit: number): Promise<number> {
  return db.run(sql`
    delete from match_index_copies where id in (
      select id from match_index_copies where saved_at < now() - interval '1 day' limit ${limit})`);
}
