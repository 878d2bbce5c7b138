import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { findMatch } from '../store.ts';
import { completeNote } from './rules.ts';
import { findPrivateNote } from './store.ts';
import { privateNoteWire } from './wire.ts';

export const readPrivateNote = operation({
  name: 'matches.readPrivateNote',
  title: 'Read the private note on a match',
  summary:
    'Reads the note and the labels that the caller’s organisation has given a match for itself. The member and other organisations never read them.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({ match_id: uuid }),
  output: { 200: privateNoteWire },
  etag: true,
  refuses: ['match_not_found', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const { caller, database } = context;
    const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
    if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
    return completeNote(await findPrivateNote(database, match));
  },
});
