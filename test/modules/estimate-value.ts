import {
  boundWeight,
  computeChoiceProbabilities,
  computeExpectedValues,
  evaluationTemperature,
  type Choice,
} from '../../src/modules/matching/learning/estimation/estimate-gain.ts';

/** The value of a policy by three estimators: inverse propensities, the same normalised by their sum, and doubly robust. */
export type ValueEstimates = { readonly ips: number; readonly snips: number; readonly doubly_robust: number };

/** Estimates the value of one policy from the outcomes of others, by three estimators, to compare them. */
export function estimateValue(
  choices: readonly Choice[],
  multipliers: readonly number[],
  model: Float64Array,
  temperature = evaluationTemperature,
): ValueEstimates {
  let [sum, importances, robust] = [0, 0, 0];
  for (const { candidates, propensity, value } of choices) {
    const probabilities = computeChoiceProbabilities(candidates, multipliers, temperature);
    const predicted = computeExpectedValues(candidates, model);
    const importance = boundWeight(probabilities[0]! / propensity);
    sum += importance * value;
    importances += importance;
    robust += importance * (value - predicted[0]!);
    for (const [index, probability] of probabilities.entries()) robust += probability * predicted[index]!;
  }
  return { ips: sum / choices.length, snips: sum / importances, doubly_robust: robust / choices.length };
}
