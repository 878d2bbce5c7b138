import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** A place in the order of transactions: what is not committed yet has this number or a higher one. */
export type EndingsMark = string;

/** The end of a session, in the order of the transactions that ended them. */
export type SessionEnding = {
  readonly xid: EndingsMark;
  readonly session_id: string;
  /** By the clock of the database. */
  readonly ended_at: Date;
};

/** The number of the oldest transaction in progress, and the time of the database. */
export function findEndingsMark(
  db: Reader,
): Promise<{ readonly mark: EndingsMark; readonly database_now: Date }> {
  return db.one(sql<{ mark: EndingsMark; database_now: Date }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as mark, clock_timestamp() as database_now`);
}

/** At most `limit` ends after this one, in order: of the column, whose text would sort 1000 before 999. */
export function listSessionEndings(
  db: Reader,
  after: Pick<SessionEnding, 'xid' | 'session_id'>,
  limit: number,
): Promise<SessionEnding[]> {
  return db.list(sql<SessionEnding>`
    select xid::text as xid, session_id, ended_at from session_endings
    where (xid, session_id) > (${after.xid}::xid8, ${after.session_id}::uuid) order by session_endings.xid, session_id limit ${limit}`);
}

/** Deletes at most `limit` ends that are older than this, by the clock of the database. @returns how many were deleted. */
export function deleteOldEndings(db: Executor, older_than_s: number, limit: number): Promise<number> {
  return db.run(sql`
    delete from session_endings where (xid, session_id) in (
      select xid, session_id from session_endings
      where ended_at < now() - make_interval(secs => ${older_than_s}::float8) limit ${limit})`);
}
