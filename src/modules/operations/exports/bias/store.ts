import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { SeenCounts, StoredMarks } from './counting/join-people.ts';
import type { BiasCounts, StoredCounts, StoredRelease, YearRelease } from './counting/release-rules.ts';

/** A count that an organisation has seen, with the marks of those who were counted. */
export type SeenRelease = Pick<SeenCounts, 'people'> & { readonly counts: StoredCounts };

/** Finds the counts behind the last report of an organisation about a year. */
export function findRelease(db: Reader, org_id: string, year: number): Promise<StoredRelease | undefined> {
  return db.find(sql<StoredRelease>`
    select number, released_at, counts from bias_releases where org_id = ${org_id} and year = ${year}
    order by number desc limit 1`);
}

/** Which of the counts of an organisation one is. */
export type ReleaseKey = { readonly year: number; readonly number: number };

/**
 * Lists the counts that an organisation has seen of a year and of at most `others` other years, the nearest first. Counts that show no group are left out, because nothing
 * follows from them; all others stay as they are.
 */
export function listSeenReleases(
  db: Reader,
  { org_id, year }: { readonly org_id: string; readonly year: number },
  { others }: { readonly others: number },
): Promise<ReleaseKey[]> {
  return db.list(sql<ReleaseKey>`
    with seen as (
      select year, number from bias_releases
      where org_id = ${org_id} and people is not null and jsonb_path_exists(counts, '$.shown.*.*.matched ? (@ > 0)'))
    select year, number from seen
    where year = ${year} or year in (
      select year from seen where year <> ${year} group by year order by abs(year - ${year}), year limit ${others})
    order by year, number`);
}

/** Gets a count that is in the list, with the marks of those who were counted. */
export async function getSeenRelease(
  db: Reader,
  org_id: string,
  { year, number }: ReleaseKey,
): Promise<SeenRelease> {
  return (await db.find(sql<SeenRelease>`
    select counts, people from bias_releases where org_id = ${org_id} and year = ${year} and number = ${number}`))!;
}

/** Serialises what is stored for an organisation until the transaction ends. */
export async function lockReleases(tx: Transaction, org_id: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`exports.bias:${org_id}`}, 0))`);
}

/** Lists the counts behind the last reports about a year and the years before it, the earliest first. */
export function listReleases(
  db: Reader,
  org_id: string,
  { until, limit }: { readonly until: number; readonly limit: number },
): Promise<YearRelease<StoredCounts>[]> {
  return db.list(sql<YearRelease<StoredCounts>>`
    select year, released_at, counts from (
      select distinct on (year) year, released_at, counts from bias_releases where org_id = ${org_id} and year <= ${until}
      order by year desc, number desc limit ${limit}) as latest
    order by year`);
}

/**
 * Stores a new count with a number. If there is one already, it is replaced if it is the one of `replaced`; otherwise another request was faster, and nothing is
 * stored.
 */
export async function storeRelease(
  tx: Transaction,
  { org_id, year, number }: { readonly org_id: string; readonly year: number; readonly number: number },
  { counts, people }: { readonly counts: BiasCounts; readonly people: StoredMarks },
  { replaced, now }: { readonly replaced: Date | null; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into bias_releases as seen (org_id, year, number, released_at, counts, people)
    values (${org_id}, ${year}, ${number}, ${now}, ${JSON.stringify(counts)}, ${JSON.stringify(people)})
    on conflict (org_id, year, number) do update
      set released_at = excluded.released_at, counts = excluded.counts, people = excluded.people
      where seen.released_at = ${replaced}::timestamptz`);
}
