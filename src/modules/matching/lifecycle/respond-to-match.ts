import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { matchWire, toWire } from '../wire.ts';
import { moveMatch } from './move-match.ts';

const statusByDecision = { accept: 'member_accepted', decline: 'member_declined' } as const;

const decisions = ['accept', 'decline'] as const;

export const respondToMatch = operation({
  name: 'matching.respondToMatch',
  summary:
    'Records the member’s final response to an interested organisation. Repeating the same response changes nothing. Requires engagement level 4 (Deployed).',
  who: ['member'],
  input: Type.Object({ match_id: uuid, decision: Type.Enum(decisions) }),
  output: { 200: matchWire },
  refuses: ['match_not_found', 'match_status_conflict', 'job_closed', 'engagement_level_too_low'],
  run: (context, { match_id, decision }) =>
    context.transaction(async (tx) =>
      toWire(await moveMatch(context, tx, match_id, statusByDecision[decision])),
    ),
});
