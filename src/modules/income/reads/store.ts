import type { Micros } from '#lib/money.ts';
import type { CultureBasis } from '#modules/organisations/culture';
import type { Alignment } from '#modules/matching/matches';
import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { WantedRead } from './rules.ts';

/**
 * Takes one read from the organisation's quota of a day, and keeps the row locked until the transaction ends.
 *
 * @returns how many are used with it; undefined if all were used.
 */
export async function takeFromQuota(
  tx: Transaction,
  { org_id, day, limit }: { readonly org_id: string; readonly day: string; readonly limit: number },
): Promise<number | undefined> {
  const taken = await tx.find(sql<{ read_count: number }>`
    insert into read_counts as kept (org_id, day, read_count) values (${org_id}, ${day}, 1)
    on conflict (org_id, day) do update set read_count = kept.read_count + 1 where kept.read_count < ${limit}
    returning read_count`);
  return taken?.read_count;
}

/** Locks the organisation's quota of a day until the transaction ends, and takes nothing from it. */
export async function lockQuota(tx: Transaction, org_id: string, day: string): Promise<void> {
  await tx.run(sql`
    insert into read_counts as kept (org_id, day, read_count) values (${org_id}, ${day}, 0)
    on conflict (org_id, day) do update set read_count = kept.read_count`);
}

/** Where answers that are not reads are counted: those of an organisation from a day to another. */
type Refusals = {
  readonly org_id: string;
  readonly first_day: string;
  readonly day: string;
  readonly limit: number;
};

/**
 * Counts an answer about a member that is not a read.
 *
 * @returns whether there are at most `limit` more of them than reads since the first day.
 */
export async function takeRefusal(
  db: Executor,
  { org_id, first_day, day, limit }: Refusals,
): Promise<boolean> {
  // Today's row is locked and read as it is then; those of earlier days do not change.
  const take = sql`
    update read_counts as kept set refused_count = refused_count + 1
    where org_id = ${org_id} and day = ${day} and kept.refused_count - kept.read_count + (
      select coalesce(sum(refused_count - read_count), 0) from read_counts as earlier
      where earlier.org_id = ${org_id} and earlier.day >= ${first_day} and earlier.day < ${day}) < ${limit}`;
  if ((await db.run(take)) > 0) return true;
  await db.run(sql`
    insert into read_counts (org_id, day, read_count) values (${org_id}, ${day}, 0) on conflict do nothing`);
  return (await db.run(take)) > 0;
}

/** Finds the result of the same free read of a day. */
export async function findFreeRead(
  db: Reader,
  { member_id, org_id, known_as, data_type }: WantedRead,
  day: string,
): Promise<object | undefined> {
  const found = await db.find(sql<{ result: object }>`
    select result from free_reads
    where member_id = ${member_id} and org_id = ${org_id} and known_as = ${known_as} and data_type = ${data_type} and day = ${day}`);
  return found?.result;
}

/** Stores the result of a free read. */
export async function insertFreeRead(
  tx: Transaction,
  { member_id, org_id, known_as, data_type }: WantedRead,
  day: string,
  result: object,
): Promise<void> {
  await tx.run(sql`
    insert into free_reads (member_id, org_id, known_as, data_type, day, result)
    values (${member_id}, ${org_id}, ${known_as}, ${data_type}, ${day}, ${JSON.stringify(result)}::jsonb)`);
}

/** Takes one read from the organisation's free allowance. @returns whether there was one. */
export async function takeFromAllowance(tx: Transaction, org_id: string, limit: number): Promise<boolean> {
  const taken = await tx.run(sql`
    insert into read_allowances as kept (org_id, read_count) values (${org_id}, 1)
    on conflict (org_id) do update set read_count = kept.read_count + 1 where kept.read_count < ${limit}`);
  return taken > 0;
}

/** How many reads of a day the organisation has made. */
export async function countDailyReads(db: Reader, org_id: string, day: string): Promise<number> {
  const kept = await db.find(sql<{ read_count: number }>`
    select read_count from read_counts where org_id = ${org_id} and day = ${day}`);
  return kept?.read_count ?? 0;
}

/** How many reads of its free allowance the organisation has used. */
export async function countFreeReads(db: Reader, org_id: string): Promise<number> {
  const kept = await db.find(sql<{ read_count: number }>`
    select read_count from read_allowances where org_id = ${org_id}`);
  return kept?.read_count ?? 0;
}

/** Stores a price that was quoted until `expires_at`. */
export async function upsertQuote(
  db: Executor,
  { member_id, org_id, data_type }: WantedRead,
  price: Micros,
  expires_at: Date,
): Promise<void> {
  await db.run(sql`
    insert into read_quotes (member_id, org_id, data_type, price_micros, expires_at)
    values (${member_id}, ${org_id}, ${data_type}, ${String(price)}::bigint, ${expires_at})
    on conflict (member_id, org_id, data_type, price_micros) do update set expires_at = excluded.expires_at`);
}

/** The lowest price that was quoted and may still be paid; undefined if there is none. */
export async function findQuote(
  db: Reader,
  { member_id, org_id, data_type }: WantedRead,
  now: Date,
): Promise<Micros | undefined> {
  const quote = await db.find(sql<{ price: number }>`
    select price_micros as price from read_quotes
    where member_id = ${member_id} and org_id = ${org_id} and data_type = ${data_type} and expires_at >= ${now}
    order by price_micros limit 1`);
  return quote && BigInt(quote.price);
}

/** Deletes at most `limit` quotes that have expired. @returns how many were deleted. */
export function deleteExpiredQuotes(db: Executor, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from read_quotes where (member_id, org_id, data_type, price_micros) in (
      select member_id, org_id, data_type, price_micros from read_quotes where expires_at < ${now} limit ${limit})`);
}

/** Deletes at most `limit` counts of days before `day`. @returns how many were deleted. */
export function deleteOldCounts(db: Executor, day: string, limit: number): Promise<number> {
  return db.run(sql`
    delete from read_counts where (org_id, day) in (
      select org_id, day from read_counts where day < ${day} limit ${limit})`);
}

/** Deletes at most `limit` free reads of days before `day`. @returns how many were deleted. */
export function deleteOldFreeReads(db: Executor, day: string, limit: number): Promise<number> {
  return db.run(sql`
    delete from free_reads where (member_id, org_id, known_as, data_type, day) in (
      select member_id, org_id, known_as, data_type, day from free_reads where day < ${day} limit ${limit})`);
}

/** An alignment, and what the culture profile is based on that it was computed from. */
export type BasedAlignment = Alignment & { readonly culture_basis: CultureBasis };

/**
 * Stores the alignment that an organisation reads, unless it has read one of the same measurement already.
 *
 * @returns the stored one.
 */
export function keepAlignment(
  tx: Transaction,
  { member_id, org_id }: WantedRead,
  vector_version: number,
  { authenticity, acceptance, culture_basis }: BasedAlignment,
): Promise<BasedAlignment> {
  return tx.one(sql<BasedAlignment>`
    insert into read_alignments as kept (member_id, org_id, vector_version, authenticity, acceptance, culture_basis)
    values (${member_id}, ${org_id}, ${vector_version}, ${authenticity}, ${acceptance}, ${culture_basis})
    on conflict (member_id, org_id) do update set
      vector_version = excluded.vector_version,
      authenticity = case when kept.vector_version = excluded.vector_version then kept.authenticity else excluded.authenticity end,
      acceptance = case when kept.vector_version = excluded.vector_version then kept.acceptance else excluded.acceptance end,
      culture_basis = case when kept.vector_version = excluded.vector_version then kept.culture_basis else excluded.culture_basis end
    returning authenticity, acceptance, culture_basis`);
}

type Rows = Readonly<Record<string, unknown>>[];

/** Lists the prices that organisations were quoted for the member's data. */
export function listQuotes(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select org_id, data_type, price_micros, expires_at from read_quotes where member_id = ${member_id}
    order by org_id, data_type, price_micros`);
}

/** Lists what organisations have read about the alignment of the member. */
export function listAlignments(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select org_id, vector_version, authenticity, acceptance, culture_basis from read_alignments where member_id = ${member_id}
    order by org_id`);
}

/** Lists what organisations have read of the member for nothing in the last days. */
export function listFreeReads(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select org_id, data_type, day, result from free_reads where member_id = ${member_id} order by day, org_id, data_type`);
}

/** Deletes the quotes, alignments and free reads of a member. */
export async function deleteAllOfMember(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from read_quotes where member_id = ${member_id}`);
  await tx.run(sql`delete from read_alignments where member_id = ${member_id}`);
  await tx.run(sql`delete from free_reads where member_id = ${member_id}`);
}
