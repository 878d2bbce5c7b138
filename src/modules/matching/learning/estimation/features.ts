import { traitCodes } from '#modules/measurement/traits';

/** The coefficients of the outcome model: one for each trait, three for belonging, and the intercept, in this order. */
export const trait_count = traitCodes.length;
export const belonging_count = 3;
export const feature_count = trait_count + belonging_count + 1;

/** Outcomes of matches as the model sees them. Row i has {@link feature_count} features from i × {@link feature_count} on. */
export type Outcomes = {
  readonly features: Float64Array;
  /** From 0 (a bad outcome) to 1 (a good one). */
  readonly values: Float64Array;
  /** How much each outcome counts; from 0. */
  readonly weights: Float64Array;
  /** Where each part ends that is also summed up by itself. The last one ends with the rows. */
  readonly ends: readonly number[];
};

/** Joins rows into one table, in parts that end at `ends`; in one part if none are given. */
export function joinOutcomes(
  rows: readonly {
    readonly features: ArrayLike<number>;
    readonly value: number;
    readonly weight: number;
  }[],
  ends: readonly number[] = [rows.length],
): Outcomes {
  const features = new Float64Array(rows.length * feature_count);
  for (const [index, row] of rows.entries()) features.set(row.features, index * feature_count);
  return {
    features,
    values: Float64Array.from(rows, ({ value }) => value),
    weights: Float64Array.from(rows, ({ weight }) => weight),
    ends,
  };
}

/** The logistic function, 1 / (1 + exp(-x)). */
export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
