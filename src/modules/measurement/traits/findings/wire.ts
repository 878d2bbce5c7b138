import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import type { ItemBank } from '../items/bank.ts';
import {
  findingDecisions,
  findingKinds,
  findingStates,
  listChoices,
  selectFindingState,
  type Finding,
} from '../parameters/findings.ts';
import type { DecisionChange } from './change-decision.ts';

const count = Type.Integer({ minimum: 0 });
const example_item = 'sincerity_03';
const example_version = 'mvp20-2.d92c0f3ab1e44c07';
const example_id = '5b0c8a4e-2f77-4c21-9a36-7d1e0c9f4b12';

export const findingIdInput = field(uuid, 'The id of the finding.', example_id);
export const decisionInput = field(
  Type.Enum(findingDecisions),
  '`enemies`: no member is asked both statements. `less_weight`: an answer counts half, or two dependent answers count as less than two. `retire`: the statement is not asked and its answers count nothing. `dismiss`: nothing changes.',
  'less_weight',
);
export const stateInput = field(
  Type.Enum(findingStates),
  'Only findings in this state: `accepted` are those with a decision that changes something.',
  'open',
);

export const findingWire = closedObject(
  {
    finding_id: findingIdInput,
    kind: field(
      Type.Enum(findingKinds),
      '`weak`: hardly tells people apart. `misfit`: is answered otherwise than the model says. `dependent`: two statements share more than their trait. `differs`: works differently for a group. `drifted`: changed between two calibrations.',
      'weak',
    ),
    statements: field(
      Type.Array(
        closedObject({
          item_id: field(Type.String(), 'The id of the statement.', example_item),
          trait: field(
            nullable(Type.String()),
            'The trait that it measures; null if the program has it no longer.',
            'sincerity',
          ),
          text: field(nullable(Type.String()), 'Its words; null likewise.', 'I say what I think.'),
        }),
      ),
      'The statement, or both of a dependent pair.',
    ),
    subject: field(
      nullable(Type.String()),
      'The attribute and the group for which it works differently, or the parameter that drifted (`location`, `discrimination`); otherwise null.',
      null,
    ),
    compared_with: field(
      nullable(Type.String()),
      'The group or the version that it was compared with; otherwise null.',
      null,
    ),
    size: field(
      Type.Number(),
      'How much: the discrimination (`weak`), the mean square (`misfit`), the residual correlation (`dependent`), the difference in standard deviations of the answers (`differs`), what moved in standard deviations or in ln a (`drifted`).',
      0.41,
    ),
    answered: field(count, 'How many of the respondents answered the statement, or both.', 412),
    respondents: field(count, 'The members whose answers were examined.', 812),
    parameter_version: field(
      Type.String(),
      'The version of the parameters that was examined.',
      example_version,
    ),
    found_at: field(timestamp, 'When it was found.', '2026-03-02T09:00:00.000Z'),
    state: field(Type.Enum(findingStates), 'Whether somebody has decided.', 'open'),
    decision: field(nullable(Type.Enum(findingDecisions)), 'What was decided; null while it is open.', null),
    retired_item: field(
      nullable(Type.String()),
      'Which statement of a pair is retired; otherwise null.',
      null,
    ),
    decided_at: field(nullable(timestamp), 'When it was decided; null while it is open.', null),
    choices: field(
      Type.Array(Type.Enum(findingDecisions)),
      'What can be decided about it; empty once it is decided.',
      ['less_weight', 'retire', 'dismiss'],
    ),
  },
  { $id: 'ItemFinding', description: 'What was found about statements, and what was decided.' },
);

export const decisionChangeWire = closedObject({
  finding: findingWire,
  in_use: field(Type.String(), 'The version of the parameters that is in use now.', example_version),
  before: field(Type.String(), 'The version that was in use before.', 'mvp20-2.anchored'),
});

/** @param own Our own bank, for the texts of its statements. */
export function toFindingWire(finding: Finding, own: ItemBank): Static<typeof findingWire> {
  const { id, item_ids, subject, compared_with, found_at, decided_at, ...rest } = finding;
  const { kind, decision } = rest;
  return {
    ...rest,
    finding_id: id,
    statements: item_ids.map((item_id) => {
      const item = own.itemsById.get(item_id);
      return { item_id, trait: item?.trait ?? null, text: item?.text ?? null };
    }),
    subject: subject || null,
    compared_with: compared_with || null,
    found_at: found_at.toISOString(),
    state: selectFindingState(finding),
    decided_at: decided_at?.toISOString() ?? null,
    choices: decision === null ? [...listChoices(kind)] : [],
  };
}

export function toDecisionChangeWire(
  { finding, in_use, before }: DecisionChange,
  own: ItemBank,
): Static<typeof decisionChangeWire> {
  return { finding: toFindingWire(finding, own), in_use, before };
}
