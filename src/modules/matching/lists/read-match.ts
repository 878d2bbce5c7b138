import { Type } from 'typebox';
import { findLinkedEntityId, roles, type SignedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findMatch, type Match } from '../store.ts';
import { matchWire, toWire } from '../wire.ts';

export const readMatch = operation({
  name: 'matching.readMatch',
  summary: 'A match, for its member and its organisation; nobody else learns that it exists.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: matchWire },
  refuses: ['match_not_found'],
  run: async ({ database, caller }, { match_id }) => {
    const match = await findMatch(database, match_id);
    if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
    return toWire(match);
  },
});

/** Not by role: an administrator of the platform is no party either. */
function isParty(caller: SignedInCaller, { member_id, org_id }: Match): boolean {
  return [member_id, org_id].some((party) => party === findLinkedEntityId(caller));
}
