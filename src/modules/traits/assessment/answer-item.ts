import { Type } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { requireConsent } from '#modules/consent';
import { recordAssessmentPhase } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { traitsMeasured } from '../events.ts';
import type { ItemBank } from '../items/bank.ts';
import { listOptionTexts, type Answer } from '../items/item.ts';
import { computeAnswerQuality } from '../measurement/answer-quality.ts';
import { computeCategoricalPosterior } from '../measurement/categorical.ts';
import { chooseNextItem } from '../measurement/next-item.ts';
import { computePosterior } from '../measurement/posterior.ts';
import { buildLatentVector, buildTraitVector } from '../measurement/trait-vector.ts';
import {
  completeAssessment,
  findLastAnswerTime,
  insertAnswer,
  insertVector,
  listAnswers,
  lockNewestAssessment,
  type Assessment,
} from '../store.ts';
import { categoricalTraitCodes } from '../taxonomy.ts';
import { toAssessmentWire, assessmentWire } from '../wire.ts';
import { loadItemBank } from './parameters-in-use.ts';

const options_max = 10;
const response_time_ms_max = 3_600_000;

export const answerItem = operation({
  name: 'traits.answerItem',
  summary: 'Answers the current item of the assessment. `option` is the index of the chosen option, from 0.',
  who: ['member'],
  input: Type.Object({
    item_id: field(
      Type.String({ minLength: 1, maxLength: 100 }),
      'The id of next_item.',
      'analytical_depth_03',
    ),
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
  run: (context, { item_id, option }) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      await requireConsent(tx, member_id, 'assessment_data');
      const assessment = await lockOpenAssessment(tx, member_id);
      const before = await listAnswers(tx, assessment);
      const bank = await loadItemBank(context, tx, assessment.parameter_version);
      const asked = chooseNextItem(before, assessment.id, bank);
      if (asked?.id !== item_id) throw new Refusal('item_not_asked');
      if (option >= listOptionTexts(asked).length)
        throw createFieldRefusal(
          'option_out_of_range',
          '/option',
          'must be the index of an option of the item',
        );
      const response_time_ms = await computeResponseTime(tx, assessment, context.now());
      const answer = { item_id, option, response_time_ms };
      await insertAnswer(tx, assessment, before.length, answer, context.now());
      const answers = [...before, answer];
      const next = chooseNextItem(answers, assessment.id, bank);
      if (!next) await finishAssessment(context, tx, assessment, bank, answers);
      return toAssessmentWire(assessment.id, answers.length, next);
    }),
});

async function lockOpenAssessment(tx: Transaction, member_id: string): Promise<Assessment> {
  const newest = await lockNewestAssessment(tx, member_id);
  if (!newest) throw new Refusal('assessment_not_found');
  if (newest.completed_at) throw new Refusal('assessment_complete');
  return newest;
}

/**
 * Milliseconds since the last answer, which is when the reply showed this item. The limit is there because a pause in the assessment
 * is not thinking time.
 */
async function computeResponseTime(tx: Transaction, assessment: Assessment, now: Date): Promise<number> {
  const since = (await findLastAnswerTime(tx, assessment)) ?? assessment.started_at;
  return Math.min(response_time_ms_max, Math.max(0, now.getTime() - since.getTime()));
}

async function finishAssessment(
  context: Context<'member'>,
  tx: Transaction,
  assessment: Assessment,
  bank: ItemBank,
  answers: readonly Answer[],
): Promise<void> {
  const { member_id, item_bank_version, parameter_version } = assessment;
  const now = context.now();
  const posterior = computePosterior(answers, bank);
  const categorical = categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers));
  await completeAssessment(tx, assessment, computeAnswerQuality(answers).flags, now);
  await insertVector(tx, member_id, {
    item_bank_version,
    parameter_version,
    vector: buildTraitVector(posterior, categorical),
    latent: buildLatentVector(posterior, categorical),
    now,
  });
  await recordAssessmentPhase(context, tx, member_id, 'complete');
  await context.queue.emit(tx, traitsMeasured, { member_id });
}
