import { fillNormalWeights, grid } from './item-curves.ts';

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
  const state = startFromPrior(prior);
  for (let sweep = 0; sweep < maximumSweeps; sweep++) {
    let moved = 0;
    for (const factor of factors) moved = Math.max(moved, refineSite(state, factor));
    if (moved < tolerance) break;
  }
  return state;
}

const maximumSweeps = 40;
const tolerance = 1e-8;

/** The current approximation: a joint normal distribution, and one normal site for each trait in natural parameters. */
type State = JointNormal & { readonly site_precision: Float64Array; readonly site_shift: Float64Array };

function startFromPrior(covariance: readonly (readonly number[])[]): State {
  return {
    mean: new Float64Array(covariance.length),
    covariance: Float64Array.from(covariance.flat()),
    site_precision: new Float64Array(covariance.length),
    site_shift: new Float64Array(covariance.length),
  };
}

/** Does one step of expectation propagation: replaces the site of a trait. @returns the larger change of the trait's mean and variance. */
function refineSite(state: State, { trait, likelihood }: LikelihoodFactor): number {
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
