import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findJobOfVersion } from '#modules/matching/jobs';
import { findMember } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { defaultPreferences } from '#modules/matching/engine';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { findPreferences } from '../preferences/store.ts';
import { findMatch } from '../store.ts';
import { listRequirements, mayReadRequirements } from './rules.ts';
import { requirementsWire, toRequirementsWire } from './wire.ts';

export const readRequirements = operation({
  name: 'matches.readRequirements',
  title: 'Read the requirements that are met',
  summary:
    'Reads which requirements of the job the member of a match meets, without the values, and what an acceptance would reveal to whom. They are those of the version of the job that the match belongs to: a later change asks nothing new of the same person.',
  who: orgRoles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: requirementsWire },
  refuses: ['match_not_found', 'match_ended', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const { database, caller } = context;
    const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
    if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
    const [job, member, preferences] = await Promise.all([
      findJobOfVersion(database, match),
      findMember(database, match.member_id),
      findPreferences(database, match.member_id),
    ]);
    if (!job || !member) throw new Refusal('match_not_found');
    if (!mayReadRequirements(match.match_status, member)) throw new Refusal('match_ended');
    const { clearance_held } = preferences ?? defaultPreferences;
    return toRequirementsWire(match.id, listRequirements(job, { ...member, clearance_held }));
  },
});
