import { computeStudentQuantile, logistic } from '@tessera/psychometrics';
import { feature_count, trait_count } from './features.ts';

/**
 * One outcome with what could have been chosen instead. The candidates are of one job and one tier, in which the service's order is random, so that
 * the propensity is known.
 */
export type Choice = {
  /** The features of all candidates; the chosen one is the first. */
  readonly candidates: Float64Array;
  /** How probable the chosen one was, among these candidates. */
  readonly propensity: number;
  readonly value: number;
  readonly weight: number;
  /** Outcomes of one organisation are not independent. */
  readonly org_id: string;
  readonly occupation_group: string | null;
};

export type GainEstimate = {
  readonly gain: number;
  /** The gain is larger with 95 % probability. */
  readonly lower_bound: number;
  /** The effective sample size of the candidate policy, as a share of the outcomes: of the weights with which the estimate is made, after they are cut. */
  readonly effective_share: number;
  readonly outcomes: number;
  readonly organisations: number;
};

/** How sharply a policy prefers a better fit within a tier, in standard deviations of the fit: the temperature of the softmax. */
export const evaluationTemperature = 0.25;

/** Weights of propensities above this are cut, which biases the estimate a little towards the model and bounds its variance. */
const weight_max = 10;

/**
 * Estimates how much better outcomes would be if the candidate policy chose within tiers instead of the live one: doubly robust (Dudík, Langford and Li 2011),
 * Σ (π₁ - π₀) q + (π₁ - π₀) / p (y - q). It is right if the propensities are right, and precise if the model q is. Both policies are estimated from the same
 * outcomes, so that the difference has a smaller error than either. The error counts organisations, not outcomes, and few organisations, or a few with most
 * of the weight, make the lower bound lower (Student's t with as many degrees of freedom as effective organisations but one).
 */
export function estimateGain(
  choices: readonly Choice[],
  { live, candidate, model, temperature = evaluationTemperature }: ComparedPolicies,
): GainEstimate {
  const gains = choices.map((choice) => {
    const { candidates, occupation_group: group } = choice;
    const before = computeChoiceProbabilities(candidates, live(group), temperature);
    const after = computeChoiceProbabilities(candidates, candidate(group), temperature);
    const differences = after.map((probability, index) => probability - before[index]!);
    const predicted = computeExpectedValues(candidates, model(group));
    const ratio = boundWeight(differences[0]! / choice.propensity);
    const expected = differences.reduce((sum, difference, index) => sum + difference * predicted[index]!, 0);
    return {
      gain: expected + ratio * (choice.value - predicted[0]!),
      importance: boundWeight(after[0]! / choice.propensity),
    };
  });
  return summariseGains(choices, gains);
}

export type GroupLookup<Numbers> = (occupation_group: string | null) => Numbers;

/** The multipliers of two policies, and the coefficients of the outcome model, which other outcomes have to be fitted to. */
export type ComparedPolicies = {
  readonly live: GroupLookup<readonly number[]>;
  readonly candidate: GroupLookup<readonly number[]>;
  readonly model: GroupLookup<Float64Array>;
  readonly temperature?: number;
};

export function boundWeight(weight: number): number {
  return Math.min(weight_max, Math.max(-weight_max, weight));
}

function summariseGains(
  choices: readonly Choice[],
  gains: readonly { readonly gain: number; readonly importance: number }[],
): GainEstimate {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0)
    return { gain: 0, lower_bound: -Infinity, effective_share: 0, outcomes: 0, organisations: 0 };
  const gain = choices.reduce((sum, { weight }, index) => sum + weight * gains[index]!.gain, 0) / total;
  const organisations = sumByOrganisation(choices, (index) => gains[index]!.gain - gain);
  return {
    gain,
    lower_bound: gain - computeMargin([...organisations.values()]) / total,
    effective_share: computeEffectiveShare(
      gains.map(({ importance }, index) => importance * choices[index]!.weight),
    ),
    outcomes: choices.length,
    organisations: organisations.size,
  };
}

/** What the outcomes of one organisation weigh, and by how much they deviate. */
type OrganisationSum = { readonly weight: number; readonly deviation: number };

function sumByOrganisation(
  choices: readonly Choice[],
  readDeviation: (index: number) => number,
): ReadonlyMap<string, OrganisationSum> {
  const sums = new Map<string, OrganisationSum>();
  for (const [index, { org_id, weight }] of choices.entries()) {
    const before = sums.get(org_id) ?? { weight: 0, deviation: 0 };
    sums.set(org_id, {
      weight: before.weight + weight,
      deviation: before.deviation + weight * readDeviation(index),
    });
  }
  return sums;
}

/** How far below the sum of all gains its one-sided 95 % bound is. */
function computeMargin(organisations: readonly OrganisationSum[]): number {
  if (organisations.length < 2) return Infinity;
  const variance = organisations.reduce((sum, { deviation }) => sum + deviation ** 2, 0);
  const correction = organisations.length / (organisations.length - 1);
  const effective = organisations.length * computeEffectiveShare(organisations.map(({ weight }) => weight));
  return computeStudentQuantile(effective - 1) * Math.sqrt(variance * correction);
}

/** Computes the effective sample size (Kish) as a share of the sample: (Σ ρ)² / (n Σ ρ²). */
export function computeEffectiveShare(importances: readonly number[]): number {
  const sum = importances.reduce((total, each) => total + each, 0);
  const squares = importances.reduce((total, each) => total + each ** 2, 0);
  return squares === 0 ? 0 : sum ** 2 / (importances.length * squares);
}

/** Computes how probable each candidate is under a policy: a softmax of the fit that the multipliers give. */
export function computeChoiceProbabilities(
  candidates: Float64Array,
  multipliers: readonly number[],
  temperature = evaluationTemperature,
): Float64Array {
  const count = candidates.length / feature_count;
  const scores = new Float64Array(count);
  let best = -Infinity;
  for (let index = 0; index < count; index += 1) {
    let score = 0;
    for (let trait = 0; trait < trait_count; trait += 1)
      score += multipliers[trait]! * candidates[index * feature_count + trait]!;
    scores[index] = score / temperature;
    best = Math.max(best, scores[index]!);
  }
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += scores[index] = Math.exp(scores[index]! - best);
  return scores.map((score) => score / sum);
}

/** Predicts the outcome of each candidate by the model. */
export function computeExpectedValues(candidates: Float64Array, model: Float64Array): Float64Array {
  const predicted = new Float64Array(candidates.length / feature_count);
  for (let index = 0; index < predicted.length; index += 1) {
    let sum = 0;
    for (let i = 0; i < feature_count; i += 1) sum += model[i]! * candidates[index * feature_count + i]!;
    predicted[index] = logistic(sum);
  }
  return predicted;
}
