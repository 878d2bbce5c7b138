import { continuousTraits, traitFamilies, type ContinuousTrait, type TraitCode } from './taxonomy.ts';

/** The prior correlation of two traits, until it is calibrated with answers. */
export const priorCorrelation = { within_family: 0.4, across_families: 0.1 } as const;

/** The prior covariance R of the continuous traits: 1 on the diagonal. */
export const priorCovariance: readonly (readonly number[])[] = continuousTraits.map((row) =>
  continuousTraits.map((column) => computeCorrelation(row, column)),
);

function computeCorrelation(row: ContinuousTrait, column: ContinuousTrait): number {
  if (row === column) return 1;
  const isSameFamily = Object.values(traitFamilies).some(
    (codes: readonly TraitCode[]) => codes.includes(row) && codes.includes(column),
  );
  return isSameFamily ? priorCorrelation.within_family : priorCorrelation.across_families;
}
