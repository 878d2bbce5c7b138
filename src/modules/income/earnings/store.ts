import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type {
  CategoryIncome,
  ListedRead,
  MonthlyIncome,
  Read,
  ReadCounts,
  ReadGroup,
  ReadSummary,
} from './rules.ts';

/** Adds a read. The commit waits for it. */
export function insertRead(tx: Transaction, read: Read): void {
  void tx.runAhead(sql`
    insert into reads
      (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, claim_id,
        protocol_version, journal_id, created_at)
    values (${read.member_id}, ${read.id}, ${read.org_id}, ${read.user_id}, ${read.data_type}, ${read.payment_type}, ${String(read.gross)},
      ${String(read.member_share)}, ${read.share_bps}, ${read.multiplier_bps}, ${read.claim_id}, ${read.protocol_version}, ${read.journal_id},
      ${read.created_at})`);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** All reads of a member, the oldest first. The user who read belongs to the organisation. */
export function listMemberReads(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select id, org_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, protocol_version, journal_id, created_at
    from reads where member_id = ${member_id} order by created_at, id`);
}

/** Moves the reads of an erased member to an id that belongs to nobody: the organisations keep what they bought, without the member. */
export async function severReads(tx: Transaction, member_id: string, successor_id: string): Promise<void> {
  await tx.run(sql`
    insert into reads
      (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, claim_id,
        protocol_version, journal_id, created_at)
    select ${successor_id}::uuid, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, claim_id,
      protocol_version, journal_id, created_at
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
export const isReversed = sql`
  exists (select from reversed_journals where reversed_journals.member_id = reads.member_id and reversed_journals.journal_id = reads.journal_id)`;

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
    gross_micros, member_micros, share_bps, multiplier_bps, claim_id, protocol_version, reads.journal_id, created_at, available_at,
    ${isReversed} as is_reversed
  from reads
    left join organisation_names on organisation_names.id = org_id
    left join journal_incomes on journal_incomes.member_id = reads.member_id and journal_incomes.journal_id = reads.journal_id`;

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
