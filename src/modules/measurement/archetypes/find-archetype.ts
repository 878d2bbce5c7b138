import { findLatestVector, type LatentVector } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import { assignArchetype, toConfidenceLevel } from './assignment.ts';
import { computeFamilyProbabilities, toCertainty } from './family-stability.ts';
import {
  archetypeFamilies,
  familyNames,
  templatesVersion,
  type ArchetypeCode,
  type ArchetypeFamily,
} from './templates.ts';

/** A member's archetype. The numbers are about the member and may be returned only to the member. */
export type Archetype = {
  /** Null if the family is not certain enough to assign one. */
  readonly archetype: ArchetypeCode | null;
  /** The name of the archetype, or the two families that the member is between. */
  readonly name: string;
  readonly archetype_family: ArchetypeFamily | null;
  readonly description: string;
  readonly confidence: number;
  readonly confidence_level: 'high' | 'medium' | 'low';
  /** The probability that another assessment of the same precision leads to the most probable family, 0 to 1, and the same in words. */
  readonly family_probability: number;
  readonly certainty: 'high' | 'medium' | 'low';
  /** The two most probable families if none is assigned, the more probable first. */
  readonly alternatives: readonly {
    readonly archetype_family: ArchetypeFamily;
    readonly probability: number;
  }[];
  /** Whether the assessment behind it is not complete. */
  readonly preliminary: boolean;
  readonly runner_up: ArchetypeCode;
  /** The version of the trait vector from which it was computed. */
  readonly vector_version: number;
  /** Whether the parameters behind that vector are not yet calibrated. */
  readonly provisional: boolean;
  readonly templates_version: string;
  /** When that vector was measured. */
  readonly assigned_at: Date;
};

/**
 * Computes a member's archetype from the latest trait vector; undefined before the first measurement. It takes less than a millisecond, so
 * it is computed at each read instead of stored. So it always agrees with the vector, and new templates apply to all members immediately.
 */
export async function findArchetype(db: Reader, member_id: string): Promise<Archetype | undefined> {
  const vector = await findLatestVector(db, member_id);
  if (!vector) return undefined;
  return {
    ...describeArchetype(vector),
    preliminary: vector.preliminary,
    vector_version: vector.version,
    provisional: vector.provisional,
    templates_version: templatesVersion,
    assigned_at: vector.created_at,
  };
}

type Description = Omit<
  Archetype,
  'preliminary' | 'vector_version' | 'provisional' | 'templates_version' | 'assigned_at'
>;

/**
 * Assigns the nearest archetype, if another assessment of the same precision leads to its family with the required probability. Otherwise
 * the member is between the two most probable families.
 */
export function describeArchetype(vector: LatentVector & { readonly provisional: boolean }): Description {
  const { template, runner_up, confidence } = assignArchetype(vector);
  const probabilities = computeFamilyProbabilities(vector);
  const family_probability = probabilities[template.family];
  const certainty = toCertainty(family_probability, vector.provisional);
  const confidences = {
    confidence,
    confidence_level: toConfidenceLevel(confidence, vector.provisional),
    family_probability,
    certainty,
    runner_up: runner_up.archetype,
  };
  if (certainty !== 'low') {
    const { archetype, name, family, description } = template;
    return { ...confidences, archetype, name, archetype_family: family, description, alternatives: [] };
  }
  const [one, other] = familyNames.toSorted((a, b) => probabilities[b] - probabilities[a]);
  return {
    ...confidences,
    archetype: null,
    archetype_family: null,
    ...describeBetween(one!, other!),
    alternatives: [one!, other!].map((family) => ({
      archetype_family: family,
      probability: probabilities[family],
    })),
  };
}

function describeBetween(
  one: ArchetypeFamily,
  other: ArchetypeFamily,
): Pick<Archetype, 'name' | 'description'> {
  const toClause = (family: ArchetypeFamily) => {
    const meaning = archetypeFamilies[family];
    return `${family} (${meaning[0]!.toLowerCase()}${meaning.slice(1, -1)})`;
  };
  return {
    name: `Between ${one} and ${other}`,
    description: `Between ${toClause(one)} and ${toClause(other)}.`,
  };
}
