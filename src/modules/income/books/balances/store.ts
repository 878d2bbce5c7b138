import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Micros } from '#lib/money.ts';
import type { Balance, DaySum, Entry, TopUp, WaitingTopUp } from './rules.ts';

type BalanceRow = { readonly balance_micros: number; readonly warn_below_micros: number | null };

/** Finds the balance of an organisation; undefined if it was never filled. */
export async function findBalance(db: Reader, org_id: string): Promise<Balance | undefined> {
  const row = await db.find(sql<BalanceRow>`
    select balance_micros, warn_below_micros from prepaid_balances where org_id = ${org_id} and (entry_count > 0 or warn_below_micros is not null)`);
  return row && toBalance(row);
}

/** The balance of an organisation, which nothing else changes until the transaction ends. */
export async function lockBalance(tx: Transaction, org_id: string): Promise<Balance | undefined> {
  const row = await tx.find(sql<BalanceRow>`
    select balance_micros, warn_below_micros from prepaid_balances where org_id = ${org_id} for update`);
  return row && toBalance(row);
}

function toBalance({ balance_micros, warn_below_micros }: BalanceRow): Balance {
  return {
    balance: BigInt(balance_micros),
    warn_below: warn_below_micros === null ? null : BigInt(warn_below_micros),
  };
}

/** Stores below which amount the administrators get an email; null for none. */
export async function upsertWarning(
  tx: Transaction,
  org_id: string,
  warn_below: Micros | null,
): Promise<void> {
  const micros = warn_below === null ? null : String(warn_below);
  await tx.run(sql`
    insert into prepaid_balances (org_id, balance_micros, entry_count, latest_at, warn_below_micros)
    values (${org_id}, 0, 0, '-infinity', ${micros})
    on conflict (org_id) do update set warn_below_micros = excluded.warn_below_micros`);
}

const topUpColumns = sql`reference, org_id, announced_micros, announced_at, recorded_micros, recorded_at`;

type TopUpRow = Omit<TopUp, 'announced' | 'recorded'> & {
  readonly announced_micros: number | null;
  readonly recorded_micros: number | null;
};

function toTopUp({ announced_micros, recorded_micros, ...row }: TopUpRow): TopUp {
  return {
    ...row,
    announced: announced_micros === null ? null : BigInt(announced_micros),
    recorded: recorded_micros === null ? null : BigInt(recorded_micros),
  };
}

/** Lists the top-ups of an organisation that were announced since a time and wait for their money, the newest first. */
export async function listAnnounced(
  db: Reader,
  org_id: string,
  since: Date,
  limit: number,
): Promise<TopUp[]> {
  const rows = await db.list(sql<TopUpRow>`
    select ${topUpColumns} from top_ups where org_id = ${org_id} and recorded_at is null and announced_at >= ${since}
    order by announced_at desc, reference limit ${limit}`);
  return rows.map(toTopUp);
}

/** Lists the top-ups of all organisations that were announced since a time and wait for their money, the oldest first. */
export async function listWaiting(db: Reader, since: Date, limit: number): Promise<WaitingTopUp[]> {
  const rows = await db.list(sql<TopUpRow & { readonly organisation_name: string }>`
    select ${topUpColumns}, name as organisation_name from top_ups join organisation_names on organisation_names.id = org_id
    where recorded_at is null and announced_at >= ${since} order by announced_at, reference limit ${limit}`);
  return rows.map(({ organisation_name, ...row }) => ({ ...toTopUp(row), organisation_name }));
}

/** Makes the announcements of an organisation wait for each other until the transaction ends. */
export async function lockAnnouncements(tx: Transaction, org_id: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('books.top_ups:' || ${org_id}::uuid, 0))`);
}

type Announcement = {
  readonly reference: string;
  readonly org_id: string;
  readonly amount: Micros;
  readonly user_id: string;
  readonly at: Date;
};

/** Adds an announced top-up. @returns false if its reference is taken. */
export async function insertAnnounced(tx: Transaction, announced: Announcement): Promise<boolean> {
  const { reference, org_id, amount, user_id, at } = announced;
  const added = await tx.run(sql`
    insert into top_ups (reference, org_id, announced_micros, announced_by, announced_at)
    values (${reference}, ${org_id}, ${String(amount)}, ${user_id}, ${at}) on conflict do nothing`);
  return added === 1;
}

type Arrived = {
  readonly reference: string;
  readonly org_id: string;
  readonly amount: Micros;
  readonly user_id: string | null;
  readonly at: Date;
};

/** Adds the record of money that nobody announced. @returns false if its reference is taken. */
export async function insertRecorded(tx: Transaction, arrived: Arrived): Promise<boolean> {
  const { reference, org_id, amount, user_id, at } = arrived;
  const added = await tx.run(sql`
    insert into top_ups (reference, org_id, recorded_micros, recorded_by, recorded_at)
    values (${reference}, ${org_id}, ${String(amount)}, ${user_id}, ${at}) on conflict do nothing`);
  return added === 1;
}

/** The top-up with a reference, locked until the transaction ends. */
export async function lockTopUp(tx: Transaction, reference: string): Promise<TopUp | undefined> {
  const row = await tx.find(
    sql<TopUpRow>`select ${topUpColumns} from top_ups where reference = ${reference} for update`,
  );
  return row && toTopUp(row);
}

/** Stores what has arrived for an announced top-up. */
export async function recordArrival(tx: Transaction, arrived: Omit<Arrived, 'org_id'>): Promise<void> {
  const { reference, amount, user_id, at } = arrived;
  await tx.run(sql`
    update top_ups set recorded_micros = ${String(amount)}, recorded_by = ${user_id}, recorded_at = ${at}
    where reference = ${reference}`);
}

/** The lines of an organisation in a time. */
export type Wanted = { readonly org_id: string; readonly start: Date; readonly end: Date };

const kind = sql`
  case kind when 'charge' then 'read' when 'reversal' then 'correction' else kind end`;

type EntryRow = Omit<Entry, 'amount' | 'balance'> & {
  readonly amount_micros: number;
  readonly balance_micros: number;
};

/** Lists lines of the statement after a number, the oldest first. */
export async function listEntries(
  db: Reader,
  { org_id, start, end }: Wanted,
  after: number,
  limit: number,
): Promise<Entry[]> {
  const rows = await db.list(sql<EntryRow>`
    select number, ${kind} as kind, amount_micros, balance_micros, coalesce(reason, '') as detail, payment_id, entries.posted_at
    from balance_entries as entries join ledger_journals on holder_id = entries.org_id and id = journal_id
    where entries.org_id = ${org_id} and holder_id = ${org_id} and entries.posted_at >= ${start} and entries.posted_at < ${end} and number > ${after}
    order by number limit ${limit}`);
  return rows.map(({ amount_micros, balance_micros, ...row }) => ({
    ...row,
    amount: BigInt(amount_micros),
    balance: BigInt(balance_micros),
  }));
}

/** Adds up the lines of each kind by day, the oldest first. */
export async function sumDays(db: Reader, { org_id, start, end }: Wanted): Promise<DaySum[]> {
  const rows = await db.list(sql<Omit<DaySum, 'amount'> & { readonly amount_micros: number }>`
    select to_char(entries.posted_at at time zone 'UTC', 'YYYY-MM-DD') as day, ${kind} as kind, count(*) as count,
      sum(amount_micros)::bigint as amount_micros
    from balance_entries as entries join ledger_journals on holder_id = entries.org_id and id = journal_id
    where entries.org_id = ${org_id} and holder_id = ${org_id} and entries.posted_at >= ${start} and entries.posted_at < ${end}
    group by 1, 2 order by 1, 2`);
  return rows.map(({ amount_micros, ...row }) => ({ ...row, amount: BigInt(amount_micros) }));
}

/** Reads what an organisation had left before a time. */
export async function readBalanceBefore(db: Reader, org_id: string, time: Date): Promise<Micros> {
  const row = await db.find(sql<{ balance_micros: number }>`
    select balance_micros from balance_entries where org_id = ${org_id} and posted_at < ${time}
    order by posted_at desc, number desc limit 1`);
  return BigInt(row?.balance_micros ?? 0);
}

/** Counts the lines of an organisation in a time. */
export async function countEntries(db: Reader, { org_id, start, end }: Wanted): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from balance_entries where org_id = ${org_id} and posted_at >= ${start} and posted_at < ${end}`);
  return count;
}
