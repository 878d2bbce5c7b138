import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Balances, Posting, StoredJournal } from './rules.ts';
import type { Slice } from './slices.ts';

/**
 * Adds a journal with its postings, unless its holder has one with the same key. Waits for another transaction that is
 * adding it. @returns whether it was added.
 */
export async function insertJournal(
  tx: Transaction,
  { id, body_hash, ...journal }: StoredJournal & { readonly body_hash: Buffer },
): Promise<boolean> {
  const { holder_id, postings } = journal;
  // Sent at once. The postings are selected with their journal, so that without it there are none.
  const [added] = await Promise.all([
    tx.run(sql`
      insert into ledger_journals
        (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at)
      values (${holder_id}, ${id}, ${journal.kind}, ${journal.idempotency_key}, ${body_hash}, ${journal.org_id}, ${journal.read_id},
        ${journal.payment_id}, ${journal.payout_id}, ${journal.reversed_id}, ${journal.rail}, ${journal.share_bps}, ${journal.reason},
        ${journal.posted_at})
      on conflict (holder_id, idempotency_key) do nothing`),
    tx.run(sql`
      insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
      select holder_id, id, account, amount, available_at from ledger_journals cross join unnest(
        ${postings.map(({ account }) => account)}::text[],
        ${postings.map(({ amount }) => String(amount))}::bigint[],
        ${postings.map(({ available_at }) => available_at?.toISOString() ?? null)}::timestamptz[]
      ) as line (account, amount, available_at) where holder_id = ${holder_id} and id = ${id}`),
  ]);
  return added > 0;
}

/** The id and the hash of the body of a holder's journal with a key. */
export function findJournalByKey(
  tx: Transaction,
  holder_id: string,
  idempotency_key: string,
): Promise<{ readonly id: string; readonly body_hash: Buffer } | undefined> {
  return tx.find(sql<{ id: string; body_hash: Buffer }>`
    select id, body_hash from ledger_journals where holder_id = ${holder_id} and idempotency_key = ${idempotency_key}`);
}

type JournalRow = Omit<StoredJournal, 'postings'>;
type PostingRow = Omit<Posting, 'amount'> & { readonly amount: number };

/** A holder's journal with its postings. */
export async function findJournal(
  db: Reader,
  holder_id: string,
  id: string,
): Promise<StoredJournal | undefined> {
  const [journal, postings] = await Promise.all([
    db.find(sql<JournalRow>`
      select holder_id, id, kind, idempotency_key, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at
      from ledger_journals where holder_id = ${holder_id} and id = ${id}`),
    db.list(sql<PostingRow>`
      select account, amount, available_at from ledger_postings where holder_id = ${holder_id} and journal_id = ${id} order by account`),
  ]);
  return (
    journal && {
      ...journal,
      postings: postings.map((posting) => ({ ...posting, amount: BigInt(posting.amount) })),
    }
  );
}

/** Whose journal it is; undefined if there is none with this id. */
export async function findHolder(db: Reader, id: string): Promise<string | undefined> {
  const row = await db.find(
    sql<{ holder_id: string }>`select holder_id from ledger_journals where id = ${id}`,
  );
  return row?.holder_id;
}

type SumRow = {
  readonly pending: number;
  readonly available: number;
  readonly in_payout: number;
  readonly paid_out: number;
};

/**
 * Adds up what a member has earned and what has been paid out: the checkpoint, and what came later. Reads without locks, so that it waits for no read.
 *
 * @param now Not before the checkpoint of the member, which is at least an hour old.
 */
export async function readBalances(db: Reader, member_id: string, now: Date): Promise<Balances> {
  const row = await db.one(sql<SumRow>`
    with kept as materialized (select until, income_micros, paid_micros from ledger_checkpoints where holder_id = ${member_id}),
    later as (
      select coalesce(sum(-amount) filter (where available_at > ${now}), 0) as pending,
        coalesce(sum(-amount) filter (where available_at <= ${now}), 0) as available
      from ledger_postings where holder_id = ${member_id} and account = 'member_income'
        and available_at > coalesce((select until from kept), '-infinity'))
    select pending::bigint as pending,
      (available + coalesce((select income_micros from kept), 0))::bigint as available,
      (select coalesce(sum(amount_micros), 0)::bigint from payouts
        where holder_id = ${member_id} and kind = 'income' and status in ('requested', 'sending')) as in_payout,
      (coalesce((select paid_micros from kept), 0) + (select coalesce(sum(amount_micros), 0) from payouts
        where holder_id = ${member_id} and status = 'paid' and ended_at > coalesce((select until from kept), '-infinity')))::bigint as paid_out
    from later`);
  const [pending, available] = [BigInt(row.pending), BigInt(row.available)];
  const [in_payout, paid_out] = [BigInt(row.in_payout), BigInt(row.paid_out)];
  return { pending, available, in_payout, paid_out, total: pending + available + in_payout + paid_out };
}

/** Chooses an id that belongs to nobody, for what the books keep of an erased member. */
export async function chooseSuccessor(tx: Transaction, member_id: string): Promise<string> {
  const { id } = await tx.one(sql<{ id: string }>`select choose_successor(${member_id}) as id`);
  return id;
}

/**
 * Moves everything of an erased member to an id that belongs to nobody, so that the books stay as they are and name no person. The database refuses unless
 * the account is marked for deletion.
 */
export async function severHolder(tx: Transaction, member_id: string, successor_id: string): Promise<void> {
  await tx.run(sql`select sever_ledger(${member_id}, ${successor_id})`);
}

/** Prevents that the books of a holder are moved to another id until the transaction ends. Takes the lock that each posting of income takes. */
export async function lockHolderShared(tx: Transaction, holder_id: string): Promise<void> {
  await tx.run(sql`select share_holder_of_books(${holder_id})`);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** All journals of a member with their postings, the oldest first. */
export function listMemberJournals(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select id, kind, org_id, read_id, payout_id, rail, share_bps, reason, posted_at, account, amount as amount_micros, available_at
    from ledger_journals join ledger_postings on ledger_postings.holder_id = ledger_journals.holder_id and journal_id = id
    where ledger_journals.holder_id = ${member_id} order by posted_at, id, account`);
}

/** Counts the postings, but not further than one above `limit`. */
export function countPostings(db: Reader, limit: number): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from (select holder_id from ledger_postings limit ${limit + 1}) as counted`);
}

type Wanted = { readonly until: Date; readonly least_postings: number; readonly limit: number };

/** Lists holders of a slice with at least so many postings of income until a time that no checkpoint has. */
export async function listHoldersToCheckpoint(
  db: Reader,
  { first, last }: Slice,
  { until, least_postings, limit }: Wanted,
): Promise<string[]> {
  const rows = await db.list(sql<{ holder_id: string }>`
    select ledger_postings.holder_id
    from ledger_postings left join ledger_checkpoints as kept on kept.holder_id = ledger_postings.holder_id
    where ledger_postings.holder_id between ${first} and ${last} and account = 'member_income'
      and available_at > coalesce(kept.until, '-infinity') and available_at <= ${until}
    group by ledger_postings.holder_id having count(*) >= ${least_postings} limit ${limit}`);
  return rows.map(({ holder_id }) => holder_id);
}

/** Adds everything of a holder that is available until a time to the holder's checkpoint. Waits for transactions that are posting for the holder. */
export async function keepCheckpoint(tx: Transaction, holder_id: string, until: Date): Promise<void> {
  await tx.run(sql`select checkpoint_ledger(${holder_id}, ${until})`);
}
