import { solveSystem } from '@tessera/psychometrics';
import { feature_count } from './features.ts';

/** Who was chosen among whom. */
export type ChoiceSet = {
  /** The features of all candidates; the chosen one is the first. */
  readonly candidates: Float64Array;
  /** What was logged: how probable it was that each is shown first, in the same order. */
  readonly logged: readonly number[];
  /** How much it counts. */
  readonly weight: number;
};

/** How strongly organisations may prefer a feature, as a standard deviation before any choice: without evidence, the logged propensities stay. */
const preference_sd = 1;

const passes_max = 12;
const tolerance = 1e-5;

/**
 * Estimates how probable each choice was. The service shows the matches of a tier in a logged random order, and organisations choose from it, for reasons of
 * their own: P(i) is proportional to the logged propensity of i × exp(γ·x), and γ is estimated from all choices (conditional logit, McFadden 1974), with a normal
 * prior around 0. If organisations take the first one, the result is what was logged; if they prefer certain features, it is what they did.
 */
export function estimatePropensities(sets: readonly ChoiceSet[]): readonly number[] {
  const preferences = fitPreferences(sets);
  return sets.map((set) => computeProbabilities(set, preferences)[0]!);
}

/** The preferences that are most probable, by Newton's method. The posterior has one maximum, because it is concave. */
function fitPreferences(sets: readonly ChoiceSet[]): Float64Array {
  let preferences = new Float64Array(feature_count);
  let current = sumChoices(sets, preferences);
  for (let pass = 1; pass < passes_max; pass += 1) {
    const step = solveSystem(current.curvature, current.gradient);
    if (Math.max(...step.map(Math.abs)) < tolerance) return preferences;
    const next = takeStep(sets, { preferences, step, loss: current.loss });
    if (!next) return preferences;
    ({ preferences, current } = next);
  }
  return preferences;
}

function takeStep(
  sets: readonly ChoiceSet[],
  {
    preferences,
    step,
    loss,
  }: { readonly preferences: Float64Array; readonly step: Float64Array; readonly loss: number },
) {
  for (let share = 1; share > 1e-2; share /= 2) {
    const moved = preferences.map((value, index) => value + share * step[index]!);
    const current = sumChoices(sets, moved);
    if (current.loss <= loss + 1e-9) return { preferences: moved, current };
  }
  return undefined;
}

/** One pass: the gradient, the curvature and the loss of the posterior. */
function sumChoices(sets: readonly ChoiceSet[], preferences: Float64Array) {
  const gradient = preferences.map((value) => -value / preference_sd ** 2);
  const curvature = new Float64Array(feature_count * feature_count);
  for (let i = 0; i < feature_count; i += 1) curvature[i * feature_count + i] = 1 / preference_sd ** 2;
  let loss = preferences.reduce((sum, value) => sum + value ** 2, 0) / (2 * preference_sd ** 2);
  for (const set of sets) {
    const probabilities = computeProbabilities(set, preferences);
    loss -= set.weight * Math.log(probabilities[0]!);
    addChoice(set, probabilities, { gradient, curvature });
  }
  return { gradient, curvature, loss };
}

/** Adds the chosen one's distance from the expected features to the gradient, and their covariance to the curvature. */
function addChoice(
  { candidates, weight }: ChoiceSet,
  probabilities: Float64Array,
  { gradient, curvature }: { readonly gradient: Float64Array; readonly curvature: Float64Array },
): void {
  const expected = new Float64Array(feature_count);
  for (let row = 0, from = 0; row < probabilities.length; row += 1, from += feature_count)
    for (let i = 0; i < feature_count; i += 1) expected[i]! += probabilities[row]! * candidates[from + i]!;
  for (let i = 0; i < feature_count; i += 1) gradient[i]! += weight * (candidates[i]! - expected[i]!);
  for (let row = 0, from = 0; row < probabilities.length; row += 1, from += feature_count) {
    const share = weight * probabilities[row]!;
    for (let i = 0, place = 0; i < feature_count; i += 1, place += feature_count) {
      const deviation = share * (candidates[from + i]! - expected[i]!);
      for (let j = 0; j <= i; j += 1)
        curvature[place + j]! += deviation * (candidates[from + j]! - expected[j]!);
    }
  }
}

function computeProbabilities({ candidates, logged }: ChoiceSet, preferences: Float64Array): Float64Array {
  const shares = new Float64Array(logged.length);
  let best = -Infinity;
  for (let row = 0, from = 0; row < logged.length; row += 1, from += feature_count) {
    let score = Math.log(logged[row]!);
    for (let i = 0; i < feature_count; i += 1) score += preferences[i]! * candidates[from + i]!;
    shares[row] = score;
    best = Math.max(best, score);
  }
  let total = 0;
  for (let row = 0; row < shares.length; row += 1) total += shares[row] = Math.exp(shares[row]! - best);
  for (let row = 0; row < shares.length; row += 1) shares[row]! /= total;
  return shares;
}
