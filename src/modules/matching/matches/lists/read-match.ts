import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findOwnLabels } from './find-new-labels.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { findMatch } from '../store.ts';
import { buildMatchView } from '../views.ts';
import { matchWire, toWire } from '../wire.ts';

export const readMatch = operation({
  name: 'matches.readMatch',
  summary:
    'Reads a match. For anyone except its member and its organisation, the match does not exist. For its organisation, `member_id` is an alias until both have agreed.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: matchWire },
  etag: true,
  refuses: ['match_not_found', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const { caller, database } = context;
    const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
    if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
    const labels = await findOwnLabels(context, database, match);
    return toWire(await buildMatchView(context, database, { ...match, ...labels }));
  },
});
