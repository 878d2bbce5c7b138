import { computeCategoryCurves, fillNormalWeights, grid, toKeyedCategory } from '@tessera/psychometrics';
import { cacheByObject } from '#lib/cache-results.ts';
import { requireBankItem, type BankErrors, type ItemBank } from '../items/bank.ts';
import { isGraded, isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { createWeigher } from './answer-weights.ts';
import type { Posterior } from './posterior.ts';

/**
 * Adds to the variance of each trait what the errors of the items' parameters contribute. The means stay as they are.
 *
 * The posterior mean moves with a parameter p by Cov(theta, d ln P / d p), the covariance under the posterior, where P is the probability
 * of the answers. So an error of variance e² adds the square of that covariance times e² (the delta method, as in Tsutakawa and Johnson
 * 1990, Psychometrika 55). Errors that all statements of a trait share do not average out over statements, so their derivatives are
 * summed first. The standard errors of two thresholds of one statement count as fully correlated, which no correlation exceeds.
 */
export function addParameterErrors(
  posterior: Posterior,
  answers: readonly Answer[],
  bank: ItemBank<string>,
): Posterior {
  const weigh = createWeigher(answers, bank);
  const byTrait = Map.groupBy(
    answers.flatMap((answer) => findAnsweredStatement(answer, bank, weigh)),
    ({ item }) => item.trait,
  );
  const added = bank.traits.map((trait, slot) => {
    const moments = { mean: posterior.mean[slot]!, variance: posterior.variance[slot]! };
    return computeAddedVariance(byTrait.get(trait) ?? [], moments, bank.errors);
  });
  return {
    mean: posterior.mean,
    variance: posterior.variance.map((variance, slot) => variance + added[slot]!),
    covariance: posterior.covariance.map((row, slot) =>
      row.map((value, column) => (column === slot ? value + added[slot]! : value)),
    ),
  };
}

type AnsweredStatement = {
  readonly item: GradedItem<string>;
  readonly category: number;
  readonly weight: number;
};

function findAnsweredStatement(
  { item_id, option }: Answer,
  bank: ItemBank<string>,
  weigh: (item: GradedItem<string>) => number,
): AnsweredStatement[] {
  const item = requireBankItem(bank, item_id);
  if (!isGraded(item) || isSkipped(item, option)) return [];
  return [{ item, category: toKeyedCategory(item, option), weight: weigh(item) }];
}

/** How much the posterior mean moves with ln a and with the two thresholds of the answered category. */
type Movement = { readonly log_discrimination: number; readonly lower: number; readonly upper: number };

function computeAddedVariance(
  statements: readonly AnsweredStatement[],
  { mean, variance }: { readonly mean: number; readonly variance: number },
  { shared, items }: BankErrors,
): number {
  fillDeviations(mean, variance);
  let [added, location, log_discrimination] = [0, 0, 0];
  for (const { item, category, weight } of statements) {
    const moved = computeMovement(getDerivatives(item)[category]!, weight);
    added += computeOwnVariance(item, category, moved, items);
    location += moved.lower + moved.upper;
    log_discrimination += moved.log_discrimination;
  }
  return added + (shared.location * location) ** 2 + (shared.log_discrimination * log_discrimination) ** 2;
}

function computeOwnVariance(
  { discrimination, standard_errors }: GradedItem<string>,
  category: number,
  { log_discrimination, lower, upper }: Movement,
  errors: BankErrors['items'],
): number {
  if (standard_errors === undefined)
    return (errors.location * (lower + upper)) ** 2 + (errors.log_discrimination * log_discrimination) ** 2;
  const { thresholds } = standard_errors;
  const location =
    Math.abs(lower) * (thresholds[category - 1] ?? 0) + Math.abs(upper) * (thresholds[category] ?? 0);
  return location ** 2 + ((standard_errors.discrimination / discrimination) * log_discrimination) ** 2;
}

/** The posterior probability at each point of the grid times the distance from the mean, so that a sum with a curve is a covariance. */
const deviations = new Float64Array(grid.length);

function fillDeviations(mean: number, variance: number): void {
  fillNormalWeights(deviations, mean, variance);
  const total = deviations.reduce((sum, weight) => sum + weight, 0);
  for (let point = 0; point < grid.length; point++) deviations[point]! *= (grid[point]! - mean) / total;
}

/** An answer that counts less moves the mean less. */
function computeMovement({ log_discrimination, lower, upper }: Derivatives, weight: number): Movement {
  return {
    log_discrimination: weight * computeCovariance(log_discrimination),
    lower: weight * computeCovariance(lower),
    upper: weight * computeCovariance(upper),
  };
}

function computeCovariance(curve: Float64Array): number {
  let sum = 0;
  for (let point = 0; point < deviations.length; point++) sum += deviations[point]! * curve[point]!;
  return sum;
}

/** The derivatives of ln P(category) on the grid; zero for a threshold that the category does not have. */
type Derivatives = Readonly<Record<keyof Movement, Float64Array>>;

/** Returns the derivatives by category, which are computed once an item. */
const getDerivatives = cacheByObject(computeDerivatives);

function computeDerivatives(item: GradedItem<string>): readonly Derivatives[] {
  const curves = grid.map((theta) => computeCategoryCurves(item, theta));
  const computeCurve = (category: number, parameter: number) =>
    Float64Array.from(
      curves,
      ({ slopes, probabilities }) => (slopes[category]![parameter] ?? 0) / probabilities[category]!,
    );
  // The slopes are by ln a and then by threshold, so that a category has its lower threshold at its own number.
  return Array.from({ length: item.thresholds.length + 1 }, (_, category) => ({
    log_discrimination: computeCurve(category, 0),
    lower: category === 0 ? new Float64Array(grid.length) : computeCurve(category, category),
    upper: computeCurve(category, category + 1),
  }));
}
