import { findStatement, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { isSkipped, type Answer } from '../items/item.ts';
import { fillNormalWeights, getItemCurves, grid } from './item-curves.ts';

/** The posterior of the continuous traits, in the order of the bank (`continuousTraits`) and in population standard deviations. */
export type Posterior = {
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly covariance: readonly (readonly number[])[];
};

/**
 * Computes the posterior of all continuous traits from all answers. Means are EAP estimates; the order of the answers does not matter.
 *
 * The prior is N(0, R). Every item measures one trait, so the likelihood is a product over traits. The factor of each trait is exact on
 * the grid and is approximated by one normal site. Expectation propagation finds the sites (Minka 2001, UAI 17; Rasmussen and Williams
 * 2006, section 3.6). The factors are log-concave, so that no site has a negative precision. Ignores answers to scenarios. Takes 0.4 ms
 * for 110 answers.
 */
export function computePosterior(answers: readonly Answer[], bank: ItemBank<string> = itemBank): Posterior {
  const { mean, covariance } = approximatePosterior(answers, bank);
  const size = mean.length;
  return {
    mean: Array.from(mean),
    variance: Array.from(mean, (_, trait) => covariance[trait * size + trait]!),
    covariance: Array.from(mean, (_, row) => Array.from(covariance.subarray(row * size, (row + 1) * size))),
  };
}

/** Computes only the mean and variance of each trait, which is enough to choose the next item. */
export function computeMarginals(answers: readonly Answer[], bank: ItemBank<string>): readonly Moments[] {
  const { mean, covariance } = approximatePosterior(answers, bank);
  return Array.from(mean, (value, trait) => ({
    mean: value,
    variance: covariance[trait * mean.length + trait]!,
  }));
}

function approximatePosterior(answers: readonly Answer[], bank: ItemBank<string>): State {
  const factors = computeLikelihoodFactors(answers, bank);
  const state = startFromPrior(bank.covariance);
  for (let sweep = 0; sweep < maximumSweeps; sweep++) {
    let moved = 0;
    for (const factor of factors) moved = Math.max(moved, refineSite(state, factor));
    if (moved < tolerance) break;
  }
  return state;
}

const maximumSweeps = 40;
const tolerance = 1e-8;

type Factor = { readonly trait: number; readonly likelihood: Float64Array };

export type Moments = { readonly mean: number; readonly variance: number };

/** The current approximation: a joint normal distribution, and one normal site for each trait in natural parameters. */
type State = {
  readonly mean: Float64Array;
  /** By rows. */
  readonly covariance: Float64Array;
  readonly site_precision: Float64Array;
  readonly site_shift: Float64Array;
};

/** Computes the likelihood of each answered trait on the grid, scaled to a peak of 1 so that no pattern of answers underflows. */
function computeLikelihoodFactors(answers: readonly Answer[], bank: ItemBank<string>): Factor[] {
  const sums: (Float64Array | undefined)[] = bank.traits.map(() => undefined);
  for (const answer of answers) {
    const item = findStatement(bank, answer.item_id);
    if (item === undefined || isSkipped(item, answer.option)) continue;
    const curve = getItemCurves(item).logLikelihood[answer.option];
    if (curve === undefined) throw new RangeError(`item ${item.id} has no option ${answer.option}`);
    const sum = (sums[bank.slots.get(item.trait)!] ??= new Float64Array(grid.length));
    for (let point = 0; point < sum.length; point++) sum[point]! += curve[point]!;
  }
  return sums.flatMap((sum, trait) => (sum ? [{ trait, likelihood: computeScaledExponential(sum) }] : []));
}

function computeScaledExponential(logarithms: Float64Array): Float64Array {
  let peak = -Infinity;
  for (const value of logarithms) peak = Math.max(peak, value);
  for (let point = 0; point < grid.length; point++) logarithms[point] = Math.exp(logarithms[point]! - peak);
  return logarithms;
}

function startFromPrior(covariance: readonly (readonly number[])[]): State {
  return {
    mean: new Float64Array(covariance.length),
    covariance: Float64Array.from(covariance.flat()),
    site_precision: new Float64Array(covariance.length),
    site_shift: new Float64Array(covariance.length),
  };
}

/** Does one step of expectation propagation: replaces the site of a trait. @returns the larger change of the trait's mean and variance. */
function refineSite(state: State, { trait, likelihood }: Factor): number {
  const marginal = { mean: state.mean[trait]!, variance: state.covariance[trait * (state.mean.length + 1)]! };
  const cavityPrecision = 1 / marginal.variance - state.site_precision[trait]!;
  const cavityShift = marginal.mean / marginal.variance - state.site_shift[trait]!;
  const cavity = { mean: cavityShift / cavityPrecision, variance: 1 / cavityPrecision };
  const target = computeTiltedMoments(cavity, likelihood);
  state.site_precision[trait] = 1 / target.variance - cavityPrecision;
  state.site_shift[trait] = target.mean / target.variance - cavityShift;
  updateMarginal(state, trait, marginal, target);
  return Math.max(Math.abs(target.mean - marginal.mean), Math.abs(target.variance - marginal.variance));
}

/** Computes mean and variance of cavity times likelihood. The variance is limited to what the grid can resolve and to the cavity's variance. */
function computeTiltedMoments(cavity: Moments, likelihood: Float64Array): Moments {
  fillNormalWeights(weights, cavity.mean, cavity.variance);
  let total = 0;
  let first = 0;
  let second = 0;
  for (let point = 0; point < grid.length; point++) {
    const distance = grid[point]! - cavity.mean;
    const weight = likelihood[point]! * weights[point]!;
    total += weight;
    first += weight * distance;
    second += weight * distance * distance;
  }
  const shift = first / total;
  const variance = Math.min(cavity.variance, Math.max(smallestVariance, second / total - shift * shift));
  return { mean: cavity.mean + shift, variance };
}

const weights = new Float64Array(grid.length);

const smallestVariance = 1 / 8 ** 2 / 12;

/** Moves one marginal of a joint normal distribution to a target. The other traits follow by their regression on it. */
function updateMarginal({ mean, covariance }: State, trait: number, from: Moments, to: Moments): void {
  const size = mean.length;
  const column = covariance.slice(trait * size, (trait + 1) * size);
  const meanStep = (to.mean - from.mean) / from.variance;
  const varianceStep = (to.variance - from.variance) / (from.variance * from.variance);
  for (let row = 0, entry = 0; row < size; row++) {
    mean[row]! += meanStep * column[row]!;
    const scale = varianceStep * column[row]!;
    for (let other = 0; other < size; other++, entry++) covariance[entry]! += scale * column[other]!;
  }
}
