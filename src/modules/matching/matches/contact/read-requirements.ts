import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob } from '#modules/matching/jobs';
import { findMember } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { defaultPreferences } from '#modules/matching/engine';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { findPreferences } from '../preferences/store.ts';
import { findMatch, type Match } from '../store.ts';
import { listRequirements, mayReadRequirements, type JobRequirements } from './rules.ts';
import { findMatchContact } from './store.ts';
import { requirementsWire, toRequirementsWire } from './wire.ts';

export const readRequirements = operation({
  name: 'matches.readRequirements',
  title: 'Read the requirements that are met',
  summary:
    'Reads which requirements of the job the member of a match meets, without the values, and what an acceptance would reveal to whom.',
  who: orgRoles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: requirementsWire },
  refuses: ['match_not_found', 'match_ended', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const { database, caller } = context;
    const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
    if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
    const [asked, member, preferences] = await Promise.all([
      findAskedRequirements(database, match),
      findMember(database, match.member_id),
      findPreferences(database, match.member_id),
    ]);
    if (!asked || !member) throw new Refusal('match_not_found');
    if (!mayReadRequirements(match.match_status, member)) throw new Refusal('match_ended');
    const { clearance_held } = preferences ?? defaultPreferences;
    return toRequirementsWire(match.id, listRequirements(asked, { ...member, clearance_held }));
  },
});

/**
 * Finds what the job asks for. From the organisation's first act on the match on, it is what the job asked for then: changing the job must
 * not reveal more of the profile, step by step.
 */
async function findAskedRequirements(
  db: Reader,
  match: Pick<Match, 'id' | 'job_id' | 'org_id' | 'match_status'>,
): Promise<JobRequirements | undefined> {
  const contact = match.match_status === 'pending_review' ? undefined : await findMatchContact(db, match);
  return contact?.requirements ?? findOrganisationJob(db, match.org_id, match.job_id);
}
