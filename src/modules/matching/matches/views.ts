import type { LoggedInCaller } from '#lib/caller.ts';
import { listMatchTimes, type Job } from '#modules/matching/jobs';
import { listMembers } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { computeAliases } from './alias.ts';
import { isContactShared, sharingStatuses } from './contact/rules.ts';
import type { Match, NamedMatch } from './store.ts';

/** A match as its reader sees it, for the Match resource. */
export type MatchView = Pick<
  Match,
  'id' | 'member_id' | 'job_id' | 'org_id' | 'match_quality' | 'match_status' | 'provisional' | 'computed_at'
> & { readonly member_name?: string | null };

type SharedMatch = NamedMatch & Pick<Match, 'id' | 'match_status'>;

type ViewContext = Pick<Services, 'memory' | 'secrets'> & { readonly caller: Pick<LoggedInCaller, 'role'> };

/**
 * Builds what a reader sees of matches. Members and platform administrators see them as they are. An organisation sees the member's id and
 * name only while both sides share their contact, otherwise an alias, and no time of a single member: the time is the date of the job's matches.
 *
 * @param job The job of all matches, if it is read already.
 */
export async function buildMatchViews(
  context: ViewContext,
  db: Reader,
  matches: readonly Match[],
  job?: Job,
): Promise<readonly MatchView[]> {
  const { caller } = context;
  if (canSeeMembers(caller) || matches.length === 0) return matches;
  const [sharing, times] = await Promise.all([
    findSharedNames(db, matches),
    job ? new Map([[job.id, getMatchTime(job)]]) : listTimes(db, matches),
  ]);
  const aliases = computeAliases(context, matches);
  return matches.map((match, place) => ({
    ...match,
    member_id: sharing.has(match.id) ? match.member_id : aliases[place]!,
    // An auditor may not read the contact either.
    member_name: (caller.role !== 'auditor' && sharing.get(match.id)) || null,
    computed_at: truncateToDate(times.get(match.job_id) ?? match.computed_at),
  }));
}

/** Says whether a reader sees every match as it is stored: members, who read their own, and platform administrators. */
export function canSeeMembers({ role }: ViewContext['caller']): boolean {
  return role === 'member' || role === 'platform_admin';
}

/** Lists by which ids a reader knows the members of matches, in the order of the matches. */
export async function listShownMembers(
  context: ViewContext,
  db: Reader,
  matches: readonly SharedMatch[],
): Promise<readonly string[]> {
  if (canSeeMembers(context.caller)) return matches.map(({ member_id }) => member_id);
  const aliases = computeAliases(context, matches);
  const sharing = await findSharedNames(db, matches);
  return matches.map(({ id, member_id }, place) => (sharing.has(id) ? member_id : aliases[place]!));
}

/** Builds what a reader sees of one match, like {@link buildMatchViews}. */
export async function buildMatchView(context: ViewContext, db: Reader, match: Match): Promise<MatchView> {
  const [view] = await buildMatchViews(context, db, [match]);
  return view!;
}

function getMatchTime({ matches_computed_at, created_at }: Job): Date {
  return matches_computed_at ?? created_at;
}

function listTimes(db: Reader, matches: readonly Match[]): Promise<ReadonlyMap<string, Date>> {
  return listMatchTimes(db, [...new Set(matches.map(({ job_id }) => job_id))]);
}

/** Finds the names of the members who share their contact, by the id of the match. Most lists have none, and read nothing. */
async function findSharedNames(
  db: Reader,
  matches: readonly SharedMatch[],
): Promise<ReadonlyMap<string, string>> {
  const accepted = matches.filter(({ match_status }) => sharingStatuses.has(match_status));
  if (accepted.length === 0) return new Map();
  const member_ids = accepted.map(({ member_id }) => member_id);
  const members = new Map((await listMembers(db, member_ids)).map((member) => [member.id, member]));
  const names = accepted.flatMap(({ id, match_status, member_id }) => {
    const member = members.get(member_id);
    return member && isContactShared(match_status, member) ? [[id, member.display_name] as const] : [];
  });
  return new Map(names);
}

/** Converts the time at which the matches of a job were computed to what organisations see of it: the date. */
export function truncateToDate(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()));
}
