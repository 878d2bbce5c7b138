import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { continuousTraits, traitCodes } from '../taxonomy.ts';
import { loadItemBank } from './parameters-in-use.ts';

/** What one version of the parameters says about the traits in the population, in slot order and standard deviations. */
export type TraitNorms = {
  /** The correlations: positive definite, 1 on the diagonal. */
  readonly correlations: readonly (readonly number[])[];
  /** How wrong the mean of each trait may be for all members together: the standard deviation of the error that its statements share. */
  readonly shared_errors: readonly number[];
};

/**
 * Builds the norms of a bank. Nothing is known of how the two categorical traits correlate with the others, nor of an error that their
 * situations share, so these are 0, which leaves any estimated correlations positive definite.
 */
export function buildTraitNorms({ covariance, errors }: Pick<ItemBank, 'covariance' | 'errors'>): TraitNorms {
  const places = traitCodes.map((code) => continuousTraits.findIndex((trait) => trait === code));
  return {
    correlations: places.map((row, slot) =>
      places.map((column, other) => {
        if (slot === other) return 1;
        return row < 0 || column < 0 ? 0 : covariance[row]![column]!;
      }),
    ),
    shared_errors: places.map((place) => (place < 0 ? 0 : errors.shared.location)),
  };
}

/** The norms of the parameters that are part of the program. */
export const builtInNorms: TraitNorms = buildTraitNorms(itemBank);

/** Loads the norms of the version whose vectors lists use; as long as there is only one version (undefined), they are the built-in ones. */
export async function loadTraitNorms(
  services: Pick<Services, 'memory'>,
  db: Reader,
  version: string | undefined,
): Promise<TraitNorms> {
  return version === undefined ? builtInNorms : buildTraitNorms(await loadItemBank(services, db, version));
}
