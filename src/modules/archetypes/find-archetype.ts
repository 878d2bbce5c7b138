import { findLatestVector } from '#modules/traits';
import type { Reader } from '#platform/database/database.ts';
import { assignArchetype, toConfidenceLevel } from './assignment.ts';
import { templatesVersion, type ArchetypeCode, type ArchetypeFamily } from './templates.ts';

/** A member's archetype. `confidence` is a number about the member and may be returned only to the member. */
export type Archetype = {
  readonly archetype: ArchetypeCode;
  readonly name: string;
  readonly archetype_family: ArchetypeFamily;
  readonly description: string;
  readonly confidence: number;
  readonly confidence_level: 'high' | 'medium' | 'low';
  readonly runner_up: ArchetypeCode;
  /** The version of the trait vector from which it was computed. */
  readonly vector_version: number;
  readonly templates_version: string;
  /** When that vector was measured. */
  readonly assigned_at: Date;
};

/**
 * Computes a member's archetype from the latest trait vector; undefined before the first measurement. It takes a few microseconds, so it
 * is computed at each read instead of stored. So it always agrees with the vector, and new templates apply to all members immediately.
 */
export async function findArchetype(db: Reader, member_id: string): Promise<Archetype | undefined> {
  const vector = await findLatestVector(db, member_id);
  if (!vector) return undefined;
  const { template, runner_up, confidence } = assignArchetype(vector);
  const { archetype, name, family, description } = template;
  return {
    archetype,
    name,
    archetype_family: family,
    description,
    confidence,
    confidence_level: toConfidenceLevel(confidence),
    runner_up: runner_up.archetype,
    vector_version: vector.version,
    templates_version: templatesVersion,
    assigned_at: vector.created_at,
  };
}
