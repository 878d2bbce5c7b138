import { Type, type Static } from 'typebox';
import { traitCodes } from '#modules/traits';
import { closedObject, timestamp, uuid } from '#platform/schema.ts';
import type { Archetype } from './find-archetype.ts';
import {
  archetypeCodes,
  archetypeFamilies,
  archetypeTemplates,
  templatesVersion,
  type ArchetypeFamily,
  type ArchetypeTemplate,
} from './templates.ts';

// The cast restores the names, which Object.keys returns as plain strings.
const familyNames = Object.keys(archetypeFamilies) as ArchetypeFamily[];
const traitNames = Type.Array(Type.Enum([...traitCodes]));

/** A member's archetype, which only the member may read. */
export const archetypeWire = closedObject(
  {
    member_id: uuid,
    archetype: Type.Enum(archetypeCodes),
    name: Type.String(),
    archetype_family: Type.Enum(familyNames),
    description: Type.String(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    confidence_level: Type.Enum(['high', 'medium', 'low']),
    runner_up: Type.Enum(archetypeCodes),
    vector_version: Type.Integer({ minimum: 1 }),
    templates_version: Type.String(),
    assigned_at: timestamp,
  },
  { $id: 'Archetype' },
);

export function toWire(member_id: string, archetype: Archetype): Static<typeof archetypeWire> {
  return { member_id, ...archetype, assigned_at: archetype.assigned_at.toISOString() };
}

/** The twelve archetypes and their four families. */
export const archetypesWire = closedObject(
  {
    version: Type.String(),
    families: Type.Array(closedObject({ archetype_family: Type.Enum(familyNames), meaning: Type.String() })),
    archetypes: Type.Array(
      closedObject({
        archetype: Type.Enum(archetypeCodes),
        name: Type.String(),
        archetype_family: Type.Enum(familyNames),
        description: Type.String(),
        high: traitNames,
        low: traitNames,
      }),
    ),
  },
  { $id: 'Archetypes' },
);

export function buildArchetypesWire(): Static<typeof archetypesWire> {
  return {
    version: templatesVersion,
    families: familyNames.map((family) => ({ archetype_family: family, meaning: archetypeFamilies[family] })),
    archetypes: archetypeTemplates.map(({ archetype, name, family, description, vector }) => ({
      archetype,
      name,
      archetype_family: family,
      description,
      high: selectTraits(vector, 1),
      low: selectTraits(vector, -1),
    })),
  };
}

/** Selects the traits on one side of the population's mean, the furthest from it first. */
function selectTraits(vector: ArchetypeTemplate['vector'], side: 1 | -1) {
  return traitCodes
    .map((code, slot) => ({ code, distance: side * vector[slot]! }))
    .filter(({ distance }) => distance > 0)
    .toSorted((one, other) => other.distance - one.distance)
    .map(({ code }) => code);
}
