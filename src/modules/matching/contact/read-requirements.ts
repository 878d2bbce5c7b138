import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findJob } from '#modules/jobs';
import { findMember } from '#modules/members';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { defaultPreferences } from '../engine/terms.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { findPreferences } from '../preferences/store.ts';
import { findMatch } from '../store.ts';
import { listRequirements, mayReadRequirements } from './rules.ts';
import { findMatchContact } from './store.ts';
import { requirementsWire, toRequirementsWire } from './wire.ts';

export const readRequirements = operation({
  name: 'matching.readRequirements',
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
    const [job, member, contact, preferences] = await Promise.all([
      findJob(database, match.job_id),
      findMember(database, match.member_id),
      findMatchContact(database, match),
      findPreferences(database, match.member_id),
    ]);
    if (!job || !member) throw new Refusal('match_not_found');
    if (!mayReadRequirements(match.match_status, member)) throw new Refusal('match_ended');
    const { clearance_held } = preferences ?? defaultPreferences;
    // Once the organisation has acted on the match, changing the job must not reveal more of the profile, step by step.
    const requirements = listRequirements(contact?.requirements ?? job, { ...member, clearance_held });
    return toRequirementsWire(match.id, requirements);
  },
});
