import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { deleteLastAnswer, updateNextItem } from '../store.ts';
import { assessmentWire, example_item_id, toAssessmentWire } from '../wire.ts';
import { lockOpenAssessment, requireAskedItem } from './open-assessment.ts';

export const undoAnswer = operation({
  name: 'traits.undoAnswer',
  title: 'Go back one step in the assessment',
  summary:
    'Deletes the last answer of the assessment, and asks its item again. Answers that a result is based on cannot be undone.',
  who: ['member'],
  input: Type.Object({
    item_id: Type.Optional(
      field(
        Type.String({ minLength: 1, maxLength: 100 }),
        'The id of next_item. With it, a request that is sent twice goes back only one step.',
        example_item_id,
      ),
    ),
  }),
  output: { 200: assessmentWire },
  refuses: [
    'consent_required',
    'assessment_not_found',
    'assessment_complete',
    'item_not_asked',
    'no_answer_to_undo',
  ],
  run: (context, { item_id }) =>
    context.transaction(async (tx) => {
      const open = await lockOpenAssessment(context, tx, context.caller.member_id);
      const { assessment, answers, bank } = open;
      if (item_id !== undefined) requireAskedItem(open, item_id);
      const undone = await deleteLastAnswer(tx, assessment);
      if (undone === undefined) throw new Refusal('no_answer_to_undo');
      await updateNextItem(tx, assessment, undone);
      return toAssessmentWire({ ...open, answers: answers.slice(0, -1) }, bank.itemsById.get(undone));
    }),
});
