import { emptySql, sql, type Reader, type Statement } from '#platform/database/database.ts';
import type { MatchQuality } from '../engine/tiers.ts';
import type { MatchStatus } from '../lifecycle/rules.ts';
import { matchColumns, type Match } from '../store.ts';

/** The matches that a list selects: those of an organisation, of one of its jobs, or of a member. */
export type MatchFilter = {
  readonly quality?: MatchQuality | undefined;
  readonly status?: MatchStatus | undefined;
} & (
  | { readonly org_id: string; readonly job_id?: string | undefined; readonly member_id?: undefined }
  | { readonly job_id: string; readonly org_id?: undefined; readonly member_id?: undefined }
  | { readonly member_id: string; readonly org_id?: undefined; readonly job_id?: undefined }
);

/** The position of a match in the list: its tier and id. */
export type MatchPlace = readonly [match_quality: MatchQuality, id: string];

export type MatchPage = {
  /** The statuses to list: the filter's, or all. */
  readonly statuses: readonly MatchStatus[];
  readonly after: MatchPlace | undefined;
  readonly limit: number;
};

/** Lists matches, best tier first and then by id, which is random. */
export function listMatches(
  db: Reader,
  filter: MatchFilter,
  { statuses, after, limit }: MatchPage,
): Promise<Match[]> {
  const { member_id } = filter;
  const page = sql`${buildPlaceCondition(filter, after)} order by match_quality, id limit ${limit}`;
  if (member_id)
    return db.list(sql<Match>`
      select ${matchColumns} from matches
      where member_id = ${member_id} and match_status = any(${statuses}::text[]) ${page}`);
  // The indexes of organisations and jobs begin with the status. Each status contributes at most one page, which its index returns in the
  // order of the list. The cost therefore does not depend on the number of matches.
  const owner = filter.job_id ? sql`job_id = ${filter.job_id}` : sql`org_id = ${filter.org_id}`;
  return db.list(sql<Match>`
    select ${matchColumns}
    from unnest(${statuses}::text[]) as wanted (status) cross join lateral (
      select ${matchColumns} from matches where ${owner} and match_status = wanted.status ${page}
    ) as matches
    order by match_quality, id limit ${limit}`);
}

function buildPlaceCondition({ quality }: MatchFilter, after: MatchPlace | undefined): Statement {
  if (quality)
    return sql`and match_quality = ${quality} ${after ? sql`and id > ${after[1]}::uuid` : emptySql}`;
  return after ? sql`and (match_quality, id) > (${after[0]}::match_quality, ${after[1]}::uuid)` : emptySql;
}

/** Counts matches. The numbers of organisations and jobs are stored: see `migrations/0019_match_counts.sql`. */
export async function countMatches(db: Reader, filter: MatchFilter): Promise<number> {
  const { member_id } = filter;
  const { count } = await db.one(
    member_id
      ? sql<{ count: number }>`
          select count(*) from matches where member_id = ${member_id} ${buildLabelCondition(filter)}`
      : sql<{ count: number }>`
          select coalesce(sum(match_count), 0)::bigint as count from match_counts
          where owner_id = ${filter.job_id ?? filter.org_id} ${buildLabelCondition(filter)}`,
  );
  return count;
}

function buildLabelCondition({ quality, status }: MatchFilter): Statement {
  const ofQuality = quality ? sql`and match_quality = ${quality}` : emptySql;
  const ofStatus = status ? sql`and match_status = ${status}` : emptySql;
  return sql`${ofQuality} ${ofStatus}`;
}
