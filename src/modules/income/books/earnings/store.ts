import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type {
  CategoryIncome,
  ListedRead,
  MarketplaceRead,
  MarketplaceTotals,
  MonthlyIncome,
  MonthlySpend,
  OrganisationRead,
  Read,
  ReadCounts,
  ReadGroup,
  ReadSummary,
} from './rules.ts';

/** Adds a read. The commit waits for it. */
export function insertRead(tx: Transaction, read: Read): void {
  void tx.runAhead(sql`
    insert into reads
      (member_id, known_as, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, payment_id,
        protocol_version, journal_id, created_at)
    values (${read.member_id}, ${read.known_as}, ${read.id}, ${read.org_id}, ${read.user_id}, ${read.data_type}, ${read.payment_type}, ${String(read.gross)},
      ${String(read.member_share)}, ${read.share_bps}, ${read.multiplier_bps}, ${read.payment_id}, ${read.protocol_version}, ${read.journal_id},
      ${read.created_at})`);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** All reads of a member, the oldest first. The user who read belongs to the organisation. */
export function listMemberReads(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select id, org_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, protocol_version, journal_id,
      price_aud_micros, aud_per_usd_micros, rate_at, created_at
    from reads where member_id = ${member_id} order by created_at, id`);
}

/** Moves the reads of an erased member to an id that belongs to nobody: the organisations keep what they bought, without the member. */
export async function severReads(tx: Transaction, member_id: string, successor_id: string): Promise<void> {
  await tx.run(sql`
    insert into reads
      (member_id, known_as, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, payment_id,
        protocol_version, journal_id, created_at, shown_member_id, price_aud_micros, aud_per_usd_micros, rate_at)
    select ${successor_id}::uuid, case when known_as is not null then gen_random_uuid() end, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, payment_id,
      protocol_version, journal_id, created_at, case when shown_member_id is not null then gen_random_uuid() end, price_aud_micros,
      aud_per_usd_micros, rate_at
    from reads where member_id = ${member_id}`);
  await tx.run(sql`delete from reads where member_id = ${member_id}`);
}

/** How often a member was read, for a payment and free, and by how many organisations. */
export function countReads(db: Reader, member_id: string): Promise<ReadCounts> {
  return db.one(sql<ReadCounts>`
    select count(*) filter (where payment_type <> 'allowance') as transaction_count,
      count(*) filter (where payment_type = 'allowance') as recognition_count,
      count(distinct org_id) as unique_organisations
    from reads where member_id = ${member_id}`);
}

/** Whether the payment of a read was taken back. */
const isReversed = sql`
  exists (select from ledger_journals where ledger_journals.holder_id = reads.member_id and reversed_id = reads.journal_id)`;

const incomeColumns = sql`
  coalesce(sum(member_micros) filter (where not ${isReversed}), 0)::bigint as earned_micros,
  count(*) filter (where payment_type <> 'allowance') as transaction_count,
  count(*) filter (where payment_type = 'allowance') as recognition_count`;

type IncomeRow<Group> = Group & {
  readonly earned_micros: number;
  readonly transaction_count: number;
  readonly recognition_count: number;
};

/** The income of a member by month (UTC), the newest first. */
export async function listMonthlyIncome(
  db: Reader,
  member_id: string,
  months_max: number,
): Promise<MonthlyIncome[]> {
  const rows = await db.list(sql<IncomeRow<{ readonly month: string }>>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, ${incomeColumns}
    from reads where member_id = ${member_id} group by month order by month desc limit ${months_max}`);
  return rows.map(toIncome);
}

/** The income of a member by category, the highest first. */
export async function listIncomeByCategory(db: Reader, member_id: string): Promise<CategoryIncome[]> {
  const rows = await db.list(sql<IncomeRow<{ readonly category: CategoryIncome['category'] }>>`
    select data_type as category, ${incomeColumns}
    from reads where member_id = ${member_id} group by data_type order by earned_micros desc, transaction_count desc, data_type`);
  return rows.map(toIncome);
}

function toIncome<Group>({ earned_micros, ...row }: IncomeRow<Group>) {
  return { ...row, earned: BigInt(earned_micros) };
}

type ListedReadRow = Omit<ListedRead, 'gross' | 'member_share'> & {
  readonly gross_micros: number;
  readonly member_micros: number;
};

const listedReads = sql`
  select reads.id, reads.member_id, org_id, coalesce(organisation_names.name, '') as organisation_name, user_id, data_type, payment_type,
    gross_micros, member_micros, share_bps, multiplier_bps, payment_id, protocol_version, price_aud_micros, reads.journal_id, created_at, available_at,
    ${isReversed} as is_reversed
  from reads
    left join organisation_names on organisation_names.id = org_id
    left join ledger_postings on ledger_postings.holder_id = reads.member_id and ledger_postings.journal_id = reads.journal_id
      and account = 'member_income'`;

/** Lists the reads of a member, the newest first, from an offset. */
export async function listReads(
  db: Reader,
  member_id: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ListedRead[]> {
  const rows = await db.list(sql<ListedReadRow>`
    ${listedReads} where reads.member_id = ${member_id} order by created_at desc, reads.id desc limit ${limit} offset ${offset}`);
  return rows.map(toListedRead);
}

/** Finds one read of a member. */
export async function findRead(db: Reader, member_id: string, id: string): Promise<ListedRead | undefined> {
  const row = await db.find(sql<ListedReadRow>`
    ${listedReads} where reads.member_id = ${member_id} and reads.id = ${id}`);
  return row && toListedRead(row);
}

function toListedRead({ gross_micros, member_micros, ...row }: ListedReadRow): ListedRead {
  return { ...row, gross: BigInt(gross_micros), member_share: BigInt(member_micros) };
}

type GroupRow = Omit<ReadGroup, 'earned'> & {
  readonly earned_micros: number;
  readonly all_reads: number;
  readonly all_micros: number;
};

/** A span of time: after the first moment, up to and including the second. */
export type Span = { readonly after: Date; readonly until: Date };

/** Adds up the reads of a member in a span of time by organisation and category. @returns at most `groups_max` groups. */
export async function sumReads(
  db: Reader,
  member_id: string,
  { after, until }: Span,
  groups_max: number,
): Promise<ReadSummary> {
  const rows = await db.list(sql<GroupRow>`
    select coalesce(organisation_names.name, '') as organisation_name, data_type, count(*) as read_count,
      sum(member_micros)::bigint as earned_micros, sum(count(*)) over ()::bigint as all_reads, sum(sum(member_micros)) over ()::bigint as all_micros
    from reads left join organisation_names on organisation_names.id = org_id
    where reads.member_id = ${member_id} and created_at > ${after} and created_at <= ${until} and not ${isReversed}
    group by org_id, organisation_names.name, data_type
    order by earned_micros desc, read_count desc, organisation_name, data_type limit ${groups_max}`);
  return {
    groups: rows.map(({ organisation_name, data_type, read_count, earned_micros }) => ({
      organisation_name,
      data_type,
      read_count,
      earned: BigInt(earned_micros),
    })),
    read_count: rows[0]?.all_reads ?? 0,
    earned: BigInt(rows[0]?.all_micros ?? 0),
  };
}

/** A place in the list of an organisation's reads. */
export type ReadPlace = readonly [created_at: string, id: string];

type OrganisationReadRow = Omit<OrganisationRead, 'gross'> & { readonly gross_micros: number };

const organisationReads = sql`
  select id, member_id, known_as, user_id, data_type, payment_type, gross_micros, price_aud_micros, payment_id, created_at, ${isReversed} as is_reversed
  from reads`;

function toOrganisationRead({ gross_micros, ...row }: OrganisationReadRow): OrganisationRead {
  return { ...row, gross: BigInt(gross_micros) };
}

/** Lists what an organisation has read, the newest first. */
export async function listOrganisationReads(
  db: Reader,
  org_id: string,
  after: ReadPlace | undefined,
  limit: number,
): Promise<OrganisationRead[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  const rows = await db.list(sql<OrganisationReadRow>`
    ${organisationReads} where org_id = ${org_id} ${from} order by created_at desc, id desc limit ${limit}`);
  return rows.map(toOrganisationRead);
}

/** Finds one read of an organisation. */
export async function findOrganisationRead(
  db: Reader,
  org_id: string,
  id: string,
): Promise<OrganisationRead | undefined> {
  const row = await db.find(sql<OrganisationReadRow>`
    ${organisationReads} where org_id = ${org_id} and id = ${id}`);
  return row && toOrganisationRead(row);
}

export async function countOrganisationReads(db: Reader, org_id: string): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`select count(*) from reads where org_id = ${org_id}`);
  return count;
}

type SpendRow = Omit<MonthlySpend, 'spent'> & { readonly spent_micros: number };

/** What an organisation has paid since a time, by month (UTC), the newest first. What was taken back is not included. */
export async function listMonthlySpend(db: Reader, org_id: string, since: Date): Promise<MonthlySpend[]> {
  const rows = await db.list(sql<SpendRow>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month,
      coalesce(sum(gross_micros) filter (where not ${isReversed}), 0)::bigint as spent_micros,
      count(*) filter (where payment_type <> 'allowance') as paid_reads,
      count(*) filter (where payment_type = 'allowance') as free_reads
    from reads where org_id = ${org_id} and created_at >= ${since} group by month order by month desc`);
  return rows.map(({ spent_micros, ...row }) => ({ ...row, spent: BigInt(spent_micros) }));
}

/** The price of a read in Australian dollars, and the id by which its organisation named the member. Amounts are micro-units. */
export type MarketplaceListing = Pick<
  MarketplaceRead,
  'shown_member_id' | 'price_aud_micros' | 'aud_per_usd_micros' | 'rate_at'
>;

/** Lists the read of a payment on the marketplace, unless it is listed. @returns it as it is listed. */
export async function listOnMarketplace(
  tx: Transaction,
  { member_id, payment_id }: { readonly member_id: string; readonly payment_id: string },
  { shown_member_id, price_aud_micros, aud_per_usd_micros, rate_at }: MarketplaceListing,
): Promise<MarketplaceRead> {
  await tx.run(sql`
    update reads set shown_member_id = ${shown_member_id}, price_aud_micros = ${price_aud_micros}, aud_per_usd_micros = ${aud_per_usd_micros},
      rate_at = ${rate_at}
    where member_id = ${member_id} and payment_id = ${payment_id} and price_aud_micros is null`);
  return tx.one(sql<MarketplaceRead>`
    ${marketplaceReads} and reads.member_id = ${member_id} and payment_id = ${payment_id}`);
}

const marketplaceReads = sql`
  select id, member_id, shown_member_id, org_id, data_type, protocol_version, gross_micros, member_micros, price_aud_micros, aud_per_usd_micros,
    rate_at, created_at, ${isReversed} as is_reversed
  from reads where price_aud_micros is not null`;

/** One of the two sides of a read. */
export type Side = { readonly member_id: string } | { readonly org_id: string };

function buildCondition(side: Side): Statement {
  return 'member_id' in side ? sql`reads.member_id = ${side.member_id}` : sql`org_id = ${side.org_id}`;
}

/** Finds a read of one side on the marketplace. */
export function findMarketplaceRead(
  db: Reader,
  side: Side,
  id: string,
): Promise<MarketplaceRead | undefined> {
  return db.find(sql<MarketplaceRead>`${marketplaceReads} and ${buildCondition(side)} and id = ${id}`);
}

/** Lists the reads of one side on the marketplace, the newest first. */
export function listMarketplaceReads(
  db: Reader,
  side: Side,
  after: ReadPlace | undefined,
  limit: number,
): Promise<MarketplaceRead[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<MarketplaceRead>`
    ${marketplaceReads} and ${buildCondition(side)} ${from} order by created_at desc, id desc limit ${limit}`);
}

/** Counts the reads of one side on the marketplace, and adds up those that were not taken back. */
export async function sumMarketplaceReads(db: Reader, side: Side): Promise<MarketplaceTotals> {
  const row = await db.one(sql<{ count: number; price_aud: number; price_usd: number; member_usd: number }>`
    select count(*) as count, coalesce(sum(price_aud_micros) filter (where not ${isReversed}), 0)::bigint as price_aud,
      coalesce(sum(gross_micros) filter (where not ${isReversed}), 0)::bigint as price_usd,
      coalesce(sum(member_micros) filter (where not ${isReversed}), 0)::bigint as member_usd
    from reads where price_aud_micros is not null and ${buildCondition(side)}`);
  return {
    count: row.count,
    price_aud: BigInt(row.price_aud),
    price_usd: BigInt(row.price_usd),
    member_usd: BigInt(row.member_usd),
  };
}
