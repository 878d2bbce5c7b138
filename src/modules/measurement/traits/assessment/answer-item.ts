import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { listOptionTexts } from '../items/item.ts';
import { findDueResult } from '../measurement/stages.ts';
import { insertAnswer } from '../store.ts';
import { assessmentWire, example_item_id, toAssessmentWire } from '../wire.ts';
import { chooseItem, lockOpenAssessment, requireAskedItem, type OpenAssessment } from './open-assessment.ts';
import { recordResult } from './record-result.ts';

const options_max = 10;
const response_time_ms_max = 3_600_000;

export const answerItem = operation({
  name: 'traits.answerItem',
  summary:
    'Answers the current item of the assessment. `option` is the index of the chosen option, from 0. The first stage ends with a preliminary result and without a next item: going on is a choice, by `deepen` of POST /members/me/assessment.',
  who: ['member'],
  input: Type.Object({
    item_id: field(Type.String({ minLength: 1, maxLength: 100 }), 'The id of next_item.', example_item_id),
    option: field(
      Type.Integer({ minimum: 0, maximum: options_max }),
      'The chosen option; 0 is the first.',
      3,
    ),
  }),
  output: { 200: assessmentWire },
  refuses: [
    'consent_required',
    'assessment_not_found',
    'assessment_complete',
    'item_not_asked',
    'option_out_of_range',
  ],
  tools: [
    {
      name: 'answer_assessment_item',
      title: 'Answer an assessment item',
      kind: 'write',
      roles: ['member'],
      consent: 'Record your answers to the assessment',
      description:
        'Records the person’s own answer to the current question, and returns the next one, or null at the end of a stage. item_id is that of next_item; option is the index of the chosen option, from 0. Never choose for the person: invented answers are detected and make the result worthless.',
    },
  ],
  run: (context, { item_id, option }) =>
    context.transaction(async (tx) => {
      const open = await lockOpenAssessment(context, tx, context.caller.member_id);
      const { assessment, answers: before } = open;
      const asked = requireAskedItem(open, item_id);
      const now = context.now();
      if (option >= listOptionTexts(asked).length)
        throw createFieldRefusal(
          'option_out_of_range',
          '/option',
          'must be the index of an option of the item',
        );
      const answer = { item_id: asked.id, option, response_time_ms: computeResponseTime(open, now) };
      const answers = [...before, answer];
      const next = chooseItem({ ...open, answers });
      const result = findDueResult(answers.length, assessment.counted_answers, next === undefined);
      const endsStage = result !== undefined && assessment.stage === 'first';
      const asked_next = endsStage ? undefined : next;
      const next_item_id = asked_next?.id ?? null;
      await insertAnswer(tx, assessment, before.length, { ...answer, answered_at: now, next_item_id });
      const present = result
        ? await recordResult(context, tx, { ...open, answers }, { stage: result, next_item_id })
        : assessment;
      return toAssessmentWire({ ...open, assessment: present, answers }, asked_next);
    }),
});

/**
 * Milliseconds since the last answer, which is when the reply showed this item. The limit is there because a pause in the assessment
 * is not thinking time.
 */
function computeResponseTime({ asked }: OpenAssessment, now: Date): number {
  return Math.min(response_time_ms_max, Math.max(0, now.getTime() - asked.since.getTime()));
}
