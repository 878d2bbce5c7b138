import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { referenceInput } from '#modules/matching/jobs';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { lockMatch } from '../store.ts';
import { deleteReference, upsertReference } from './store.ts';
import { referenceWire } from './wire.ts';

export const setReference = operation({
  name: 'matches.setReference',
  title: 'Note an id of your own on a match',
  summary:
    'Replaces what a program of the caller’s organisation notes on a match: its own id and texts by name. A field that is left out becomes empty. It is deleted with the match, and when the member withdraws from it.',
  who: ['org_admin'],
  input: Type.Object({ match_id: uuid, ...referenceInput }),
  output: { 200: referenceWire },
  refuses: ['match_not_found', 'match_ended', 'email_not_verified'],
  run: async (context, { match_id, external_ref = null, metadata = {} }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const match = await lockMatch(tx, match_id);
      if (!match || !isParty(context.caller, match)) throw new Refusal('match_not_found');
      if (match.match_status === 'withdrawn') throw new Refusal('match_ended');
      const isEmpty = external_ref === null && Object.keys(metadata).length === 0;
      await (isEmpty ? deleteReference(tx, match) : upsertReference(tx, match, { external_ref, metadata }));
      return { match_id, external_ref, metadata };
    });
  },
});
