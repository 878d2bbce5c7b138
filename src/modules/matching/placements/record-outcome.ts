import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { addOutcome, outcomeOperation } from './add-outcome.ts';
import { checkOutcomeCount, checkOutcomeDates, decideOutcome } from './rules.ts';
import { outcomeInput } from './wire.ts';

export const recordOutcome = operation({
  ...outcomeOperation,
  name: 'placements.recordOutcome',
  title: 'Record the outcome of a match',
  summary:
    'Records what became of a match that the member has accepted: placed or not_placed, and after a placement extended or left. Earlier records stay. Both sides are asked for feedback 30, 90 and 180 days after the placement.',
  who: ['org_admin', 'platform_admin'],
  input: Type.Object({ match_id: uuid, ...outcomeInput }),
  checks: [
    ({ outcome, placed_at, ended_at }, { now }) =>
      checkOutcomeDates({ outcome, placed_at: parseTime(placed_at), ended_at: parseTime(ended_at) }, now()),
  ],
  run: (context, { match_id, outcome, placed_at, ended_at, reason = null }) =>
    addOutcome(context, {
      match_id,
      reason,
      corrects_date: false,
      match_status: outcome === 'not_placed' ? 'closed' : 'placed',
      decide: (before) => {
        checkOutcomeCount(before);
        const requested = { outcome, placed_at: parseTime(placed_at), ended_at: parseTime(ended_at) };
        return decideOutcome(before.at(-1), requested, context.now());
      },
    }),
});

function parseTime(time: string | null | undefined): Date | undefined {
  return time === null || time === undefined ? undefined : new Date(time);
}
