import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { isParty } from '../parties.ts';
import { findMatch } from '../store.ts';
import { matchWire, toWire } from '../wire.ts';

export const readMatch = operation({
  name: 'matching.readMatch',
  summary: 'Reads a match. For anyone except its member and its organisation, the match does not exist.',
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
