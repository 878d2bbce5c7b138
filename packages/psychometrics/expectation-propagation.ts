import { computeNormalAverage, fillNormalWeights, grid } from './item-curves.ts';

export type Moments = { readonly mean: number; readonly variance: number };

/** What the answers say about one trait: its likelihood on the grid, up to a factor. `trait` is its place in the covariance. */
export type LikelihoodFactor = { readonly trait: number; readonly likelihood: Float64Array };

/** A joint normal distribution of traits. */
export type JointNormal = {
  readonly mean: Float64Array;
  /** By rows. */
  readonly covariance: Float64Array;
};

/**
 * Approximates the posterior of correlated traits by one joint normal distribution, whose means are EAP estimates.
 *
 * The prior is N(0, R). Every item measures one trait, so the likelihood is a product over traits. The factor of each trait is exact on
 * the grid and is approximated by one normal site. Expectation propagation finds the sites (Minka 2001, UAI 17; Rasmussen and Williams
 * 2006, section 3.6). The factors have to be log-concave, as those of the graded response model are, so that no site has a negative precision.
 *
 * @param prior R, by rows.
 */
export function approximatePosterior(
  prior: readonly (readonly number[])[],
  factors: readonly LikelihoodFactor[],
): JointNormal {
  return refineSites(prior, factors, tolerance);
}

function refineSites(
  prior: readonly (readonly number[])[],
  factors: readonly LikelihoodFactor[],
  smallest_move: number,
): State {
  const state = startFromPrior(prior);
  for (let sweep = 0; sweep < maximumSweeps; sweep++) {
    let moved = 0;
    for (const factor of factors) moved = Math.max(moved, refineSite(state, factor));
    if (moved < smallest_move) break;
  }
  return state;
}

/**
 * Computes ln of the probability of the answers over the population, from the same approximation (Rasmussen and Williams 2006, section
 * 3.6.2). With the log-partition F = (ln |V| + m' inv(V) m) / 2 of a normal distribution with mean m and covariance V, it is F of the
 * posterior less F of the prior, plus, for each trait, ln of the mean of the likelihood over the cavity and F of the cavity less F of the
 * marginal. The error is below 0.01 for answers of one person.
 */
export function computeLogEvidence(
  prior: readonly (readonly number[])[],
  factors: readonly LikelihoodFactor[],
): number {
  const state = refineSites(prior, factors, evidenceTolerance);
  let twice = state.log_volume;
  let sum = 0;
  for (const { trait, likelihood } of factors) {
    const { cavity, marginal } = splitMarginal(state, trait);
    twice +=
      state.mean[trait]! * state.site_shift[trait]! +
      computeTwicePartition(cavity) -
      computeTwicePartition(marginal);
    sum += Math.log(computeNormalAverage(likelihood, cavity.mean, cavity.variance));
  }
  return twice / 2 + sum;
}

function computeTwicePartition({ mean, variance }: Moments): number {
  return Math.log(variance) + (mean * mean) / variance;
}

/** The evidence is stationary at the fixed point, so that it needs fewer sweeps than the posterior. */
const evidenceTolerance = 1e-2;

const maximumSweeps = 40;
const tolerance = 1e-8;

/** The current approximation: a joint normal distribution, and one normal site for each trait in natural parameters. */
type State = JointNormal & {
  readonly site_precision: Float64Array;
  readonly site_shift: Float64Array;
  /** ln of the determinant of the covariance, less that of the prior. */
  log_volume: number;
};

function startFromPrior(covariance: readonly (readonly number[])[]): State {
  return {
    mean: new Float64Array(covariance.length),
    covariance: Float64Array.from(covariance.flat()),
    site_precision: new Float64Array(covariance.length),
    site_shift: new Float64Array(covariance.length),
    log_volume: 0,
  };
}

/** Does one step of expectation propagation: replaces the site of a trait. @returns the larger change of the trait's mean and variance. */
function refineSite(state: State, { trait, likelihood }: LikelihoodFactor): number {
  const { marginal, cavity } = splitMarginal(state, trait);
  const target = computeTiltedMoments(cavity, likelihood);
  state.site_precision[trait] = 1 / target.variance - 1 / cavity.variance;
  state.site_shift[trait] = target.mean / target.variance - cavity.mean / cavity.variance;
  state.log_volume += Math.log(target.variance / marginal.variance);
  updateMarginal(state, trait, marginal, target);
  return Math.max(Math.abs(target.mean - marginal.mean), Math.abs(target.variance - marginal.variance));
}

/** Returns the marginal of a trait, and the cavity: the marginal without the trait's own site. */
function splitMarginal(
  state: State,
  trait: number,
): { readonly marginal: Moments; readonly cavity: Moments } {
  const marginal = { mean: state.mean[trait]!, variance: state.covariance[trait * (state.mean.length + 1)]! };
  const precision = 1 / marginal.variance - state.site_precision[trait]!;
  const shift = marginal.mean / marginal.variance - state.site_shift[trait]!;
  return { marginal, cavity: { mean: shift / precision, variance: 1 / precision } };
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
