import { computeLogProbability, type ItemParameters } from './graded-response.ts';
import { grid } from './item-curves.ts';
import {
  computeCategoryCurves,
  improveParameters,
  type ExpectedCounts,
  type ParameterPrior,
} from './maximisation-step.ts';
import { invertMatrix, type SymmetricMatrix } from './symmetric-matrix.ts';

/** Answers to the items of one trait: a row for each respondent, a column for each item, and in it the keyed category or `unanswered`. */
export type Responses = readonly Int8Array[];

export const unanswered = -1;

export type CalibrationItem = {
  readonly id: string;
  /** The number of categories, at least two. */
  readonly categories: number;
  /** Its centre is also the starting point of the search. */
  readonly prior: ParameterPrior;
};

export type CalibratedItem = ItemParameters & {
  readonly id: string;
  readonly answers: number;
  readonly standard_errors: ItemParameters;
};

export type Calibration = {
  readonly items: readonly CalibratedItem[];
  /** The marginal log-likelihood of the answers, without the prior. */
  readonly log_likelihood: number;
  readonly cycles: number;
  readonly converged: boolean;
};

export type CalibrationOptions = {
  readonly cycles_max?: number;
  /** The search has converged when no parameter moves by more than this in a cycle. */
  readonly tolerance?: number;
  /** `false` means plain maximum likelihood: for comparisons, or if there are many answers. */
  readonly withPrior?: boolean;
  /** Called after each cycle. */
  readonly onCycle?: (cycle: number) => void;
};

/**
 * Estimates the graded response model for one trait by marginal maximum likelihood or, with the priors, marginal maximum a posteriori:
 * the EM algorithm of Bock and Aitkin (1981, Psychometrika 46) over a standard normal population on the grid. Missing answers are left
 * out of the likelihood. Standard errors come from the cross-products of the respondents' scores (Louis 1982, J R Stat Soc B 44) and
 * the prior.
 */
export function estimateParameters(
  items: readonly CalibrationItem[],
  responses: Responses,
  { cycles_max = 500, tolerance = 1e-4, withPrior = true, onCycle }: CalibrationOptions = {},
): Calibration {
  let parameters: readonly ItemParameters[] = items.map(({ prior: { discrimination, thresholds } }) => ({
    discrimination,
    thresholds,
  }));
  let cycles = 0;
  let movement = Infinity;
  while (cycles < cycles_max && movement > tolerance) {
    const { counts } = computeExpectedCounts(items, parameters, responses);
    const improved = parameters.map((each, index) =>
      improveParameters(each, counts[index]!, withPrior ? items[index]!.prior : null),
    );
    movement = computeLargestMovement(parameters, improved);
    parameters = improved;
    cycles++;
    onCycle?.(cycles);
  }
  const errors = computeStandardErrors(items, parameters, responses, withPrior);
  return {
    items: items.map(({ id }, index) => ({
      id,
      ...parameters[index]!,
      answers: responses.reduce((sum, row) => sum + (row[index] === unanswered ? 0 : 1), 0),
      standard_errors: errors[index]!,
    })),
    log_likelihood: computeExpectedCounts(items, parameters, responses).log_likelihood,
    cycles,
    converged: movement <= tolerance,
  };
}

/**
 * Calls `visit` with the posterior of each respondent on the grid, which the next call overwrites, and the logarithm of the respondent's
 * marginal likelihood. Without answers the posterior is the distribution of the population.
 */
export function visitPosteriors(
  parameters: readonly ItemParameters[],
  responses: Responses,
  visit: (posterior: Float64Array, row: Int8Array, logLikelihood: number) => void,
): void {
  const tables = parameters.map(buildLogTable);
  const posterior = new Float64Array(grid.length);
  for (const row of responses) visit(posterior, row, fillPosterior(posterior, row, tables));
}

function fillPosterior(
  posterior: Float64Array,
  row: Int8Array,
  tables: readonly (readonly Float64Array[])[],
): number {
  posterior.set(logPopulation);
  for (let item = 0; item < row.length; item++) {
    if (row[item] === unanswered) continue;
    const curve = tables[item]![row[item]!]!;
    for (let point = 0; point < posterior.length; point++) posterior[point]! += curve[point]!;
  }
  let peak = -Infinity;
  for (const value of posterior) if (value > peak) peak = value;
  let total = 0;
  for (let point = 0; point < posterior.length; point++)
    total += posterior[point] = Math.exp(posterior[point]! - peak);
  for (let point = 0; point < posterior.length; point++) posterior[point]! /= total;
  return peak + Math.log(total);
}

/** The logarithm of the share of a standard normal population at each point of the grid. */
const logPopulation = Float64Array.from(
  grid,
  (theta) => -0.5 * theta * theta + Math.log((grid[1]! - grid[0]!) / Math.sqrt(2 * Math.PI)),
);

function buildLogTable(parameters: ItemParameters): readonly Float64Array[] {
  return Array.from({ length: parameters.thresholds.length + 1 }, (_, category) =>
    Float64Array.from(grid, (theta) => computeLogProbability(parameters, category, theta)),
  );
}

/** The expectation step: computes how many respondents at each point of the grid are expected to have given each answer. */
function computeExpectedCounts(
  items: readonly CalibrationItem[],
  parameters: readonly ItemParameters[],
  responses: Responses,
): { readonly counts: readonly ExpectedCounts[]; readonly log_likelihood: number } {
  const counts = items.map(({ categories }) =>
    Array.from({ length: categories }, () => new Float64Array(grid.length)),
  );
  let log_likelihood = 0;
  visitPosteriors(parameters, responses, (posterior, row, logLikelihood) => {
    log_likelihood += logLikelihood;
    for (let item = 0; item < row.length; item++) {
      if (row[item] === unanswered) continue;
      const count = counts[item]![row[item]!]!;
      for (let point = 0; point < posterior.length; point++) count[point]! += posterior[point]!;
    }
  });
  return { counts, log_likelihood };
}

function computeLargestMovement(from: readonly ItemParameters[], to: readonly ItemParameters[]): number {
  return to.reduce((largest, { discrimination, thresholds }, index) => {
    const before = from[index]!;
    const moves = thresholds.map((threshold, k) => Math.abs(threshold - before.thresholds[k]!));
    return Math.max(largest, Math.abs(discrimination - before.discrimination), ...moves);
  }, 0);
}

/** Computes the square roots of the diagonal of the inverse information. The delta method converts the error of ln a into that of a. */
function computeStandardErrors(
  items: readonly CalibrationItem[],
  parameters: readonly ItemParameters[],
  responses: Responses,
  withPrior: boolean,
): ItemParameters[] {
  const offsets = items.map((_, index) =>
    items.slice(0, index).reduce((sum, each) => sum + each.categories, 0),
  );
  const size = items.reduce((sum, { categories }) => sum + categories, 0);
  const information = new Float64Array(size * size);
  addScores(parameters, responses, offsets, information);
  for (const [index, { prior, categories }] of items.entries())
    for (let place = 0; place < categories; place++) {
      const sd = place === 0 ? prior.discrimination_log_sd : prior.threshold_sd;
      // Without a prior, a parameter that no answer informs would make the matrix singular. Its standard error is then 1,000.
      information[(offsets[index]! + place) * (size + 1)]! += withPrior ? 1 / (sd * sd) : 1e-6;
    }
  const covariance = invertMatrix(information);
  const computeError = (place: number) => Math.sqrt(covariance[place * (size + 1)]!);
  return parameters.map(({ discrimination, thresholds }, index) => ({
    discrimination: discrimination * computeError(offsets[index]!),
    thresholds: thresholds.map((_, k) => computeError(offsets[index]! + k + 1)),
  }));
}

/** Adds the outer product of each respondent's score, which is the posterior mean of the gradient of the log-likelihood. */
function addScores(
  parameters: readonly ItemParameters[],
  responses: Responses,
  offsets: readonly number[],
  information: SymmetricMatrix,
): void {
  const gradients = parameters.map(buildGradientTable);
  const size = Math.sqrt(information.length);
  const score = new Float64Array(size);
  visitPosteriors(parameters, responses, (posterior, row) => {
    score.fill(0);
    const touched: number[] = [];
    for (let item = 0; item < row.length; item++) {
      if (row[item] === unanswered) continue;
      for (const [place, curve] of gradients[item]![row[item]!]!.entries()) {
        const at = offsets[item]! + place;
        touched.push(at);
        for (let point = 0; point < posterior.length; point++)
          score[at]! += posterior[point]! * curve[point]!;
      }
    }
    for (const one of touched)
      for (const other of touched) information[one * size + other]! += score[one]! * score[other]!;
  });
}

/** Tabulates d ln P / d (ln a, b_1 ..) on the grid: `[category][parameter][point]`. */
function buildGradientTable(parameters: ItemParameters): readonly (readonly Float64Array[])[] {
  const curves = grid.map((theta) => computeCategoryCurves(parameters, theta));
  return Array.from({ length: parameters.thresholds.length + 1 }, (_, category) =>
    Array.from({ length: parameters.thresholds.length + 1 }, (__, place) =>
      Float64Array.from(
        curves,
        ({ probabilities, slopes }) => slopes[category]![place]! / probabilities[category]!,
      ),
    ),
  );
}
