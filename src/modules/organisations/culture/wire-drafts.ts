import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { bravingItems, cvfBlocks, questionnaireVersion, statementIds } from './questionnaire.ts';
import { computeDraftEnd, type Draft } from './rules.ts';
import type { Answers } from './score.ts';
import { blockOrder, itemOption } from './wire.ts';

function buildPartialSchema(ids: readonly string[], schema: typeof itemOption | typeof blockOrder) {
  return closedObject(Object.fromEntries(ids.map((id) => [id, Type.Optional(schema)])));
}

/** Answers to any items and blocks, each by its id. */
export const partialAnswersInput = Type.Unsafe<Answers>(
  closedObject({
    braving: field(
      buildPartialSchema(
        bravingItems.map(({ item_id }) => item_id),
        itemOption,
      ),
      'Answers to statements about trust.',
    ),
    cvf: field(
      buildPartialSchema(
        cvfBlocks.map(({ block_id }) => block_id),
        blockOrder,
      ),
      'The order of the statements in blocks.',
    ),
  }),
);

const example_time = '2026-03-02T09:00:00.000Z';

/** The caller's own answers that are not sent. */
export const draftWire = closedObject(
  {
    questionnaire_version: Type.String(),
    answers: field(
      closedObject({
        braving: Type.Record(Type.String(), Type.Integer(), {
          description: 'Your answers to statements about trust, by the id of the item.',
          examples: [{ [bravingItems[0]!.item_id]: 3 }],
        }),
        cvf: Type.Record(Type.String(), Type.Array(Type.Enum(statementIds)), {
          description: 'Your order of the statements, by the id of the block.',
          examples: [{ [cvfBlocks[0]!.block_id]: [...statementIds] }],
        }),
      }),
      'What is saved. Only you can read it.',
    ),
    saved_at: field(
      nullable(timestamp),
      'When the last answer was saved; null if there is no draft.',
      example_time,
    ),
    kept_until: field(
      nullable(timestamp),
      'When the draft is deleted unless another answer is saved; null if there is no draft.',
      '2026-04-01T09:00:00.000Z',
    ),
  },
  { $id: 'CultureDraft' },
);

export function toDraftWire(draft: Draft | undefined): Static<typeof draftWire> {
  return {
    questionnaire_version: questionnaireVersion,
    answers: {
      braving: { ...draft?.braving },
      cvf: Object.fromEntries(Object.entries(draft?.cvf ?? {}).map(([id, order]) => [id, [...order]])),
    },
    saved_at: draft?.saved_at.toISOString() ?? null,
    kept_until: draft ? computeDraftEnd(draft.saved_at).toISOString() : null,
  };
}
