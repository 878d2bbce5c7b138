import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { lockMatch } from '../store.ts';
import { completeNote, isEmptyNote } from './rules.ts';
import { deletePrivateNote, findPrivateNote, upsertPrivateNote } from './store.ts';
import { privateNoteInput, privateNoteWire } from './wire.ts';

export const setPrivateNote = operation({
  name: 'matches.setPrivateNote',
  title: 'Set the private note on a match',
  summary:
    'Replaces the note and the labels that the caller’s organisation has given a match for itself. A field that is left out becomes empty. They are deleted with the match, and when the member withdraws from it; a withdrawn match takes no new ones.',
  who: ['org_admin'],
  input: Type.Object({ match_id: uuid, ...privateNoteInput }),
  output: { 200: privateNoteWire },
  etag: true,
  refuses: ['match_not_found', 'match_ended', 'email_not_verified'],
  run: async (context, { match_id, note = null, labels = [] }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const match = await lockMatch(tx, match_id);
      if (!match || !isParty(context.caller, match)) throw new Refusal('match_not_found');
      if (match.match_status === 'withdrawn') throw new Refusal('match_ended');
      await checkIfMatch(context.request, async () => completeNote(await findPrivateNote(tx, match)));
      const noted = { note, labels };
      await (isEmptyNote(noted) ? deletePrivateNote(tx, match) : upsertPrivateNote(tx, match, noted));
      return noted;
    });
  },
});
