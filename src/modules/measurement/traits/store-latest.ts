import type { AssessmentStage } from './measurement/stages.ts';
import type { LatentVector } from './measurement/trait-vector.ts';
import { sql, type Reader } from '#platform/database/database.ts';
import { ownBank } from './parameters/store.ts';

/**
 * Orders vectors of the version that lists use, and those of other banks, before the others, so that a member whose answers were scored again sees the
 * result when all lists do. Without such a version, all are equal.
 */
export const listedFirst = sql`
  coalesce((
    select trait_vectors.parameter_version = listed.parameter_version or listed.bank <> coalesce(
      (select versions.bank from item_parameter_versions as versions where versions.version = trait_vectors.parameter_version), ${ownBank})
    from listed_vector_versions as listed order by listed.position desc limit 1), false) desc`;

/** A member's latest trait vector in the form that further computations use. */
export type LatestVector = {
  readonly version: number;
  readonly mean: LatentVector['mean'];
  readonly variance: LatentVector['variance'];
  /** Whether the assessment behind it is not complete. */
  readonly preliminary: boolean;
  readonly provisional: boolean;
  readonly created_at: Date;
};

/** Finds the member's latest trait vector; undefined before the first. */
export function findLatestVector(db: Reader, member_id: string): Promise<LatestVector | undefined> {
  return db.find(sql<LatestVector>`
    select version, latent_mean as mean, latent_variance as variance, stage <> 'complete' as preliminary, provisional, created_at
    from trait_vectors where member_id = ${member_id} order by ${listedFirst}, version desc limit 1`);
}

/** How certain a member's latest trait vector is, and when the answers behind it were completed. */
export type Measurement = {
  readonly variance: LatentVector['variance'];
  readonly stage: AssessmentStage;
  /** Whether the answers behind it look careless. */
  readonly is_flagged: boolean;
  readonly completed_at: Date;
};

/** Finds what is known about the member's latest measurement; undefined before the first. */
export function findMeasurement(db: Reader, member_id: string): Promise<Measurement | undefined> {
  return db.find(sql<Measurement>`
    select latent_variance as variance, stage,
      exists (select from assessments where assessments.member_id = ${member_id} and assessments.id = assessment_id and quality_flags <> '{}') as is_flagged,
      coalesce(
      (select max(completed_at) from assessments where assessments.member_id = ${member_id}), created_at) as completed_at
    from trait_vectors where member_id = ${member_id} order by ${listedFirst}, version desc limit 1`);
}

/** Says whether the member's latest trait vector is preliminary; false before the first. */
export async function isPreliminary(db: Reader, member_id: string): Promise<boolean> {
  const latest = await db.find(sql<{ stage: AssessmentStage }>`
    select stage from trait_vectors where member_id = ${member_id} order by ${listedFirst}, version desc limit 1`);
  return latest !== undefined && latest.stage !== 'complete';
}
