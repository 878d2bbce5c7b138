import { recordAssessmentPhase } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { traitsMeasured } from '../events.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import { countAnswers, deletePreliminaryVectors, findNextVersion, type Assessment } from '../store.ts';
import { measureAssessment } from './measure-assessment.ts';
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
  const { member_id } = assessment;
  const now = context.now();
  const { quality_flags } = measureAnswers(answers, bank);
  await countAnswers(tx, assessment, { stage, flags: quality_flags, now });
  const version = await findNextVersion(tx, member_id);
  await deletePreliminaryVectors(tx, member_id);
  await measureAssessment(context, tx, assessment, {
    answers,
    version,
    stage: stage === 'deepening' && assessment.stage === 'first' ? 'first' : stage,
  });
  await recordAssessmentPhase(context, tx, member_id, 'complete');
  await context.queue.emit(tx, traitsMeasured, { member_id });
  return { ...assessment, stage, counted_answers: answers.length, completed_at: now, quality_flags };
}
