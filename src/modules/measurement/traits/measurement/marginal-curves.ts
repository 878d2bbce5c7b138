import { grid, logistic } from '@tessera/psychometrics';
import { cacheByObject, cacheResults } from '#lib/cache-results.ts';
import type { ItemBank } from '../items/bank.ts';
import type { GradedItem, ParameterErrors } from '../items/item.ts';

/** The probability of each keyed category of a statement at the points of the grid. */
export type CategoryCurves = readonly Float64Array[];

/**
 * Computes how probable each category is if the parameters may be wrong: the curves of the graded response model, averaged over errors of
 * the location and of ln a that are normal and independent of those of other statements.
 *
 * An error of the location flattens the logistic curve of a threshold: its average over a normal error with the standard deviation e is
 * about s(a' (theta - b)), a' = a / sqrt(1 + (a e / 1.702)²) (Camilli 1994, J Educ Behav Stat 19), within 0.01. The errors of two
 * thresholds may depend on each other in any way, because the probability of a category is a difference of two such averages. Three
 * points, of Gauss and Hermite, represent the error of ln a.
 */
export function computeMarginalCurves(
  { discrimination, thresholds }: Pick<GradedItem<string>, 'discrimination' | 'thresholds'>,
  errors: ParameterErrors,
): CategoryCurves {
  const curves = Array.from({ length: thresholds.length + 1 }, () => new Float64Array(grid.length));
  for (const { value, weight } of normalPoints) {
    const a = discrimination * Math.exp(value * errors.log_discrimination);
    const flattened = a / Math.sqrt(1 + ((a * errors.location) / 1.702) ** 2);
    for (let point = 0; point < grid.length; point++) {
      let reached = 1;
      for (let category = 0; category <= thresholds.length; category++) {
        const further =
          category === thresholds.length ? 0 : logistic(flattened * (grid[point]! - thresholds[category]!));
        curves[category]![point]! += weight * Math.max(smallest_probability, reached - further);
        reached = further;
      }
    }
  }
  return curves;
}

/** Three points and weights that average polynomials of up to the fifth degree over a standard normal distribution exactly. */
export const normalPoints = [
  { value: -Math.sqrt(3), weight: 1 / 6 },
  { value: 0, weight: 2 / 3 },
  { value: Math.sqrt(3), weight: 1 / 6 },
] as const;

/** Rounding of a difference must not make an answer impossible. */
const smallest_probability = 1e-12;

/**
 * Returns a function that returns the marginal curves of a statement of the bank, which are computed once.
 *
 * A calibrated statement has curves of its own. Of a judged one only the trait and the key are certain, because a judgement of how two
 * statements differ may as well be wrong. So all judged statements of a trait have the same curves, the mean of theirs: they differ in
 * location by 0.51 standard deviations, which takes the place of the error of a location, because real statements of a scale differ by 0.40.
 */
export const getMarginalCurves = cacheByObject((bank: ItemBank<string>) => {
  const statements = [...bank.graded, ...(bank.retired ?? [])];
  const judged = Map.groupBy(
    statements.filter(({ standard_errors }) => standard_errors === undefined),
    ({ trait }) => trait,
  );
  const errors = { ...bank.errors.items, location: 0 };
  const getJudged = cacheResults(bank.traits.length, (trait) =>
    averageCurves(judged.get(trait)!.map((item) => computeMarginalCurves(item, errors))),
  );
  return cacheByObject((item: GradedItem<string>): CategoryCurves =>
    item.standard_errors
      ? computeMarginalCurves(item, toErrors(item, item.standard_errors))
      : getJudged(item.trait),
  );
});

/** Converts standard errors to those of a location, the root mean square of the thresholds' errors, and of ln a. */
function toErrors(
  { discrimination }: GradedItem<string>,
  standard_errors: NonNullable<GradedItem<string>['standard_errors']>,
): ParameterErrors {
  return {
    location: Math.hypot(...standard_errors.thresholds) / Math.sqrt(standard_errors.thresholds.length),
    log_discrimination: standard_errors.discrimination / discrimination,
  };
}

function averageCurves(curves: readonly CategoryCurves[]): CategoryCurves {
  const means = curves[0]!.map((curve) => new Float64Array(curve.length));
  for (const each of curves)
    for (const [category, mean] of means.entries())
      for (let point = 0; point < mean.length; point++)
        mean[point]! += each[category]![point]! / curves.length;
  return means;
}
