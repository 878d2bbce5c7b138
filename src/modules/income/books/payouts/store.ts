import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Payout } from './rules.ts';

const columns = sql`
  holder_id, id, kind, status, amount_micros, rail, destination, payment_id, transaction_hash, signed_transaction, earlier_hashes, signed_at,
  requested_at, ended_at`;

type PayoutRow = Omit<Payout, 'amount'> & { readonly amount_micros: number };

/** The id of a payout with the key of its holder. */
export type PayoutKey = Pick<Payout, 'holder_id' | 'id'>;

/**
 * Adds a payout. The database refuses a second payout of income in progress (`payouts_open`), after waiting for the transaction that adds or
 * ends the first.
 */
export async function insertPayout(tx: Transaction, payout: Payout): Promise<void> {
  const { holder_id, id, kind, status, amount, rail, destination, payment_id, requested_at } = payout;
  await tx.run(sql`
    insert into payouts (holder_id, id, kind, status, amount_micros, rail, destination, payment_id, requested_at)
    values (${holder_id}, ${id}, ${kind}, ${status}, ${String(amount)}, ${rail}, ${destination}, ${payment_id}, ${requested_at})`);
}

/** Stores the amount of a payout that was just added. */
export async function updateAmount(tx: Transaction, { holder_id, id, amount }: Payout): Promise<void> {
  await tx.run(sql`
    update payouts set amount_micros = ${String(amount)} where holder_id = ${holder_id} and id = ${id}`);
}

/** A payout, locked until the transaction ends. */
export async function lockPayout(tx: Transaction, { holder_id, id }: PayoutKey): Promise<Payout | undefined> {
  const row = await tx.find(
    sql<PayoutRow>`select ${columns} from payouts where holder_id = ${holder_id} and id = ${id} for update`,
  );
  return row && toPayout(row);
}

/** Stores the transaction of a payout before it is sent. One that it replaces is kept by its hash, because it may still be mined. */
export async function updateSending(
  tx: Transaction,
  { holder_id, id }: PayoutKey,
  transfer: { readonly transaction_hash: string; readonly signed_transaction: string },
  signed_at: Date,
): Promise<void> {
  await tx.run(sql`
    update payouts set status = 'sending', transaction_hash = ${transfer.transaction_hash},
      signed_transaction = ${transfer.signed_transaction}, signed_at = ${signed_at},
      earlier_hashes = case when transaction_hash is null then earlier_hashes else array_prepend(transaction_hash, earlier_hashes) end
    where holder_id = ${holder_id} and id = ${id}`);
}

/** Ends a payout. One of an erased member loses what says where the money went. */
export async function endPayout(
  tx: Transaction,
  { holder_id, id }: PayoutKey,
  {
    status,
    transaction_hash,
    ended_at,
  }: {
    readonly status: 'paid' | 'returned';
    /** Null if none was signed. */
    readonly transaction_hash: string | null;
    readonly ended_at: Date;
  },
): Promise<void> {
  await tx.run(sql`
    update payouts set status = ${status}, ended_at = ${ended_at}, signed_transaction = null, earlier_hashes = '{}',
      destination = case when is_severed then null else destination end,
      transaction_hash = case when is_severed then null else ${transaction_hash}::text end
    where holder_id = ${holder_id} and id = ${id}`);
}

/** A place in the list of a member's payouts. */
export type PayoutPlace = readonly [requested_at: string, id: string];

/** Lists the payouts of a member, the newest first. */
export async function listPayouts(
  db: Reader,
  holder_id: string,
  after: PayoutPlace | undefined,
  limit: number,
): Promise<Payout[]> {
  const from = after ? sql`and (requested_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  const rows = await db.list(sql<PayoutRow>`
    select ${columns} from payouts where holder_id = ${holder_id} ${from} order by requested_at desc, id desc limit ${limit}`);
  return rows.map(toPayout);
}

/** Finds a payout of a member's income. */
export async function findPayout(db: Reader, { holder_id, id }: PayoutKey): Promise<Payout | undefined> {
  const row = await db.find(
    sql<PayoutRow>`select ${columns} from payouts where holder_id = ${holder_id} and id = ${id}`,
  );
  return row && toPayout(row);
}

export async function countPayouts(db: Reader, holder_id: string): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from payouts where holder_id = ${holder_id}`,
  );
  return count;
}

/** Finds a payout by its id alone, for the operator. */
export async function findPayoutById(db: Reader, id: string): Promise<Payout | undefined> {
  const row = await db.find(sql<PayoutRow>`select ${columns} from payouts where id = ${id}`);
  return row && toPayout(row);
}

/** Lists payouts of all holders that have not ended, the oldest first; `after` is the last one of the page before. */
export async function listUnfinished(
  db: Reader,
  after: Pick<Payout, 'requested_at' | 'id'> | undefined,
  limit: number,
): Promise<Payout[]> {
  const from = after ? sql`and (requested_at, id) > (${after.requested_at}, ${after.id}::uuid)` : emptySql;
  const rows = await db.list(sql<PayoutRow>`
    select ${columns} from payouts where status in ('requested', 'sending') ${from} order by requested_at, id limit ${limit}`);
  return rows.map(toPayout);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** All payouts of a member, the oldest first. */
export function listMemberPayouts(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select id, kind, status, amount_micros, rail, destination, transaction_hash, requested_at, ended_at
    from payouts where holder_id = ${member_id} order by requested_at, id`);
}

function toPayout({ amount_micros, ...row }: PayoutRow): Payout {
  return { ...row, amount: BigInt(amount_micros) };
}

/**
 * Takes the next nonce of an address: the one after the last that was taken, or the one that the chain expects if that is higher. Others wait until the
 * transaction ends, and a nonce whose transaction fails is taken again.
 */
export async function takeNonce(
  tx: Transaction,
  { chain_id, address }: { readonly chain_id: number; readonly address: string },
  expected: number,
): Promise<number> {
  const { nonce } = await tx.one(sql<{ nonce: number }>`
    insert into payout_nonces as taken (chain_id, address, next_nonce) values (${chain_id}, ${address}, ${expected}::bigint + 1)
    on conflict (chain_id, address) do update set next_nonce = greatest(taken.next_nonce, ${expected}::bigint) + 1
    returning next_nonce - 1 as nonce`);
  return nonce;
}
