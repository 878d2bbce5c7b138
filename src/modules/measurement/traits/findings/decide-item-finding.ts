import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { decide } from './change-decision.ts';
import { loadOwnBank } from '../parameters/parameters-in-use.ts';
import { decisionChangeWire, decisionInput, findingIdInput, toDecisionChangeWire } from './wire.ts';

export const decideItemFinding = operation({
  name: 'traits.decideItemFinding',
  title: 'Decide about a finding',
  summary:
    'Stores what follows from a finding. New assessments respect it at once; a task scores all stored answers again, and then switches all lists to the new results. To go back, undo the decision.',
  who: ['platform_admin'],
  input: closedObject({
    finding_id: findingIdInput,
    decision: decisionInput,
    item_id: Type.Optional(
      field(
        Type.String({ minLength: 1, maxLength: 100 }),
        'Which statement of a dependent pair to retire. Only for that decision.',
        'sincerity_03',
      ),
    ),
  }),
  output: { 200: decisionChangeWire },
  refuses: ['finding_not_found', 'finding_decided', 'field_invalid'],
  run: (context, { finding_id: id, decision, item_id }) =>
    context.transaction(async (tx) =>
      toDecisionChangeWire(
        await decide(context, tx, { id, decision, item_id }, context.caller),
        await loadOwnBank(tx),
      ),
    ),
});
