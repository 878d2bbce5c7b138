import { recordAssessmentPhase } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { traitsMeasured } from '../events.ts';
import { computeAnswerQuality } from '../measurement/answer-quality.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import { countAnswers, deletePreliminaryVectors, findNextVersion } from '../store.ts';
import { measureAssessment } from './measure-assessment.ts';
import type { OpenAssessment } from './open-assessment.ts';

/**
 * Records the result of all answers so far as the member's trait vector. Before the assessment is complete, it is preliminary, and the
 * next result replaces it.
 */
export async function recordResult(
  context: Context<'member'>,
  tx: Transaction,
  { assessment, answers }: Pick<OpenAssessment, 'assessment' | 'answers'>,
  stage: Exclude<AssessmentStage, 'first'>,
): Promise<void> {
  const { member_id } = assessment;
  const now = context.now();
  await countAnswers(tx, assessment, { stage, flags: computeAnswerQuality(answers).flags, now });
  const version = await findNextVersion(tx, member_id);
  await deletePreliminaryVectors(tx, member_id);
  await measureAssessment(context, tx, assessment, {
    answers,
    version,
    stage: stage === 'deepening' && assessment.stage === 'first' ? 'first' : stage,
  });
  await recordAssessmentPhase(context, tx, member_id, 'complete');
  await context.queue.emit(tx, traitsMeasured, { member_id });
}
