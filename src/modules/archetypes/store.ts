import type { LatentVector } from '#modules/traits';
import { sql, type Reader } from '#platform/database/database.ts';

/** The part of a measurement from which the archetype is computed. */
export type MeasuredVector = {
  readonly version: number;
  readonly mean: LatentVector['mean'];
  readonly variance: LatentVector['variance'];
  readonly created_at: Date;
};

/** Finds the member's latest measurement; undefined before the first. */
export function findLatestVector(db: Reader, member_id: string): Promise<MeasuredVector | undefined> {
  return db.find(sql<MeasuredVector>`
    select version, latent_mean as mean, latent_variance as variance, created_at from trait_vectors
    where member_id = ${member_id} order by version desc limit 1`);
}
