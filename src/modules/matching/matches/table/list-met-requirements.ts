import { findJobOfVersion } from '#modules/matching/jobs';
import { listMembers } from '#modules/people/members';
import { defaultPreferences } from '#modules/matching/engine';
import type { Reader } from '#platform/database/database.ts';
import { listRequirements, mayReadRequirements, type Requirement } from '../contact/rules.ts';
import type { Match } from '../store.ts';
import { listClearances } from './store.ts';

/**
 * Lists by match which requirements of its job the member meets, like the operation for one match: those of the version that the match
 * belongs to. Matches whose requirements may not be read any more are left out.
 */
export async function listMetRequirements(
  db: Reader,
  matches: readonly Match[],
): Promise<ReadonlyMap<string, readonly Requirement[]>> {
  if (matches.length === 0) return new Map();
  const member_ids = matches.map(({ member_id }) => member_id);
  const versions = new Map(matches.map((match) => [match.version, match]));
  const [members, clearances, jobs] = await Promise.all([
    listMembers(db, member_ids),
    listClearances(db, member_ids),
    Promise.all(
      [...versions].map(async ([version, match]) => [version, await findJobOfVersion(db, match)] as const),
    ),
  ]);
  const membersById = new Map(members.map((member) => [member.id, member]));
  const clearancesById = new Map(clearances.map((each) => [each.member_id, each.clearance_held]));
  const jobsByVersion = new Map(jobs);
  const listed = matches.flatMap(({ id, member_id, version, match_status }) => {
    const [member, job] = [membersById.get(member_id), jobsByVersion.get(version)];
    if (!member || !job || !mayReadRequirements(match_status, member)) return [];
    const clearance_held = clearancesById.get(member_id) ?? defaultPreferences.clearance_held;
    return [[id, listRequirements(job, { ...member, clearance_held })] as const];
  });
  return new Map(listed);
}
