import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { matchWire, toWire } from '../wire.ts';
import { moveMatch } from './move-match.ts';

const settableStatuses = ['org_interested', 'org_passed', 'closed'] as const;

export const setMatchStatus = operation({
  name: 'matching.setMatchStatus',
  summary:
    'Sets the organisation’s decision on a match: interested or passed after the review, closed after the member has accepted. Setting the same status again changes nothing.',
  who: ['org_admin', 'platform_admin'],
  input: Type.Object({ match_id: uuid, status: Type.Enum(settableStatuses) }),
  output: { 200: matchWire },
  refuses: ['match_not_found', 'match_status_conflict', 'job_closed'],
  run: (context, { match_id, status }) =>
    context.transaction(async (tx) => toWire(await moveMatch(context, tx, match_id, status))),
});
