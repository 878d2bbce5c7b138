import { logistic } from './special-functions.ts';

/**
 * The parameters of an item, for keyed categories. The thresholds are the points on the latent scale (in standard deviations of the population)
 * at which the next higher category becomes more likely than not. They ascend, and their number is one less than the number of categories.
 */
export type ItemParameters = { readonly discrimination: number; readonly thresholds: readonly number[] };

/** The parameters of an item as it is shown: with `reversed`, its first option is the highest category. */
export type GradedParameters = ItemParameters & { readonly reversed?: true };

/**
 * Samejima's graded response model (Samejima 1969, Psychometrika Monograph 17): with s(x) = 1 / (1 + exp(-x)),
 * P(category >= k | theta) = s(a (theta - b_k)) and P(category = k) = P(>= k) - P(>= k + 1). The categories are 0 to the number of
 * thresholds. Theta and b are in standard deviations of the population.
 */
export function computeCategoryProbabilities(item: GradedParameters, theta: number): number[] {
  return listCategories(item).map((category) => Math.exp(computeLogProbability(item, category, theta)));
}

/** Converts an option index (from 0, as shown) to the category of the model. Reversed keying is handled only here. */
export function toKeyedCategory(
  item: Pick<GradedParameters, 'reversed' | 'thresholds'>,
  option: number,
): number {
  const top = item.thresholds.length;
  if (!Number.isInteger(option) || option < 0 || option > top) throw new RangeError(`no option ${option}`);
  return item.reversed ? top - option : option;
}

/**
 * Computes ln P(category | theta). Uses s(x) - s(y) = s(x) s(-y) (1 - exp(y - x)) for x > y, which avoids cancellation and probabilities
 * of zero at extreme thetas.
 */
export function computeLogProbability(item: GradedParameters, category: number, theta: number): number {
  const [lower, upper] = computeBoundaries(item, category, theta);
  return logLogistic(lower) + logLogistic(-upper) + Math.log1p(-Math.exp(upper - lower));
}

/** Computes d ln P(category | theta) / d theta and the second derivative, which is negative, so that every likelihood has one peak. */
export function computeLogProbabilityDerivatives(
  item: GradedParameters,
  category: number,
  theta: number,
): { readonly first: number; readonly second: number } {
  const [lower, upper] = computeBoundaries(item, category, theta);
  const a = item.discrimination;
  const below = logistic(lower);
  const above = logistic(upper);
  return { first: a * (1 - below - above), second: -a * a * (below * (1 - below) + above * (1 - above)) };
}

/** Computes the Fisher information at theta: the expectation of minus the second derivative (Samejima 1969), per squared unit of theta. */
export function computeInformation(item: GradedParameters, theta: number): number {
  const expected = listCategories(item).map(
    (category) =>
      Math.exp(computeLogProbability(item, category, theta)) *
      computeLogProbabilityDerivatives(item, category, theta).second,
  );
  return -expected.reduce((sum, value) => sum + value, 0);
}

/** Lists the categories of an item: 0 to the number of its thresholds. */
export function listCategories({ thresholds }: Pick<GradedParameters, 'thresholds'>): readonly number[] {
  return Array.from({ length: thresholds.length + 1 }, (_, category) => category);
}

/** Computes a (theta - b) at both ends of a category; infinite at the ends of the scale. */
function computeBoundaries(
  item: GradedParameters,
  category: number,
  theta: number,
): [lower: number, upper: number] {
  const { discrimination: a, thresholds } = item;
  const lower = category === 0 ? Infinity : a * (theta - thresholds[category - 1]!);
  const upper = category === thresholds.length ? -Infinity : a * (theta - thresholds[category]!);
  return [lower, upper];
}

function logLogistic(x: number): number {
  return x > 0 ? -Math.log1p(Math.exp(-x)) : x - Math.log1p(Math.exp(x));
}
