import type { Transaction } from '#platform/database/database.ts';
import { computeCategoricalPosterior } from './measurement/categorical.ts';
import { buildLatentVector, buildTraitVector, type LatentVector } from './measurement/trait-vector.ts';
import { insertObservedVector } from './store-observed.ts';
import { categoricalTraitCodes } from './taxonomy.ts';

/**
 * Replaces the trait vector that was computed from what others have observed. It is preliminary and provisional, and any assessment of the
 * member replaces it.
 *
 * @param posterior Means and variances of the continuous traits, in the order of the taxonomy.
 */
export async function replaceObservedVector(
  tx: Transaction,
  member_id: string,
  posterior: LatentVector,
  now: Date,
): Promise<void> {
  const categorical = categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, []));
  const { mean, variance } = buildLatentVector(posterior, categorical);
  const vector = JSON.stringify(buildTraitVector(posterior, categorical));
  await insertObservedVector(tx, { member_id, vector, mean, variance, created_at: now });
}
