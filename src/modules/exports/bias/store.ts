import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { BiasCounts, BiasRelease, StoredCounts, YearRelease } from './counting/release-rules.ts';

/** Finds the counts behind the last report of an organisation about a year. */
export function findRelease(
  db: Reader,
  org_id: string,
  year: number,
): Promise<BiasRelease<StoredCounts> | undefined> {
  return db.find(sql<BiasRelease<StoredCounts>>`
    select released_at, counts from bias_releases where org_id = ${org_id} and year = ${year}`);
}

/** Lists the counts behind the last reports about a year and the years before it, the earliest first. */
export function listReleases(
  db: Reader,
  org_id: string,
  { until, limit }: { readonly until: number; readonly limit: number },
): Promise<YearRelease<StoredCounts>[]> {
  return db.list(sql<YearRelease<StoredCounts>>`
    select year, released_at, counts from (
      select year, released_at, counts from bias_releases where org_id = ${org_id} and year <= ${until}
      order by year desc limit ${limit}) as latest
    order by year`);
}

/** Stores the counts behind a new report, unless another request has replaced those of `before` meanwhile. @returns whether they were stored. */
export async function replaceRelease(
  tx: Transaction,
  { org_id, year }: { readonly org_id: string; readonly year: number },
  counts: BiasCounts,
  { before, now }: { readonly before: Date | undefined; readonly now: Date },
): Promise<boolean> {
  const stored = await tx.run(sql`
    insert into bias_releases as seen (org_id, year, released_at, counts)
    values (${org_id}, ${year}, ${now}, ${JSON.stringify(counts)})
    on conflict (org_id, year) do update set released_at = excluded.released_at, counts = excluded.counts
    where seen.released_at = ${before ?? null}::timestamptz`);
  return stored > 0;
}
