import { createSeededRandom, drawStandardNormal } from './seeded-random.ts';
import { cholesky, flattenRows, invertMatrix, solveSystem } from './symmetric-matrix.ts';

/** The number of ways to choose from in every situation. */
export const wayCount = 5;

/** A choice in a situation: the popularity of each way there, and the index of the chosen one. */
export type Choice = { readonly popularity: readonly number[]; readonly way: number };

/**
 * The posterior of a person's preferences for the ways, as weighted points. Only differences between ways matter. `preferences`
 * are the person's own; `shown` also contain the error of the norms, which the choices cannot tell from a preference.
 */
export type ChoicePosterior = {
  readonly weights: Float64Array;
  readonly preferences: readonly Float64Array[];
  readonly shown: readonly Float64Array[];
};

/** The standard deviations of people's preferences for a way, and of the error of the norms, in the unit of the popularity. */
export type ChoiceSpread = { readonly spread: number; readonly norm_error: number };

/**
 * Computes the posterior of preferences after choices. The model is nominal (Bock 1972, Psychometrika 37): P(way) is proportional to
 * exp(popularity + preference + error), where preferences and errors are normal with the given standard deviations.
 *
 * The posterior is log-concave. Its normal approximation at the mode gives the points, and the ratio of the two densities their weights
 * (importance sampling), so that the results are those of the exact posterior. Before any answer all ways are exactly equal.
 */
export function computeChoicePosterior(
  groups: readonly ChoiceGroup[],
  { spread, norm_error }: ChoiceSpread,
  { unit, other }: ChoicePoints = usualPoints,
): ChoicePosterior {
  const variance = spread * spread + norm_error * norm_error;
  const mode = findMode(groups, variance);
  const root = cholesky(invertMatrix(flattenRows(computeCurvature(groups, mode, variance))));
  const shown = mode.map((centre, way) =>
    Float64Array.from(unit[0]!, (_, point) => {
      let value = centre;
      for (let column = 0; column <= way; column++)
        value += root[way * wayCount + column]! * unit[column]![point]!;
      return value;
    }),
  );
  // The part of what is shown that is the person's own is normal around its share, as in any regression on a sum.
  const share = (spread * spread) / variance;
  const rest = spread * Math.sqrt(1 - share);
  const preferences = shown.map((row, way) =>
    row.map((value, point) => share * value + rest * other[way]![point]!),
  );
  return { weights: computeWeights(groups, shown, unit, variance), preferences, shown };
}

/** Computes the probability of each way in a situation. */
export function computeChoiceProbabilities(
  popularity: readonly number[],
  preferences: readonly number[],
): readonly number[] {
  const weights = popularity.map((value, way) => Math.exp(value + preferences[way]!));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Situations with the same popularity, how many of them were answered, and how often each way was chosen. */
export type ChoiceGroup = {
  readonly popularity: readonly number[];
  readonly answers: number;
  readonly counts: readonly number[];
};

/** Groups choices for {@link computeChoicePosterior}, in an order that does not depend on theirs. */
export function groupByPopularity(choices: readonly Choice[]): readonly ChoiceGroup[] {
  const groups = Map.groupBy(choices, ({ popularity }) => popularity.join());
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, [first, ...others]]) => {
      const all = [first!, ...others];
      return {
        popularity: first!.popularity,
        answers: all.length,
        counts: first!.popularity.map((_, way) => all.filter((choice) => choice.way === way).length),
      };
    });
}

const newton_steps = 30;

/** Finds the mode by Newton's method, which converges from zero because the posterior is log-concave and the steps are bounded. */
function findMode(groups: readonly ChoiceGroup[], variance: number): readonly number[] {
  let mode = Array.from({ length: wayCount }, () => 0);
  for (let step = 0; step < newton_steps; step++) {
    const gradient = mode.map((value) => -value / variance);
    for (const { popularity, answers, counts } of groups) {
      const probabilities = computeChoiceProbabilities(popularity, mode);
      for (let way = 0; way < wayCount; way++) gradient[way]! += counts[way]! - answers * probabilities[way]!;
    }
    const moves = solveSystem(flattenRows(computeCurvature(groups, mode, variance)), gradient);
    mode = mode.map((value, way) => value + Math.min(2, Math.max(-2, moves[way]!)));
    if (Math.max(...moves.map(Math.abs)) < 1e-9) break;
  }
  return mode;
}

/** Computes minus the second derivatives of the log posterior. */
function computeCurvature(
  groups: readonly ChoiceGroup[],
  preferences: readonly number[],
  variance: number,
): number[][] {
  const curvature = preferences.map((_, row) =>
    preferences.map((__, column) => (row === column ? 1 / variance : 0)),
  );
  for (const { popularity, answers } of groups) {
    const probabilities = computeChoiceProbabilities(popularity, preferences);
    for (let row = 0; row < wayCount; row++)
      for (let column = 0; column < wayCount; column++)
        curvature[row]![column]! +=
          answers * probabilities[row]! * ((row === column ? 1 : 0) - probabilities[column]!);
  }
  return curvature;
}

/** Computes the density of the posterior over that of the normal approximation at each point, scaled to a sum of 1. */
function computeWeights(
  groups: readonly ChoiceGroup[],
  shown: readonly Float64Array[],
  unit: readonly Float64Array[],
  variance: number,
): Float64Array {
  const weights = new Float64Array(unit[0]!.length);
  for (let way = 0; way < wayCount; way++)
    for (let point = 0; point < weights.length; point++)
      weights[point]! += (unit[way]![point]! ** 2 - shown[way]![point]! ** 2 / variance) / 2;
  for (const group of groups) addLogLikelihood(weights, group, shown);
  const peak = weights.reduce((most, value) => Math.max(most, value), -Infinity);
  let total = 0;
  for (let point = 0; point < weights.length; point++)
    total += weights[point] = Math.exp(weights[point]! - peak);
  for (let point = 0; point < weights.length; point++) weights[point]! /= total;
  return weights;
}

function addLogLikelihood(
  logs: Float64Array,
  { popularity, answers, counts }: ChoiceGroup,
  shown: readonly Float64Array[],
): void {
  for (let point = 0; point < logs.length; point++) {
    let total = 0;
    for (let way = 0; way < wayCount; way++) {
      const utility = popularity[way]! + shown[way]![point]!;
      total += Math.exp(utility);
      logs[point]! += counts[way]! * utility;
    }
    logs[point]! -= answers * Math.log(total);
  }
}

/** Two independent sets of standard normal points, `[way][point]`. */
export type ChoicePoints = {
  readonly unit: readonly Float64Array[];
  readonly other: readonly Float64Array[];
};

/**
 * Draws the points at which posteriors are computed.
 *
 * @param draws How many independent draws they have; each gives forty points.
 */
export function drawChoicePoints(draws: number): ChoicePoints {
  const random = createSeededRandom(22);
  return { unit: drawBalancedPoints(draws, random), other: drawBalancedPoints(draws, random) };
}

/**
 * Draws points that are balanced: each draw is used in twenty permutations, way -> a way + b modulo 5, and with both signs. Any two ways take
 * the place of any other two in exactly one of them, so that all ways are equal. Scaling the mean and the rest of all draws then makes
 * the covariance exactly the identity.
 */
function drawBalancedPoints(draws: number, random: () => number): readonly Float64Array[] {
  const numbers = Array.from({ length: draws }, () =>
    Array.from({ length: wayCount }, () => drawStandardNormal(random)),
  );
  const means = numbers.map((draw) => draw.reduce((sum, value) => sum + value, 0) / wayCount);
  const rests = numbers.map((draw, index) => draw.map((value) => value - means[index]!));
  const meanScale = Math.sqrt(draws / wayCount / sumSquares(means));
  const restScale = Math.sqrt((draws * (wayCount - 1)) / sumSquares(rests.flat()));
  const points = rests.flatMap((rest, index) =>
    [1, 2, 3, 4].flatMap((factor) =>
      rest.flatMap((_, shift) =>
        [1, -1].map((sign) =>
          rest.map(
            (__, way) =>
              sign * (meanScale * means[index]! + restScale * rest[(factor * way + shift) % wayCount]!),
          ),
        ),
      ),
    ),
  );
  return Array.from({ length: wayCount }, (_, way) => Float64Array.from(points, (point) => point[way]!));
}

function sumSquares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Twenty draws are enough that the mean of a slot is within a few hundredths of the exact one. */
const usualPoints = drawChoicePoints(20);
