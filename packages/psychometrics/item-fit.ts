import type { ItemParameters } from './graded-response.ts';
import { grid } from './item-curves.ts';
import { computeCategoryCurves } from './maximisation-step.ts';
import { visitPosteriors, unanswered, type Responses } from './marginal-likelihood.ts';

/** How well the model describes the answers to the items of one trait. */
export type Fit = {
  /** The share of true variance: var(EAP) / (var(EAP) + mean posterior variance). */
  readonly reliability: number;
  /** Mean squares by item, 1 if the model holds. Outfit gives all answers the same weight, infit weights them by their information. */
  readonly infit: readonly number[];
  readonly outfit: readonly number[];
  /** Residual correlations of pairs of items, minus their mean. */
  readonly residual_correlations: readonly ResidualCorrelation[];
};

export type ResidualCorrelation = {
  readonly items: readonly [number, number];
  readonly correlation: number;
  /** How many respondents answered both items. */
  readonly answers: number;
};

/** The limits beyond which a report flags an item. */
export const fitLimits = {
  mean_square: { lowest: 0.7, highest: 1.3 },
  residual_correlation: 0.2,
  pair_answers: 100,
} as const;

/**
 * Computes the reliability and misfit of a calibration. Mean squares are the usual infit and outfit (Wright and Masters 1982), but
 * averaged over each respondent's posterior: at the estimates, which shrink, the mean square is not 1 under the model, while the
 * expectation of the average is exactly 1. Residual correlations are Yen's Q3 (1984, Appl Psychol Meas 8) minus their mean, because Q3
 * is below zero under the model (Christensen and others 2017, Appl Psychol Meas 41). Pairs that fewer than `fitLimits.pair_answers`
 * respondents answered are omitted.
 */
export function computeFit(parameters: readonly ItemParameters[], responses: Responses): Fit {
  const items = parameters.map(buildItemTable);
  const squares = parameters.map(() => ({ answers: 0, squared: 0, variance: 0, standardised: 0 }));
  const estimates: { readonly mean: number; readonly variance: number }[] = [];
  const residuals: Float64Array[] = [];
  visitPosteriors(parameters, responses, (posterior, row) => {
    if (row.every((category) => category === unanswered)) return;
    estimates.push(computeMoments(posterior));
    const residual = new Float64Array(row.length).fill(Number.NaN);
    for (let item = 0; item < row.length; item++) {
      if (row[item] === unanswered) continue;
      residual[item] = addSquares(squares[item]!, items[item]!, posterior, row[item]!);
    }
    residuals.push(residual);
  });
  return {
    reliability: computeReliability(estimates),
    infit: squares.map(({ squared, variance }) => squared / variance),
    outfit: squares.map(({ standardised, answers }) => standardised / answers),
    residual_correlations: computeResidualCorrelations(residuals, parameters.length),
  };
}

/** The expected category and its variance at each point of the grid. */
type ItemTable = { readonly expected: Float64Array; readonly variance: Float64Array };

function buildItemTable(parameters: ItemParameters): ItemTable {
  const probabilities = grid.map((theta) => computeCategoryCurves(parameters, theta).probabilities);
  const computeMoment = (exponent: number) =>
    Float64Array.from(probabilities, (at) =>
      at.reduce((sum, p, category) => sum + p * category ** exponent, 0),
    );
  const expected = computeMoment(1);
  return { expected, variance: computeMoment(2).map((second, point) => second - expected[point]! ** 2) };
}

type Squares = { answers: number; squared: number; variance: number; standardised: number };

/** Adds one answer to an item's squares. @returns the residual, averaged over the posterior. */
function addSquares(
  squares: Squares,
  { expected, variance }: ItemTable,
  posterior: Float64Array,
  category: number,
): number {
  let residual = 0;
  squares.answers++;
  for (let point = 0; point < posterior.length; point++) {
    const weight = posterior[point]!;
    const distance = category - expected[point]!;
    residual += weight * distance;
    squares.squared += weight * distance * distance;
    squares.variance += weight * variance[point]!;
    squares.standardised += (weight * distance * distance) / variance[point]!;
  }
  return residual;
}

function computeMoments(posterior: Float64Array): { mean: number; variance: number } {
  let first = 0;
  let second = 0;
  for (let point = 0; point < posterior.length; point++) {
    first += posterior[point]! * grid[point]!;
    second += posterior[point]! * grid[point]! ** 2;
  }
  return { mean: first, variance: second - first * first };
}

function computeReliability(
  estimates: readonly { readonly mean: number; readonly variance: number }[],
): number {
  if (estimates.length === 0) return 0;
  const centre = average(estimates.map(({ mean }) => mean));
  const between = average(estimates.map(({ mean }) => (mean - centre) ** 2));
  return between / (between + average(estimates.map(({ variance }) => variance)));
}

function computeResidualCorrelations(
  residuals: readonly Float64Array[],
  items: number,
): ResidualCorrelation[] {
  const pairs: ResidualCorrelation[] = [];
  for (let one = 0; one < items; one++)
    for (let other = one + 1; other < items; other++) {
      const both = residuals.filter((row) => !Number.isNaN(row[one]!) && !Number.isNaN(row[other]!));
      if (both.length < fitLimits.pair_answers) continue;
      pairs.push({
        items: [one, other],
        answers: both.length,
        correlation: computeCorrelation(
          both.map((row) => row[one]!),
          both.map((row) => row[other]!),
        ),
      });
    }
  const centre = pairs.length < 2 ? 0 : average(pairs.map((each) => each.correlation));
  return pairs.map((each) => ({ ...each, correlation: each.correlation - centre }));
}

/** Computes Pearson's correlation of two lists of equal length. */
export function computeCorrelation(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [average(one), average(other)];
  let product = 0;
  let firstSquares = 0;
  let secondSquares = 0;
  for (let index = 0; index < one.length; index++) {
    const [x, y] = [one[index]! - first, other[index]! - second];
    product += x * y;
    firstSquares += x * x;
    secondSquares += y * y;
  }
  return product / Math.sqrt(firstSquares * secondSquares);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
