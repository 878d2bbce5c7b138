import type { LatentVector } from './measurement/trait-vector.ts';
import { sql, type Reader } from '#platform/database/database.ts';

/** A member's latest trait vector in the form that further computations use. */
export type LatestVector = {
  readonly version: number;
  readonly mean: LatentVector['mean'];
  readonly variance: LatentVector['variance'];
  readonly created_at: Date;
};

/** Finds the member's latest trait vector; undefined before the first. */
export function findLatestVector(db: Reader, member_id: string): Promise<LatestVector | undefined> {
  return db.find(sql<LatestVector>`
    select version, latent_mean as mean, latent_variance as variance, created_at from trait_vectors
    where member_id = ${member_id} order by version desc limit 1`);
}

/** How certain a member's latest trait vector is, and when the member completed the last assessment. */
export type Measurement = { readonly variance: LatentVector['variance']; readonly completed_at: Date };

/** Finds what is known about the member's latest measurement; undefined before the first. */
export function findMeasurement(db: Reader, member_id: string): Promise<Measurement | undefined> {
  return db.find(sql<Measurement>`
    select latent_variance as variance, coalesce(
      (select max(completed_at) from assessments where assessments.member_id = ${member_id}), created_at) as completed_at
    from trait_vectors where member_id = ${member_id} order by version desc limit 1`);
}
