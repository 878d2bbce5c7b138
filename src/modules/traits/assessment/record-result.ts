import { recordAssessmentPhase } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { traitsMeasured } from '../events.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import {
  countAnswers,
  deletePreliminaryVectors,
  findNextVersion,
  insertVector,
  type Assessment,
} from '../store.ts';
import type { OpenAssessment } from './open-assessment.ts';

/**
 * Records the result of all answers so far as the member's trait vector. Before the assessment is complete, it is preliminary, and the
 * next result replaces it.
 *
 * @returns the assessment with this result.
 */
export async function recordResult(
  context: Context<'member'>,
  tx: Transaction,
  { assessment, answers, bank }: OpenAssessment,
  stage: Exclude<AssessmentStage, 'first'>,
): Promise<Assessment> {
  const { member_id, item_bank_version, parameter_version } = assessment;
  const now = context.now();
  const { quality_flags, ...measurement } = measureAnswers(answers, bank);
  await countAnswers(tx, assessment, { stage, flags: quality_flags, now });
  const version = await findNextVersion(tx, member_id);
  await deletePreliminaryVectors(tx, member_id);
  await insertVector(tx, member_id, {
    version,
    item_bank_version,
    parameter_version,
    stage: stage === 'deepening' && assessment.stage === 'first' ? 'first' : stage,
    ...measurement,
    now,
  });
  await recordAssessmentPhase(context, tx, member_id, 'complete');
  await context.queue.emit(tx, traitsMeasured, { member_id });
  return { ...assessment, stage, counted_answers: answers.length, completed_at: now, quality_flags };
}
