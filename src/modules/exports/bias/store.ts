import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { completeCounts, type BiasRelease } from './release-rules.ts';
import type { BiasCounts } from './rules.ts';

/** Finds the counts behind the last report of an organisation about a year. */
export async function findRelease(
  db: Reader,
  org_id: string,
  year: number,
): Promise<BiasRelease | undefined> {
  const release = await db.find(sql<BiasRelease>`
    select released_at, counts from bias_releases where org_id = ${org_id} and year = ${year}`);
  return release && { ...release, counts: completeCounts(release.counts) };
}

/** A release, and the year that it is about. */
export type YearRelease = BiasRelease & { readonly year: number };

/** Lists the counts behind the last reports about a year and the years before it, the earliest first. */
export async function listReleases(
  db: Reader,
  org_id: string,
  { until, limit }: { readonly until: number; readonly limit: number },
): Promise<readonly YearRelease[]> {
  const releases = await db.list(sql<YearRelease>`
    select year, released_at, counts from (
      select year, released_at, counts from bias_releases where org_id = ${org_id} and year <= ${until}
      order by year desc limit ${limit}) as latest
    order by year`);
  return releases.map((release) => ({ ...release, counts: completeCounts(release.counts) }));
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
