import { sql, type Transaction } from '#platform/database/database.ts';

/** What names the source of a vector that comes from observations instead of answers. It is no version of the parameters. */
export const observed_source = 'observations';

type ObservedVector = {
  readonly member_id: string;
  /** The vector that the member reads, as JSON. */
  readonly vector: string;
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly created_at: Date;
};

/** Adds the next version of a vector that comes from observations, and deletes the earlier ones. */
export async function insertObservedVector(
  tx: Transaction,
  { member_id, vector, mean, variance, created_at }: ObservedVector,
): Promise<void> {
  const { version } = await tx.one(sql<{ version: number }>`
    insert into trait_vectors (member_id, version, item_bank_version, parameter_version, stage, vector, latent_mean, latent_variance, created_at)
    select ${member_id}::uuid, coalesce(max(version), 0) + 1, ${observed_source}, ${observed_source}, 'first', ${vector}::jsonb,
      ${mean}::real[], ${variance}::real[], ${created_at}::timestamptz
    from trait_vectors where member_id = ${member_id} returning version`);
  await tx.run(sql`
    delete from trait_vectors
    where member_id = ${member_id} and item_bank_version = ${observed_source} and version < ${version}`);
}
