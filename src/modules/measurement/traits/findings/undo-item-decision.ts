import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { withdrawDecision } from './change-decision.ts';
import { loadOwnBank } from '../parameters/parameters-in-use.ts';
import { decisionChangeWire, findingIdInput, toDecisionChangeWire } from './wire.ts';

export const undoItemDecision = operation({
  name: 'traits.undoItemDecision',
  title: 'Undo the decision about a finding',
  summary:
    'The finding is open again. Without other decisions, the version of the parameters is in use that was in use before, and lists change back to its results when all stored answers have them.',
  who: ['platform_admin'],
  input: closedObject({ finding_id: findingIdInput }),
  output: { 200: decisionChangeWire },
  refuses: ['finding_not_found', 'finding_undecided'],
  run: (context, { finding_id }) =>
    context.transaction(async (tx) =>
      toDecisionChangeWire(
        await withdrawDecision(context, tx, finding_id, context.caller),
        await loadOwnBank(tx),
      ),
    ),
});
