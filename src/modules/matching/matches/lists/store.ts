import { emptySql, sql, type Reader, type Statement } from '#platform/database/database.ts';
import type { MatchQuality } from '#modules/matching/engine';
import type { MatchStatus } from '../rules.ts';
import { matchColumns, selectOfJob, type Match } from '../store.ts';
import { notPaused, selectOwnMatches, type NewLabels } from '../store-member-matches.ts';

/** The matches that a list selects: those of an organisation, of one of its jobs, or of a member. */
export type MatchFilter = {
  readonly quality?: MatchQuality | undefined;
  readonly status?: MatchStatus | undefined;
  /** Leaves out `developing` matches on which nobody has acted. */
  readonly without_developing?: boolean | undefined;
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
  /** Labels that replace the stored ones in the list of a member. */
  readonly labels?: readonly NewLabels[];
};

/** Lists matches, best tier first and then by id, which is random. */
export function listMatches(
  db: Reader,
  filter: MatchFilter,
  { statuses, after, limit, labels = [] }: MatchPage,
): Promise<Match[]> {
  const { member_id, job_id, org_id } = filter;
  const page = sql`
    ${buildDevelopingCondition(filter)} ${buildPlaceCondition(filter, after)} order by match_quality, id limit ${limit}`;
  if (member_id)
    return db.list(sql<Match>`
      select ${matchColumns}
      from (
        select match_id as id, member_id, job_id, job_outlines.org_id, match_quality, match_status, computed_at, version, provisional
        from (${selectOwnMatches(member_id, labels)}) as own join job_outlines on job_outlines.id = job_id
      ) as matches
      where match_status = any(${statuses}::match_status[]) and ${notPaused} ${page}`);
  if (job_id)
    return db.list(sql<Match>`
      select ${matchColumns} from ${selectOfJob(job_id)} where match_status = any(${statuses}::match_status[]) ${page}`);
  // The index of organisations begins with the status. Each status contributes at most one page, which the index returns in the order of the
  // list. The cost therefore does not depend on the number of matches. Citus cannot have a lateral join in the place of the union.
  if (statuses.length === 0) return Promise.resolve([]);
  const pages = statuses.map(
    (status) => sql`(
      select ${matchColumns} from matches where org_id = ${org_id ?? null} and match_status = ${status} ${page})`,
  );
  return db.list(sql<Match>`
    select ${matchColumns} from (${pages.reduce((all, next) => sql`${all} union all ${next}`)}) as matches
    order by match_quality, id limit ${limit}`);
}

/** Which matches of some jobs are listed. */
export type ShortlistFilter = Pick<MatchFilter, 'quality' | 'status' | 'without_developing'>;

/** The position of a match among those of several jobs. */
export type ShortlistPlace = readonly [job_id: string, match_quality: MatchQuality, id: string];

/** A match without the organisation, which is the same for all of a file, and perhaps without its time, which is rarely shown. */
export type FiledMatch = Omit<Match, 'org_id' | 'computed_at'> & { readonly computed_at: Date | null };

export type ShortlistPage = {
  readonly after: ShortlistPlace | undefined;
  readonly limit: number;
  /** Whether to read when each match was computed. */
  readonly withTimes: boolean;
};

/** Lists the matches of jobs, by job, best tier first and then by id. It reads no more than a file shows, because files are long. */
export function listMatchesOfJobs(
  db: Reader,
  job_ids: readonly string[],
  filter: ShortlistFilter,
  { after, limit, withTimes }: ShortlistPage,
): Promise<FiledMatch[]> {
  const { quality, status } = filter;
  const ofQuality = quality ? sql`and match_quality = ${quality}` : emptySql;
  const ofStatus = status ? sql`and match_status = ${status}` : emptySql;
  const from = after
    ? sql`and (job_id, match_quality, id) > (${after[0]}::uuid, ${after[1]}::match_quality, ${after[2]}::uuid)`
    : emptySql;
  return db.list(sql<FiledMatch>`
    select id, member_id, job_id, match_quality, match_status, ${withTimes ? sql`computed_at` : sql`null as computed_at`}, version, provisional
    from matches
    where job_id = any(${job_ids}::uuid[]) ${ofQuality} ${ofStatus} ${buildDevelopingCondition(filter)} ${from}
    order by job_id, match_quality, id limit ${limit}`);
}

function buildDevelopingCondition({ without_developing }: ShortlistFilter): Statement {
  return without_developing
    ? sql`and (match_quality < 'developing' or match_status <> 'pending_review')`
    : emptySql;
}

function buildPlaceCondition({ quality }: MatchFilter, after: MatchPlace | undefined): Statement {
  if (quality)
    return sql`and match_quality = ${quality} ${after ? sql`and id > ${after[1]}::uuid` : emptySql}`;
  return after ? sql`and (match_quality, id) > (${after[0]}::match_quality, ${after[1]}::uuid)` : emptySql;
}

export function addCounts(counts: readonly StatusCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

export type StatusCount = { readonly match_status: MatchStatus; readonly count: number };

/** Counts matches by status. The numbers of organisations and jobs are stored: see docs/decisions/matching.md. */
export function countByStatus(db: Reader, filter: MatchFilter): Promise<StatusCount[]> {
  const { member_id, job_id, org_id } = filter;
  const labels = sql`${buildLabelCondition(filter)} group by match_status`;
  if (member_id)
    return db.list(sql<StatusCount>`
      select match_status, count(*) as count from member_matches where member_id = ${member_id} and ${notPaused} ${labels}`);
  const used = sql`${labels} having sum(match_count) > 0`;
  if (job_id)
    return db.list(sql<StatusCount>`
      select match_status, sum(match_count)::bigint as count from match_counts
      where job_id = ${job_id} and owner_id = ${job_id} ${used}`);
  return db.list(sql<StatusCount>`
    select match_status, sum(match_count)::bigint as count from match_counts where owner_id = ${org_id ?? null} ${used}`);
}

function buildLabelCondition(filter: MatchFilter): Statement {
  const { quality, status } = filter;
  const ofQuality = quality ? sql`and match_quality = ${quality}` : emptySql;
  const ofStatus = status ? sql`and match_status = ${status}` : emptySql;
  return sql`${ofQuality} ${ofStatus} ${buildDevelopingCondition(filter)}`;
}
