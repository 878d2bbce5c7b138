import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { categoricalTraitCodes } from '../taxonomy.ts';
import { computeAnswerQuality, type QualityFlag } from './answer-quality.ts';
import { computeCategoricalPosterior } from './categorical.ts';
import { discountChoices, discountVector } from './discount.ts';
import { addParameterErrors } from './parameter-errors.ts';
import { computePosterior } from './posterior.ts';
import { buildLatentVector, buildTraitVector, type LatentVector, type TraitVector } from './trait-vector.ts';

/** A measurement in the form that members read and in the form that matching reads. */
export type Measurement = {
  readonly vector: TraitVector;
  readonly latent: LatentVector;
  readonly quality_flags: readonly QualityFlag[];
  readonly answer_count: number;
  readonly parameter_version: string;
  /** Whether the parameters are not yet calibrated with the answers of enough respondents. */
  readonly provisional: boolean;
};

/**
 * Measures all traits from the answers of one assessment. The variances include the errors of the bank's parameters. Answers that say little
 * are discounted, which lowers the confidence.
 */
export function measureAnswers(answers: readonly Answer[], bank: ItemBank): Measurement {
  const answered = computePosterior(answers, bank);
  const { flags, trust } = computeAnswerQuality(answers, answered.mean, bank);
  const posterior = addParameterErrors(answered, answers, bank);
  const categorical = categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers, bank));
  return {
    vector: buildTraitVector(
      discountVector(posterior, trust),
      categorical.map((each) => discountChoices(each, trust)),
    ),
    latent: discountVector(buildLatentVector(posterior, categorical), trust),
    quality_flags: flags,
    answer_count: answers.length,
    parameter_version: bank.parameter_version,
    provisional: bank.provisional,
  };
}
