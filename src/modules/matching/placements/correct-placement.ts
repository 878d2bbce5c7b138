import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { addOutcome, outcomeOperation } from './add-outcome.ts';
import { checkOutcomeCount, correctBeginning } from './rules.ts';
import { listFeedback } from './store.ts';
import { correctionInput } from './wire.ts';

export const correctPlacement = operation({
  ...outcomeOperation,
  name: 'placements.correctPlacement',
  title: 'Correct the date of a placement',
  summary:
    'Corrects a wrong beginning of a placement: a further record repeats the last outcome with the right date and the reason. The wrong record stays, and both dates are in the audit log. The stages of feedback follow the right date.',
  who: ['org_admin'],
  input: Type.Object({ match_id: uuid, ...correctionInput }),
  run: (context, { match_id, placed_at, reason }) =>
    addOutcome(context, {
      match_id,
      reason,
      corrects_date: true,
      // One that is not placed has no placement, which the rules refuse.
      match_status: 'placed',
      decide: async (before, tx, match) => {
        const correction = { placed_at: new Date(placed_at), feedback: await listFeedback(tx, match) };
        const corrected = correctBeginning(before.at(-1), correction, context.now());
        checkOutcomeCount(before);
        return corrected;
      },
    }),
});
