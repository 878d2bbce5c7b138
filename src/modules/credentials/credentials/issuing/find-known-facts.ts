import { findArchetype } from '#modules/measurement/archetypes';
import { listPlacements } from '#modules/matching/matches';
import { findMeasurement } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import { computeTraitCoverage, type KnownFacts } from '../rules.ts';

/** The facts about a member that the service can vouch for. */
export async function findKnownFacts(db: Reader, member_id: string): Promise<KnownFacts> {
  return {
    measured: await findMeasuredFacts(db, member_id),
    placements: await listPlacements(db, member_id),
  };
}

/**
 * A preliminary result shows how much was measured. It neither completes the assessment nor supports an archetype, which is attested only if
 * its family is certain.
 */
async function findMeasuredFacts(db: Reader, member_id: string): Promise<KnownFacts['measured']> {
  const measurement = await findMeasurement(db, member_id);
  if (!measurement) return undefined;
  const trait_coverage = computeTraitCoverage(measurement.variance);
  if (measurement.stage !== 'complete') return { trait_coverage };
  const assigned = await findArchetype(db, member_id);
  return {
    ...(assigned?.certainty === 'high' && assigned.archetype && assigned.archetype_family
      ? { archetype_family: assigned.archetype_family, archetype: assigned.archetype }
      : {}),
    trait_coverage,
    assessment_completed_on: measurement.completed_at.toISOString().slice(0, 10),
  };
}
