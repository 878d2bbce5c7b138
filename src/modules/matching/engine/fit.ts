import { limitPriorities } from '#modules/matching/jobs';
import {
  builtInNorms,
  traitCodes,
  type TraitCode,
  type TraitNorms,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { boundMean, traitSlotCount, toTraitWeights } from './slots.ts';

/** The posterior of a member's fit for a job, in standard deviations of the fit in the population; 0 is average. It never leaves the service. */
export type Fit = { readonly mean: number; readonly sd: number };

/** The weights of a job's fit, in slot order and on one scale for all jobs. */
export type FitWeights = {
  /** The weights of the relative means, from {@link computeRelativeMeans}; none is negative, so that the scan can use them. */
  readonly relative: Float64Array;
  /** The weights of the same fit for the traits themselves; some are negative. */
  readonly effects: Float64Array;
  /** The standard deviation of the error of the fit that all members share, because the means of the traits in the population may be wrong. */
  readonly shared_sd: number;
};

/**
 * The priorities of typical work: the mean of the templates of the 922 occupations that `npm run bench -- fit` reads. The fit for typical
 * work is what a member brings to any job. This includes a tendency to describe oneself favourably, which raises all traits at once.
 */
const typicalPriorities: Readonly<Partial<Record<TraitCode, number>>> = {
  pressure_response: 0.32,
  ambiguity_tolerance: 0.25,
  change_agility: 0.3,
  recovery_resilience: 0.2,
  analytical_depth: 0.26,
  exploratory_curiosity: 0.19,
  structure_preference: 0.48,
  collaborative_orientation: 0.27,
  social_initiative: 0.17,
  empathic_attunement: 0.25,
  achievement_drive: 0.28,
  autonomy_drive: 0.3,
  purpose_orientation: 0.11,
  persistence: 0.28,
  sincerity: 0.35,
  fair_dealing: 0.44,
  accountability: 0.44,
  discretion: 0.22,
};

/**
 * The share of the fit for typical work that is removed from every fit. Without it, the fits of two occupations correlate by 0.90 and a
 * tenth of the members have four fifths of the strong matches. With 1, a job that asks for exactly the typical traits would fit everyone
 * equally. docs/decisions/matching.md compares the alternatives.
 */
const removedShare = 0.9;

const typicalWeights = Float64Array.from(traitCodes, (code) => typicalPriorities[code] ?? 0);

/**
 * The change of each trait's expected value with the fit for typical work: R t / (t'R t), where t are the typical weights and R the judged
 * correlations. It belongs to the definition of a fit: it stays the same when a calibration changes the correlations, so that the means in
 * memory do not depend on a version and jobs ask for the same as before.
 */
const typicalSlopes = ((products) => {
  const variance = dot(products, typicalWeights);
  return products.map((product) => product / variance);
})(multiplyByCorrelations(builtInNorms, typicalWeights));

/**
 * Computes the weights of the fit z = v·mu / sqrt(v'Rv), where v = w - 0.9 (w·s) t, w are the job's priorities, t are the typical weights
 * and s their slopes, and R are the correlations of the norms. No priority has more than 40 % of the weight. The standard deviation of z in the population is 1, so that the same cuts apply to all jobs. All members of a list must be measured with the parameters that the norms belong to. v·mu equals w·x for the
 * relative means x, which the population stores. Therefore the scan needs no negative weights.
 *
 * @throws RangeError if no priority is above zero.
 */
export function computeFitWeights(priorities: TraitPriorities, norms: TraitNorms): FitWeights {
  const weights = limitWeights(scaleToOne(toTraitWeights(priorities)));
  const general = removedShare * dot(weights, typicalSlopes);
  const effects = weights.map((weight, slot) => weight - general * typicalWeights[slot]!);
  const deviation = computeDeviation(norms, effects);
  const scaled = effects.map((effect) => effect / deviation);
  return {
    relative: weights.map((weight) => weight / deviation),
    effects: scaled,
    shared_sd: Math.hypot(...scaled.map((effect, slot) => effect * norms.shared_errors[slot]!)),
  };
}

/**
 * Computes the relative means x = mu - 0.9 (t·mu) s: what remains of each trait if most of what the fit for typical work predicts is
 * removed. Clamped to what a slot can hold.
 */
export function computeRelativeMeans(mean: ArrayLike<number>): Float64Array {
  let general = 0;
  for (let trait = 0; trait < traitSlotCount; trait += 1) general += typicalWeights[trait]! * mean[trait]!;
  const relative = new Float64Array(traitSlotCount);
  for (let trait = 0; trait < traitSlotCount; trait += 1)
    relative[trait] = boundMean(mean[trait]! - removedShare * general * typicalSlopes[trait]!);
  return relative;
}

/**
 * Computes a member's fit from the posterior means and variances of the traits: z = w·x and Var = v'Sv. S is diagonal: posterior covariances
 * of traits are small once items are answered, so they are not stored.
 */
export function computeFit(
  { relative, effects }: Pick<FitWeights, 'relative' | 'effects'>,
  mean: ArrayLike<number>,
  variance: ArrayLike<number>,
): Fit {
  return computeRelativeFit({ relative, effects, offset: 0 }, computeRelativeMeans(mean), variance);
}

/** Computes a fit like {@link computeFit} from relative means, with weights that begin at an offset of longer arrays. */
export function computeRelativeFit(
  { relative, effects, offset }: Pick<FitWeights, 'relative' | 'effects'> & { readonly offset: number },
  means: Float64Array,
  variance: ArrayLike<number>,
): Fit {
  let mean = 0;
  let uncertainty = 0;
  for (let trait = 0; trait < traitSlotCount; trait += 1) {
    const effect = effects[offset + trait]!;
    mean += relative[offset + trait]! * means[trait]!;
    uncertainty += effect * effect * variance[trait]!;
  }
  return { mean, sd: Math.sqrt(uncertainty) };
}

/** Computes the standard deviation of a fit whose traits all have a standard deviation of 1. */
export function computeVectorLength(effects: Float64Array): number {
  return Math.sqrt(dot(effects, effects));
}

/**
 * Computes weights for a plain sum of traits, divided by the standard deviation of the sum in the population, sqrt(w'Rw),
 * where R are the judged correlations.
 *
 * @throws RangeError if no priority is above zero.
 */
export function computeStandardWeights(priorities: TraitPriorities): Float64Array {
  const weights = scaleToOne(toTraitWeights(priorities));
  const deviation = computeDeviation(builtInNorms, weights);
  return weights.map((weight) => weight / deviation);
}

/** Limits each trait to 40 % of the weight, so that no tier speaks of a single trait (docs/decisions/privacy-of-numbers.md). */
function limitWeights(weights: Float64Array): Float64Array {
  const priorities = Object.fromEntries(traitCodes.map((code, slot) => [code, weights[slot]!]));
  return toTraitWeights(limitPriorities(priorities).priorities);
}

/** Scales weights to a largest one of 1, because the squares of tiny priorities would underflow. */
function scaleToOne(weights: Float64Array): Float64Array {
  const largest = Math.max(...weights);
  if (largest === 0) throw new RangeError('At least one trait priority must be above zero.');
  return weights.map((weight) => weight / largest);
}

/** Computes the standard deviation of a weighted sum in the population, sqrt(w'Rw). */
function computeDeviation(norms: TraitNorms, weights: Float64Array): number {
  return Math.sqrt(dot(weights, multiplyByCorrelations(norms, weights)));
}

function multiplyByCorrelations({ correlations }: TraitNorms, weights: Float64Array): Float64Array {
  return Float64Array.from(correlations, (row) =>
    row.reduce((sum, correlation, slot) => sum + correlation * weights[slot]!, 0),
  );
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let slot = 0; slot < one.length; slot += 1) sum += one[slot]! * other[slot]!;
  return sum;
}
