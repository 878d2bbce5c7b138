import { findLatestVector } from '#modules/traits';
import type { Reader } from '#platform/database/database.ts';
import { assignArchetype, toConfidenceLevel } from './assignment.ts';
import { templatesVersion, type ArchetypeCode, type ArchetypeFamily } from './templates.ts';

/** A member's archetype. `confidence` is a number about the member: it leaves only towards the member. */
export type Archetype = {
  readonly archetype: ArchetypeCode;
  readonly name: string;
  readonly archetype_family: ArchetypeFamily;
  readonly description: string;
  readonly confidence: number;
  readonly confidence_level: 'high' | 'medium' | 'low';
  readonly runner_up: ArchetypeCode;
  /** The trait vector that it follows from. */
  readonly vector_version: number;
  readonly templates_version: string;
  /** When that vector was measured: the archetype holds from then on. */
  readonly assigned_at: Date;
};

/**
 * The archetype of a member by the latest trait vector, or undefined before the first. It is computed whenever it is read (a few
 * microseconds), so that it can never differ from the vector, and better templates reach everybody at once.
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
