import { emptySql, sql, type Reader } from '#platform/database/database.ts';
import { isReversed } from './store.ts';
import type { MonthlySpend, OrganisationRead } from './rules.ts';

/** A place in the list of an organisation's reads. */
export type ReadPlace = readonly [created_at: string, id: string];

type ReadRow = Omit<OrganisationRead, 'gross'> & { readonly gross_micros: number };

/** Lists what an organisation has read, the newest first. */
export async function listOrganisationReads(
  db: Reader,
  org_id: string,
  after: ReadPlace | undefined,
  limit: number,
): Promise<OrganisationRead[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  const rows = await db.list(sql<ReadRow>`
    select id, member_id, user_id, data_type, payment_type, gross_micros, claim_id, created_at, ${isReversed} as is_reversed
    from reads where org_id = ${org_id} ${from} order by created_at desc, id desc limit ${limit}`);
  return rows.map(({ gross_micros, ...row }) => ({ ...row, gross: BigInt(gross_micros) }));
}

/** Finds one read of an organisation. */
export async function findOrganisationRead(
  db: Reader,
  org_id: string,
  id: string,
): Promise<OrganisationRead | undefined> {
  const row = await db.find(sql<ReadRow>`
    select id, member_id, user_id, data_type, payment_type, gross_micros, claim_id, created_at, ${isReversed} as is_reversed
    from reads where org_id = ${org_id} and id = ${id}`);
  if (!row) return undefined;
  const { gross_micros, ...read } = row;
  return { ...read, gross: BigInt(gross_micros) };
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
