import { type ContinuousTrait, continuousTraits, traitFamilies } from '../taxonomy.ts';

/** The prior correlation of two traits until answers have calibrated it. */
export const priorCorrelation = { within_family: 0.4, across_families: 0.1 } as const;

/** The prior covariance R of the continuous traits: 1 on the diagonal. */
export const priorCovariance: readonly (readonly number[])[] = continuousTraits.map((row) =>
  continuousTraits.map((column) => computeCorrelation(row, column)),
);

function computeCorrelation(row: ContinuousTrait, column: ContinuousTrait): number {
  if (row === column) return 1;
  const family = Object.values(traitFamilies).find((codes) => (codes as readonly string[]).includes(row));
  const related = (family as readonly string[]).includes(column);
  return related ? priorCorrelation.within_family : priorCorrelation.across_families;
}
