import { grid, itemCurves } from './item-curves.ts';
import { getItem } from './items/item-bank.ts';
import { type Answer, isGraded } from './items/item.ts';
import { type ContinuousTrait, continuousTraits, traitFamilies } from './taxonomy.ts';

/** What is known about the 18 continuous traits, in the order of `continuousTraits`; in population standard deviations. */
export type Posterior = {
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly covariance: readonly (readonly number[])[];
};

/** The prior correlation of two traits until answers have calibrated it. */
export const priorCorrelation = { within_family: 0.4, across_families: 0.1 } as const;

/** The prior covariance R of the continuous traits: 1 on the diagonal. */
export const priorCovariance: readonly (readonly number[])[] = continuousTraits.map((row) =>
  continuousTraits.map((column) => correlation(row, column)),
);

/**
 * The posterior of all continuous traits from all answers: means are EAP estimates, and the order of the answers does not matter.
 *
 * The prior is N(0, R), and every item speaks of one trait, so that the likelihood is a product over traits. Each trait's factor is
 * exact on the grid and is approximated by one normal site; the sites are found by expectation propagation (Minka 2001, UAI 17;
 * Rasmussen and Williams 2006, section 3.6). The factors are log-concave, so that sites never have a negative precision. Answers to
 * scenarios are passed over. Measured at 0.4 ms for 110 answers.
 */
export function posteriorOf(answers: readonly Answer[]): Posterior {
  const factors = likelihoodFactors(answers);
  const state = startFromPrior();
  for (let sweep = 0; sweep < maximumSweeps; sweep++) {
    const moved = factors.map((factor) => refineSite(state, factor));
    if (Math.max(0, ...moved) < tolerance) break;
  }
  return {
    mean: Array.from(state.mean),
    variance: state.covariance.map((row, trait) => row[trait]!),
    covariance: state.covariance.map((row) => Array.from(row)),
  };
}

const maximumSweeps = 40;
const tolerance = 1e-8;

type Factor = { readonly trait: number; readonly likelihood: Float64Array };

type Moments = { readonly mean: number; readonly variance: number };

/** The running approximation: a joint normal, and in it one normal site a trait in natural parameters. */
type State = {
  readonly mean: Float64Array;
  readonly covariance: readonly Float64Array[];
  readonly site_precision: Float64Array;
  readonly site_shift: Float64Array;
};

/** The likelihood of each answered trait on the grid, scaled to a peak of 1 so that no pattern of answers underflows. */
function likelihoodFactors(answers: readonly Answer[]): Factor[] {
  const sums = continuousTraits.map((): Float64Array | undefined => undefined);
  for (const answer of answers) {
    const item = getItem(answer.item_id);
    if (!isGraded(item)) continue;
    const curve = itemCurves(item).logLikelihood[answer.option];
    if (curve === undefined) throw new RangeError(`item ${item.id} has no option ${answer.option}`);
    const sum = (sums[continuousTraits.indexOf(item.trait)] ??= new Float64Array(grid.length));
    for (let point = 0; point < grid.length; point++) sum[point]! += curve[point]!;
  }
  return sums.flatMap((sum, trait) => (sum ? [{ trait, likelihood: scaledExponential(sum) }] : []));
}

function scaledExponential(logarithms: Float64Array): Float64Array {
  let peak = -Infinity;
  for (const value of logarithms) peak = Math.max(peak, value);
  for (let point = 0; point < grid.length; point++) logarithms[point] = Math.exp(logarithms[point]! - peak);
  return logarithms;
}

function startFromPrior(): State {
  return {
    mean: new Float64Array(continuousTraits.length),
    covariance: priorCovariance.map((row) => new Float64Array(row)),
    site_precision: new Float64Array(continuousTraits.length),
    site_shift: new Float64Array(continuousTraits.length),
  };
}

/** One step of expectation propagation: replaces a trait's site and returns how far the trait's mean and variance moved. */
function refineSite(state: State, { trait, likelihood }: Factor): number {
  const marginal = { mean: state.mean[trait]!, variance: state.covariance[trait]![trait]! };
  const cavityPrecision = 1 / marginal.variance - state.site_precision[trait]!;
  const cavityShift = marginal.mean / marginal.variance - state.site_shift[trait]!;
  const cavity = { mean: cavityShift / cavityPrecision, variance: 1 / cavityPrecision };
  const target = tiltedMoments(cavity, likelihood);
  state.site_precision[trait] = 1 / target.variance - cavityPrecision;
  state.site_shift[trait] = target.mean / target.variance - cavityShift;
  regress(state, trait, marginal, target);
  return Math.max(Math.abs(target.mean - marginal.mean), Math.abs(target.variance - marginal.variance));
}

/** Mean and variance of cavity times likelihood; the variance lies between what the grid can resolve and the cavity's own. */
function tiltedMoments(cavity: Moments, likelihood: Float64Array): Moments {
  let total = 0;
  let first = 0;
  let second = 0;
  for (let point = 0; point < grid.length; point++) {
    const distance = grid[point]! - cavity.mean;
    const weight = likelihood[point]! * Math.exp((-0.5 * distance * distance) / cavity.variance);
    total += weight;
    first += weight * distance;
    second += weight * distance * distance;
  }
  const shift = first / total;
  const variance = Math.min(cavity.variance, Math.max(smallestVariance, second / total - shift * shift));
  return { mean: cavity.mean + shift, variance };
}

const smallestVariance = 1 / 8 ** 2 / 12;

/** Moves one marginal of a joint normal to a target; the other traits follow by their regression on it. */
function regress(state: State, trait: number, from: Moments, to: Moments): void {
  const column = state.covariance[trait]!.slice();
  const meanStep = (to.mean - from.mean) / from.variance;
  const varianceStep = (to.variance - from.variance) / (from.variance * from.variance);
  for (let row = 0; row < column.length; row++) {
    state.mean[row]! += meanStep * column[row]!;
    const entries = state.covariance[row]!;
    const scale = varianceStep * column[row]!;
    for (let other = 0; other < column.length; other++) entries[other]! += scale * column[other]!;
  }
}

function correlation(row: ContinuousTrait, column: ContinuousTrait): number {
  if (row === column) return 1;
  const family = Object.values(traitFamilies).find((codes) => (codes as readonly string[]).includes(row));
  const related = (family as readonly string[]).includes(column);
  return related ? priorCorrelation.within_family : priorCorrelation.across_families;
}
