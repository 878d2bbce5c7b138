import { archetypeOf } from '#modules/archetypes';
import type { Reader } from '#platform/database/database.ts';
import { traitCoverage, type Known } from '../rules.ts';
import { findMeasurement, listPlacements } from '../store.ts';

/** Everything about a member that the service can vouch for. */
export async function knownFacts(db: Reader, member_id: string): Promise<Known> {
  return { measured: await measuredFacts(db, member_id), placements: await listPlacements(db, member_id) };
}

async function measuredFacts(db: Reader, member_id: string): Promise<Known['measured']> {
  const measurement = await findMeasurement(db, member_id);
  const assigned = await archetypeOf(db, member_id);
  if (!measurement || !assigned) return undefined;
  return {
    archetype_family: assigned.archetype_family,
    archetype: assigned.archetype,
    trait_coverage: traitCoverage(measurement.variance),
    assessment_completed_on: measurement.completed_at.toISOString().slice(0, 10),
  };
}
