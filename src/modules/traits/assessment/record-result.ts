import { recordAssessmentPhase } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { traitsMeasured } from '../events.ts';
import { computeAnswerQuality } from '../measurement/answer-quality.ts';
import { computeCategoricalPosterior } from '../measurement/categorical.ts';
import { computePosterior } from '../measurement/posterior.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import { buildLatentVector, buildTraitVector } from '../measurement/trait-vector.ts';
import { countAnswers, deletePreliminaryVectors, findNextVersion, insertVector } from '../store.ts';
import { categoricalTraitCodes } from '../taxonomy.ts';
import type { OpenAssessment } from './open-assessment.ts';

/**
 * Records the result of all answers so far as the member's trait vector. Before the assessment is complete, it is preliminary, and the
 * next result replaces it.
 */
export async function recordResult(
  context: Context<'member'>,
  tx: Transaction,
  { assessment, answers, bank }: OpenAssessment,
  stage: Exclude<AssessmentStage, 'first'>,
): Promise<void> {
  const { member_id, item_bank_version, parameter_version } = assessment;
  const now = context.now();
  const posterior = computePosterior(answers, bank);
  const categorical = categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers));
  await countAnswers(tx, assessment, { stage, flags: computeAnswerQuality(answers).flags, now });
  const version = await findNextVersion(tx, member_id);
  await deletePreliminaryVectors(tx, member_id);
  await insertVector(tx, member_id, {
    version,
    item_bank_version,
    parameter_version,
    stage: stage === 'deepening' && assessment.stage === 'first' ? 'first' : stage,
    vector: buildTraitVector(posterior, categorical),
    latent: buildLatentVector(posterior, categorical),
    now,
  });
  await recordAssessmentPhase(context, tx, member_id, 'complete');
  await context.queue.emit(tx, traitsMeasured, { member_id });
}
