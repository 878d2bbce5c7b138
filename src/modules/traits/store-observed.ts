import { sql, type Transaction } from '#platform/database/database.ts';
import { computeCategoricalPosterior } from './measurement/categorical.ts';
import { buildLatentVector, buildTraitVector, type LatentVector } from './measurement/trait-vector.ts';
import { categoricalTraitCodes } from './taxonomy.ts';

/** What names the source of a vector that comes from observations instead of answers. */
const observed_source = 'observations';

/**
 * Replaces the trait vector that was computed from what others have observed. It is preliminary and provisional, and any assessment of the
 * member replaces it. @param posterior Means and variances of the continuous traits, in the order of the taxonomy.
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
  const { version } = await tx.one(sql<{ version: number }>`
    insert into trait_vectors (member_id, version, item_bank_version, parameter_version, stage, vector, latent_mean, latent_variance, created_at)
    select ${member_id}::uuid, coalesce(max(version), 0) + 1, ${observed_source}, ${observed_source}, 'first', ${vector}::jsonb,
      ${mean}::real[], ${variance}::real[], ${now}::timestamptz
    from trait_vectors where member_id = ${member_id} returning version`);
  await tx.run(sql`
    delete from trait_vectors
    where member_id = ${member_id} and item_bank_version = ${observed_source} and version < ${version}`);
}
