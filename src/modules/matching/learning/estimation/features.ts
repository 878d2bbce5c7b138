import type { Observations } from '@tessera/psychometrics';
import { traitCodes } from '#modules/measurement/traits';

/** The coefficients of the outcome model: one for each trait, three for belonging, and the intercept, in this order. */
export const trait_count = traitCodes.length;
export const belonging_count = 3;
export const feature_count = trait_count + belonging_count + 1;

/** Joins rows into one table, in parts that end at `ends`; in one part if none are given. */
export function joinOutcomes(
  rows: readonly {
    readonly features: ArrayLike<number>;
    readonly value: number;
    readonly weight: number;
  }[],
  ends: readonly number[] = [rows.length],
): Observations {
  const features = new Float64Array(rows.length * feature_count);
  for (const [index, row] of rows.entries()) features.set(row.features, index * feature_count);
  return {
    features,
    values: Float64Array.from(rows, ({ value }) => value),
    weights: Float64Array.from(rows, ({ weight }) => weight),
    ends,
  };
}
