import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Reader } from './executor.ts';
import { sql } from './sql.ts';

/** A place in the order of transactions: what is not committed yet has this number or a higher one. */
export type ChangeMark = string;

/** What changed, and when by the clock of the database. */
export type Change = { readonly xid: ChangeMark; readonly id: string; readonly at: Date };

/** The place of a change in its log. */
export type ChangePlace = Pick<Change, 'xid' | 'id'>;

/**
 * Lists at most `limit` changes after a place from a log: a table of what changed in the order of the transactions that changed it, for processes
 * that hold a copy in memory. Its primary key is `xid` (by default `pg_current_xact_id()`) and an id, and so is the order: of the column,
 * because the text of a number sorts 1000 before 999. What commits late has a number that no reader has passed, whatever the clocks say.
 */
export type ListChanges = (db: Reader, after: ChangePlace, limit: number) => Promise<readonly Change[]>;

/** Where a reading ended. */
type Reading = {
  /** Where the next reading continues. */
  readonly mark: ChangeMark;
  readonly database_now: Date;
  /** Whether everything since the last reading was read. Otherwise all changes that are kept were, and older ones may have been missed. */
  readonly is_continued: boolean;
};

/** Before every transaction. */
const first_mark: ChangeMark = '0';
const page_rows = 10_000;

/**
 * Reads what changed since a mark, a page at a time and in order; the next reading may read a part of it again. Without a mark, everything that is
 * kept is read. The same holds if the database is behind the mark: it has returned as a replica that lacks the last transactions, and gives their
 * numbers to others.
 */
export async function readChanges(
  db: Reader,
  list: ListChanges,
  since: ChangeMark | undefined,
  apply: (page: readonly Change[]) => void,
): Promise<Reading> {
  // Taken before anything is read: what commits afterwards has this number or a higher one.
  const { mark, database_now } = await db.one(sql<{ mark: ChangeMark; database_now: Date }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as mark, clock_timestamp() as database_now`);
  const is_continued = since !== undefined && BigInt(mark) >= BigInt(since);
  let after: ChangePlace | undefined = { xid: is_continued ? since : first_mark, id: nil_uuid };
  while (after !== undefined) {
    const page: readonly Change[] = await list(db, after, page_rows);
    apply(page);
    after = page.length < page_rows ? undefined : page.at(-1);
  }
  return { mark, database_now, is_continued };
}
