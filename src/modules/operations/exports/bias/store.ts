import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** A report that was published, with what it counted. It never changes. */
export type PublishedReport<Counts extends object = object> = {
  readonly year: number;
  /** The reports of a year are numbered from 1 on. */
  readonly number: number;
  readonly published_at: Date;
  readonly counts: Counts;
};

/** Finds a report of an organisation about a year: the one with the number, or the last one. */
export function findReport<Counts extends object>(
  db: Reader,
  {
    org_id,
    year,
    number,
  }: { readonly org_id: string; readonly year: number; readonly number?: number | undefined },
): Promise<PublishedReport<Counts> | undefined> {
  const found = db.find(sql<PublishedReport>`
    select year, number, published_at, counts from bias_reports
    where org_id = ${org_id} and year = ${year} and (${number ?? null}::integer is null or number = ${number ?? null})
    order by number desc limit 1`);
  return found as Promise<PublishedReport<Counts> | undefined>;
}

/** Lists the last reports of a year and of the years before it, the earliest first. */
export function listReports<Counts extends object>(
  db: Reader,
  org_id: string,
  { until, limit }: { readonly until: number; readonly limit: number },
): Promise<PublishedReport<Counts>[]> {
  const listed = db.list(sql<PublishedReport>`
    select year, number, published_at, counts from (
      select distinct on (year) year, number, published_at, counts from bias_reports
      where org_id = ${org_id} and year <= ${until} order by year desc, number desc limit ${limit}) as latest
    order by year`);
  return listed as Promise<PublishedReport<Counts>[]>;
}

/** Serialises what is published for an organisation until the transaction ends. */
export async function lockReports(tx: Transaction, org_id: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`exports.bias:${org_id}`}, 0))`);
}

/** Stores the next report of a year. */
export async function insertReport(
  tx: Transaction,
  { org_id, year }: { readonly org_id: string; readonly year: number },
  { published_at, counts }: Pick<PublishedReport, 'published_at' | 'counts'>,
): Promise<void> {
  await tx.run(sql`
    insert into bias_reports (org_id, year, number, published_at, counts)
    select ${org_id}, ${year}, coalesce(max(number), 0) + 1, ${published_at}, ${JSON.stringify(counts)}
    from bias_reports where org_id = ${org_id} and year = ${year}`);
}

/** Counts the reports that were published by all organisations. */
export function countReports(db: Reader): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from bias_reports`);
}
