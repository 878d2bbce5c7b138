import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { upsertMemberNote } from '../contact/store.ts';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { noteInput } from '../contact/wire.ts';
import { buildMatchView } from '../views.ts';
import { matchWire, toWire } from '../wire.ts';
import { moveMatch } from './move-match.ts';

const statusByDecision = { accept: 'member_accepted', decline: 'member_declined' } as const;

const decisions = ['accept', 'decline'] as const;

export const respondToMatch = operation({
  name: 'matches.respondToMatch',
  summary:
    'Records the member’s final response to an interested organisation. Repeating the same response changes nothing, except that a note that is given replaces the earlier one. GET /matches/{match_id}/job says what an acceptance reveals. Requires engagement level 4 (Deployed).',
  who: ['member'],
  input: Type.Object({
    match_id: uuid,
    decision: field(Type.Enum(decisions), 'Whether you want to talk to the organisation.', 'accept'),
    note: noteInput,
  }),
  output: { 200: matchWire },
  refuses: ['match_not_found', 'match_status_conflict', 'job_closed', 'engagement_level_too_low'],
  tools: [
    {
      name: 'respond_to_match',
      title: 'Respond to a match',
      kind: 'write',
      roles: ['member'],
      consent: 'Accept or decline organisations that are interested in you',
      isDestructive: true,
      isIdempotent: true,
      description:
        'Accepts or declines an organisation that is interested in the person. The decision is final, and accepting shows the person’s name and contact to the organisation: ask the person first.',
    },
  ],
  checks: [
    ({ decision, note }) => {
      if (typeof note === 'string' && decision !== 'accept')
        throw createFieldRefusal('field_invalid', '/note', 'must only be given with the decision accept');
    },
  ],
  run: (context, { match_id, decision, note }) =>
    context.transaction(async (tx) => {
      const { match } = await moveMatch(context, tx, match_id, statusByDecision[decision]);
      if (note !== undefined && decision === 'accept') upsertMemberNote(tx, match, note);
      return toWire(await buildMatchView(context, tx, match));
    }),
});
