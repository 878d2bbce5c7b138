import {
  approximatePosterior,
  getItemCurves,
  grid,
  type LikelihoodFactor,
  type Moments,
} from '@tessera/psychometrics';
import { findStatement, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { isSkipped, type Answer } from '../items/item.ts';
import { createWeigher } from './answer-weights.ts';

/** The posterior of the continuous traits, in the order of the bank (`continuousTraits`) and in population standard deviations. */
export type Posterior = {
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly covariance: readonly (readonly number[])[];
};

/**
 * Computes the posterior of all continuous traits from all answers. Means are EAP estimates; the order of the answers does not matter.
 *
 * Every statement measures one trait, so that {@link approximatePosterior} needs one factor for each answered trait. Ignores answers to
 * scenarios. Takes 0.4 ms for 110 answers.
 */
export function computePosterior(answers: readonly Answer[], bank: ItemBank<string> = itemBank): Posterior {
  const { mean, covariance } = approximatePosterior(bank.covariance, computeLikelihoodFactors(answers, bank));
  const size = mean.length;
  return {
    mean: Array.from(mean),
    variance: Array.from(mean, (_, trait) => covariance[trait * size + trait]!),
    covariance: Array.from(mean, (_, row) => Array.from(covariance.subarray(row * size, (row + 1) * size))),
  };
}

/** Computes only the mean and variance of each trait, which is enough to choose the next item. */
export function computeMarginals(answers: readonly Answer[], bank: ItemBank<string>): readonly Moments[] {
  const { mean, covariance } = approximatePosterior(bank.covariance, computeLikelihoodFactors(answers, bank));
  return Array.from(mean, (value, trait) => ({
    mean: value,
    variance: covariance[trait * mean.length + trait]!,
  }));
}

/**
 * Estimates each answered trait from its own statements alone: the mean of the posterior under a standard normal prior, without what other
 * traits say. By this, people of several groups are compared. Traits without answers are undefined.
 */
export function estimateAlone(
  answers: readonly Answer[],
  bank: ItemBank<string>,
): readonly (number | undefined)[] {
  const estimates: (number | undefined)[] = bank.traits.map(() => undefined);
  for (const { trait, likelihood } of computeLikelihoodFactors(answers, bank)) {
    let [total, sum] = [0, 0];
    for (let point = 0; point < grid.length; point++) {
      const weight = populationWeights[point]! * likelihood[point]!;
      total += weight;
      sum += weight * grid[point]!;
    }
    estimates[trait] = sum / total;
  }
  return estimates;
}

const populationWeights = grid.map((theta) => Math.exp((-theta * theta) / 2));

/** Computes the likelihood of each answered trait on the grid, scaled to a peak of 1 so that no pattern of answers underflows. */
function computeLikelihoodFactors(answers: readonly Answer[], bank: ItemBank<string>): LikelihoodFactor[] {
  const sums: (Float64Array | undefined)[] = bank.traits.map(() => undefined);
  const weigh = createWeigher(answers, bank);
  for (const answer of answers) {
    const item = findStatement(bank, answer.item_id);
    if (item === undefined || isSkipped(item, answer.option)) continue;
    const curve = getItemCurves(item).logLikelihood[answer.option];
    if (curve === undefined) throw new RangeError(`item ${item.id} has no option ${answer.option}`);
    const weight = weigh(item);
    if (weight === 0) continue;
    const sum = (sums[bank.slots.get(item.trait)!] ??= new Float64Array(grid.length));
    for (let point = 0; point < sum.length; point++) sum[point]! += weight * curve[point]!;
  }
  return sums.flatMap((sum, trait) => (sum ? [{ trait, likelihood: computeScaledExponential(sum) }] : []));
}

function computeScaledExponential(logarithms: Float64Array): Float64Array {
  let peak = -Infinity;
  for (const value of logarithms) peak = Math.max(peak, value);
  for (let point = 0; point < grid.length; point++) logarithms[point] = Math.exp(logarithms[point]! - peak);
  return logarithms;
}
