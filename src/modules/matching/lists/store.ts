import { emptySql, sql, type Reader, type Statement } from '#platform/database/database.ts';
import type { MatchQuality } from '../engine/tiers.ts';
import type { MatchStatus } from '../lifecycle/rules.ts';
import { matchColumns, type Match } from '../store.ts';

/** The matches that a list selects: those of an organisation, of a job or of a member. */
export type MatchFilter = {
  readonly org_id?: string | undefined;
  readonly job_id?: string | undefined;
  readonly member_id?: string | undefined;
  readonly quality?: MatchQuality | undefined;
  readonly status?: MatchStatus | undefined;
};

/** The position of a match in the list: its tier and id. */
export type MatchPlace = readonly [match_quality: MatchQuality, id: string];

/** Lists matches, best tier first and then by id, which is random. */
export function listMatches(
  db: Reader,
  filter: MatchFilter,
  after: MatchPlace | undefined,
  limit: number,
): Promise<Match[]> {
  const from = after
    ? sql`and (match_quality, id) > (${after[0]}::match_quality, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<Match>`
    select ${matchColumns} from matches where ${buildMatchCondition(filter)} ${from} order by match_quality, id limit ${limit}`);
}

export async function countMatches(db: Reader, filter: MatchFilter): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from matches where ${buildMatchCondition(filter)}`,
  );
  return count;
}

function buildMatchCondition({ org_id, job_id, member_id, quality, status }: MatchFilter): Statement {
  if ((org_id ?? job_id ?? member_id) === undefined)
    throw new Error('a list of matches needs an organisation, a job or a member');
  const ofOrganisation = org_id ? sql`and org_id = ${org_id}` : emptySql;
  const ofJob = job_id ? sql`and job_id = ${job_id}` : emptySql;
  const ofMember = member_id ? sql`and member_id = ${member_id}` : emptySql;
  const ofQuality = quality ? sql`and match_quality = ${quality}` : emptySql;
  const ofStatus = status ? sql`and match_status = ${status}` : emptySql;
  return sql`true ${ofOrganisation} ${ofJob} ${ofMember} ${ofQuality} ${ofStatus}`;
}
