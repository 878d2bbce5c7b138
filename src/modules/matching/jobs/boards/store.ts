import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Posting } from '../postings/job-posting.ts';
import { boardResource, type Board } from './resource.ts';
import type { ChangeKind } from './rules.ts';

const { columns } = boardResource;

/** A board of an organisation. */
export type BoardKey = { readonly id: string; readonly org_id: string };

export function insertBoard(tx: Transaction, board: Board): Promise<Board> {
  return tx.one(sql<Board>`insert into boards ${boardResource.insert(board)} returning ${columns}`);
}

export function findBoard(db: Reader, { id, org_id }: BoardKey): Promise<Board | undefined> {
  return db.find(sql<Board>`select ${columns} from boards where id = ${id} and org_id = ${org_id}`);
}

export function lockBoard(tx: Transaction, { id, org_id }: BoardKey): Promise<Board | undefined> {
  return tx.find(
    sql<Board>`select ${columns} from boards where id = ${id} and org_id = ${org_id} for no key update`,
  );
}

export function updateBoard(tx: Transaction, board: Board): Promise<Board> {
  return tx.one(
    sql<Board>`update boards set ${boardResource.update(board)} where id = ${board.id} returning ${columns}`,
  );
}

export async function deleteBoard(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from boards where id = ${id}`);
}

/** The place of a row in a list: a time (ISO 8601) and the id. */
export type Place = readonly [time: string, id: string];

/** Lists the boards that an organisation follows, newest first. */
export function listBoards(
  db: Reader,
  org_id: string,
  after: Place | undefined,
  limit: number,
): Promise<Board[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Board>`
    select ${columns} from boards where org_id = ${org_id} ${from} order by created_at desc, id desc limit ${limit}`);
}

export function countBoards(db: Reader, org_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from boards where org_id = ${org_id}`);
}

/** Whether the organisation follows an address already. */
export async function isFollowedAddress(db: Reader, org_id: string, url: string): Promise<boolean> {
  const found = await db.find(sql`select from boards where org_id = ${org_id} and url = ${url}`);
  return found !== undefined;
}

/** Lists boards that are due, of organisations that are not suspended, the longest waiting first. */
export function listDueBoards(db: Reader, now: Date, limit: number): Promise<BoardKey[]> {
  return db.list(sql<BoardKey>`
    select id, org_id from boards where is_active and next_read_at <= ${now}
      and org_id not in (select id from suspended_organisations) order by next_read_at limit ${limit}`);
}

/** What is stored about a posting, without what it says. */
export type KnownPosting = {
  readonly reference: string;
  readonly posting_hash: string;
  readonly change: ChangeKind | null;
  readonly found_at: Date;
  readonly gone_at: Date | null;
  readonly is_dismissed: boolean;
};

/** Lists what is stored of a board, at most twice what one reading stores. */
export function listKnownPostings(db: Reader, board_id: string): Promise<KnownPosting[]> {
  return db.list(sql<KnownPosting>`
    select reference, posting_hash, change, found_at, gone_at, is_dismissed from board_postings where board_id = ${board_id}`);
}

/** A posting with what it says. */
export type StoredPosting = KnownPosting & { readonly id: string; readonly posting: Posting };

/** Stores postings of a board. One that is known keeps its id. */
export async function upsertPostings(
  tx: Transaction,
  board: BoardKey,
  rows: readonly StoredPosting[],
): Promise<void> {
  const read = <Name extends keyof StoredPosting>(name: Name) => rows.map((row) => row[name]);
  const postings = rows.map(({ posting }) => JSON.stringify(posting));
  await tx.run(sql`
    insert into board_postings (id, board_id, org_id, reference, posting, posting_hash, change, found_at, gone_at, is_dismissed)
    select id, ${board.id}::uuid, ${board.org_id}::uuid, reference, posting, posting_hash, change, found_at, null, is_dismissed
    from unnest(${read('id')}::uuid[], ${read('reference')}::text[], ${postings}::jsonb[], ${read('posting_hash')}::text[],
      ${read('change')}::text[], ${read('found_at')}::timestamptz[], ${read('is_dismissed')}::boolean[])
      as read (id, reference, posting, posting_hash, change, found_at, is_dismissed)
    on conflict (board_id, reference) do update set posting = excluded.posting, posting_hash = excluded.posting_hash,
      change = excluded.change, found_at = excluded.found_at, gone_at = null, is_dismissed = excluded.is_dismissed`);
}

/** Records that postings are no longer on their board. */
export async function updateGone(
  tx: Transaction,
  board_id: string,
  references: readonly string[],
  gone_at: Date,
): Promise<void> {
  await tx.run(sql`
    update board_postings set change = 'gone',
      found_at = case when gone_at is null then ${gone_at} else found_at end,
      is_dismissed = is_dismissed and gone_at is not null, gone_at = coalesce(gone_at, ${gone_at})
    where board_id = ${board_id} and reference = any(${references}::text[])`);
}

export async function deletePostings(
  tx: Transaction,
  board_id: string,
  references: readonly string[],
): Promise<void> {
  await tx.run(
    sql`delete from board_postings where board_id = ${board_id} and reference = any(${references}::text[])`,
  );
}

/** Settles the changes about a job that a person has created, changed or closed, until the board is read again. */
export function settleChanges(tx: Transaction, org_id: string, reference: string | null): void {
  if (reference === null) return;
  void tx.runAhead(sql`
    update board_postings set change = null
    where org_id = ${org_id} and reference = ${reference} and change is not null`);
}

/** A change of a board. */
export type Change = {
  readonly id: string;
  readonly board_id: string;
  readonly change: ChangeKind;
  readonly found_at: Date;
  readonly posting: Posting;
};

/** Lists the changes of all boards of an organisation, newest first. */
export function listChanges(
  db: Reader,
  org_id: string,
  after: Place | undefined,
  limit: number,
): Promise<Change[]> {
  const from = after ? sql`and (found_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Change>`
    select id, board_id, change, found_at, posting from board_postings
    where org_id = ${org_id} and change is not null and not is_dismissed ${from}
    order by found_at desc, id desc limit ${limit}`);
}

export function countChanges(db: Reader, org_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from board_postings where org_id = ${org_id} and change is not null and not is_dismissed`);
}

/** Puts a change aside until its posting changes. @returns its board; undefined if there is no such change. */
export async function recordDismissal(
  tx: Transaction,
  { id, org_id }: BoardKey,
): Promise<{ readonly board_id: string } | undefined> {
  return tx.find(sql<{ board_id: string }>`
    update board_postings set is_dismissed = true
    where id = ${id} and org_id = ${org_id} and change is not null and not is_dismissed returning board_id`);
}
