import { sql, type Transaction } from '#platform/database/database.ts';
import type { LatentVector, TraitVector } from './measurement/trait-vector.ts';

export type NewVector = {
  readonly member_id: string;
  readonly vector: TraitVector;
  readonly latent: LatentVector;
};

/** Inserts the first trait vector of many members in one statement. */
export async function insertFirstVectors(
  tx: Transaction,
  vectors: readonly NewVector[],
  {
    item_bank_version,
    parameter_version,
    now,
  }: { readonly item_bank_version: string; readonly parameter_version: string; readonly now: Date },
): Promise<void> {
  // unnest flattens nested arrays, so each vector is passed as the text of an array.
  const formatArray = (values: readonly number[]) => `{${values.join()}}`;
  await tx.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, parameter_version, vector, latent_mean, latent_variance, created_at)
    select member_id, 1, ${item_bank_version}, ${parameter_version}, vector::jsonb, mean::real[], variance::real[], ${now}::timestamptz
    from unnest(
      ${vectors.map(({ member_id }) => member_id)}::uuid[], ${vectors.map(({ vector }) => JSON.stringify(vector))}::text[],
      ${vectors.map(({ latent }) => formatArray(latent.mean))}::text[], ${vectors.map(({ latent }) => formatArray(latent.variance))}::text[]
    ) as given (member_id, vector, mean, variance)`);
}
