import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { NewPayment, PaidRead, Payment, PaymentState } from './rules.ts';

const columns = sql`
  id, state, rail, protocol_version, org_id, user_id, member_id, known_as, data_type, shown_member_id, proposal_id, grant_id, price_micros, amount_micros,
  price_aud_micros, network, asset, payer, pay_to, nonce, valid_before, transaction, log_index, reason, attempt_until, created_at, attempted_at, settled_at`;

/** Adds a payment; one that is recorded at once, with its result. */
export async function insertPayment(
  tx: Transaction,
  payment: NewPayment & { readonly result?: string },
): Promise<void> {
  const p = payment;
  await tx.run(sql`
    insert into payments (id, state, rail, protocol_version, org_id, user_id, member_id, known_as, data_type,
      shown_member_id, proposal_id, grant_id, price_micros, amount_micros, price_aud_micros, network, asset, payer, pay_to, nonce, valid_before, transaction, log_index, attempt_until, created_at, attempted_at, settled_at, result)
    values (${p.id}, ${p.state}, ${p.rail}, ${p.protocol_version}, ${p.org_id}, ${p.user_id}, ${p.member_id}, ${p.known_as}, ${p.data_type},
      ${p.shown_member_id}, ${p.proposal_id}, ${p.grant_id}, ${p.price_micros}, ${p.amount_micros}, ${p.price_aud_micros}, ${p.network}, ${p.asset}, ${p.payer}, ${p.pay_to}, ${p.nonce}, ${p.valid_before},
      ${p.transaction}, ${p.log_index}, ${p.attempt_until}, ${p.created_at}, ${p.created_at}, ${p.settled_at}, ${p.result ?? null}::jsonb)`);
}

/** Inserts the keys by which a payment is known. @returns false if one of them is taken. */
export async function insertKeys(
  tx: Transaction,
  keys: readonly string[],
  payment_id: string,
  created_at: Date,
): Promise<boolean> {
  // In one order, so that payments that share keys do not wait for each other in a circle.
  const inserted = await Promise.all(
    keys.toSorted().map((key) =>
      tx.run(sql`
        insert into payment_keys (key, payment_id, created_at) values (${key}, ${payment_id}, ${created_at})
        on conflict do nothing`),
    ),
  );
  return inserted.every((count) => count > 0);
}

/** Finds the payments that have these keys. */
export async function listPaymentsWithKeys(db: Reader, keys: readonly string[]): Promise<string[]> {
  const rows = await db.list(
    sql<{
      payment_id: string;
    }>`select distinct payment_id from payment_keys where key = any(${keys}) limit 10`,
  );
  return rows.map(({ payment_id }) => payment_id);
}

export function findPayment(db: Reader, id: string): Promise<Payment | undefined> {
  return db.find(sql<Payment>`select ${columns} from payments where id = ${id}`);
}

/** Where the money of a payment came from. All of it is null on the rails mock and balance. */
export type Settlement = Pick<Payment, 'network' | 'payer' | 'transaction'>;

/** Finds where the money of a payment came from. */
export function findSettlement(db: Reader, id: string): Promise<Settlement | undefined> {
  return db.find(sql<Settlement>`select network, payer, transaction from payments where id = ${id}`);
}

/** Reads the stored result of a recorded payment; null after the erasure of its member. */
export async function findResult(db: Reader, id: string): Promise<unknown> {
  const row = await db.find(sql<{ result: unknown }>`select result from payments where id = ${id}`);
  return row?.result ?? null;
}

/** What identifies a payment among those of its read: a key of the rails mock and balance, a transaction, or a signed nonce. */
export type PaymentIdentity = {
  readonly key: string | null;
  readonly transaction: string | null;
  readonly payer: string | null;
  readonly nonce: string | null;
};

/** Finds the recorded payment for a read. */
export function findPaymentOfRead(
  db: Reader,
  {
    org_id,
    member_id,
    known_as,
    data_type,
  }: Pick<PaidRead, 'org_id' | 'member_id' | 'known_as' | 'data_type'>,
  { key, transaction, payer, nonce }: PaymentIdentity,
): Promise<Payment | undefined> {
  return db.find(sql<Payment>`
    select ${columns} from payments
    where member_id = ${member_id} and org_id = ${org_id} and data_type = ${data_type} and state = 'recorded'
      and (known_as is null or known_as = ${known_as ?? member_id} or member_id = ${known_as ?? member_id})
      and (id = (select payment_id from payment_keys where key = ${key}) or transaction = ${transaction}
        or lower(payer) = ${payer} and lower(nonce) = ${nonce})
    limit 1`);
}

/** Gives one process the right to settle, until a time. @returns undefined if another has it, or the payment is in another state. */
export function startAttempt(
  tx: Transaction,
  id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<Payment | undefined> {
  return tx.find(sql<Payment>`
    update payments set state = 'settling', attempt_until = ${until}, attempted_at = ${now}
    where id = ${id} and (state in ('claimed', 'unknown', 'failed') or state = 'settling' and attempt_until <= ${now})
    returning ${columns}`);
}

/** The end of an attempt. */
export type AttemptEnd = {
  readonly state: Extract<PaymentState, 'failed' | 'unknown'>;
  readonly reason: string;
  readonly transaction: string | null;
};

/**
 * Stores that an attempt did not settle the payment.
 *
 * @returns false if the attempt has lasted too long, and another one has begun since or has ended.
 */
export async function endAttempt(
  tx: Transaction,
  { id, attempt_until }: Pick<Payment, 'id' | 'attempt_until'>,
  end: AttemptEnd,
  now: Date,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update payments set state = ${end.state}, reason = ${end.reason}, attempted_at = ${now}, attempt_until = null,
      transaction = coalesce(${end.transaction}, transaction)
    where id = ${id} and state = 'settling' and attempt_until = ${attempt_until}`);
  return changed === 1;
}

/** Lets the commit of this transaction return before the disk has it. What is committed later is on the disk no earlier than this. */
export async function commitWithoutWaiting(tx: Transaction): Promise<void> {
  await tx.run(sql`select set_config('synchronous_commit', 'off', true)`);
}

/** Stores where the payment was mined. @returns undefined if it is settled already. */
export function settlePayment(
  tx: Transaction,
  id: string,
  { transaction, log_index }: { readonly transaction: string; readonly log_index: number },
  now: Date,
): Promise<Payment | undefined> {
  return tx.find(sql<Payment>`
    update payments set state = 'settled', reason = null, transaction = ${transaction}, log_index = ${log_index}, attempt_until = null,
      settled_at = ${now}, attempted_at = ${now}
    where id = ${id} and state in ('settling', 'unknown', 'failed') returning ${columns}`);
}

/** Stores the result of the read. @returns false if the payment is not settled, or has been recorded or refused. */
export async function recordResult(tx: Transaction, id: string, result: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update payments set state = 'recorded', result = ${result}::jsonb
    where id = ${id} and state = 'settled'`);
  return changed === 1;
}

/** Stores why there is no read. @returns undefined if the payment is not settled, or has been recorded or refused. */
export function refuseRead(
  tx: Transaction,
  id: string,
  reason: string,
): Promise<Pick<Payment, 'grant_id' | 'amount_micros'> | undefined> {
  return tx.find(sql<Pick<Payment, 'grant_id' | 'amount_micros'>>`
    update payments set state = 'refused', reason = ${reason} where id = ${id} and state = 'settled'
    returning grant_id, amount_micros`);
}

/** Lists payments that were settled before a time and have no read, the oldest first; `after` is the last one of the page before. */
export function listSettledPayments(
  db: Reader,
  {
    before,
    after,
    limit,
  }: {
    readonly before: Date;
    readonly after: { readonly settled_at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<Payment[]> {
  const from = after ? sql`and (settled_at, id) > (${after.settled_at}, ${after.id}::uuid)` : emptySql;
  return db.list(sql<Payment>`
    select ${columns} from payments where state = 'settled' and settled_at < ${before} ${from}
    order by settled_at, id limit ${limit}`);
}

/** How long after its end a payment that failed is compared with the chain once more. */
const end_margin = '5 minutes';

/**
 * Lists payments that no request is settling and whose outcome is not final, the oldest first: those of which nobody knows it since before a
 * time, and those that failed and have expired since they were last compared with the chain.
 */
export function listOpenPayments(
  db: Reader,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<Payment[]> {
  return db.list(sql<Payment>`
    select ${columns} from payments
    where state in ('claimed', 'settling', 'unknown', 'failed') and attempted_at < ${before} and rail = 'x402'
      and (state <> 'settling' or attempt_until < ${before})
      and (state <> 'failed' or valid_before + ${end_margin}::interval < ${before} and attempted_at < valid_before + ${end_margin}::interval)
    order by attempted_at, id limit ${limit}`);
}

/** Counts payments that have neither an outcome nor a read since before a time, up to a hundred. */
export async function countOverduePayments(db: Reader, before: Date): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::int as count from (
      (select id from payments where state in ('claimed', 'settling', 'unknown') and created_at < ${before} limit 100)
      union all
      (select id from payments where state = 'settled' and settled_at < ${before} limit 100)
      limit 100) as overdue`);
  return count;
}

/** Lists payments that are under way or without a read, the oldest first. */
export function listUnfinishedPayments(db: Reader, limit: number): Promise<Payment[]> {
  return db.list(sql<Payment>`
    (select ${columns} from payments where state in ('claimed', 'settling', 'unknown') order by attempted_at, id limit ${limit})
    union all
    (select ${columns} from payments where state = 'settled' order by settled_at, id limit ${limit})
    order by created_at, id limit ${limit}`);
}

/** Lists the payments for reads of a member. */
export function listPaymentsAbout(
  db: Reader,
  member_id: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select org_id, data_type, state, rail, amount_micros, price_aud_micros, created_at from payments where member_id = ${member_id}
    order by created_at, id limit 10000`);
}

/** Severs a member from the payments for their data, and deletes what was read. The payments stay, because the accounts refer to them. */
export async function severMember(tx: Transaction, member_id: string): Promise<void> {
  // A change on all nodes of a distributed database waits for others of its kind, and most members were never read.
  const paid = await tx.find(
    sql<{ id: string }>`select id from payments where member_id = ${member_id} limit 1`,
  );
  if (!paid) return;
  await tx.run(
    sql`update payments set member_id = null, known_as = null, shown_member_id = null, result = null where member_id = ${member_id}`,
  );
}
