import { Type, type Static } from 'typebox';
import { traitCodes } from '#modules/traits';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
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

/** What an archetype is, for its holder and in the list of all. */
const archetypeFields = {
  archetype: Type.Enum(archetypeCodes),
  name: field(Type.String(), 'The name of the archetype.', archetypeTemplates[0]!.name),
  archetype_family: Type.Enum(familyNames),
  description: field(
    Type.String(),
    'What people of this archetype do well.',
    archetypeTemplates[0]!.description,
  ),
};

/** A member's archetype, which only the member may read. */
export const archetypeWire = closedObject(
  {
    member_id: uuid,
    ...archetypeFields,
    confidence: field(
      Type.Number({ minimum: 0, maximum: 1 }),
      'How certain the archetype is, from 0 to 1.',
      0.71,
    ),
    confidence_level: field(Type.Enum(['high', 'medium', 'low']), 'The same in words.', 'high'),
    runner_up: field(Type.Enum(archetypeCodes), 'The archetype that is the next best.', 'lantern'),
    vector_version: field(
      Type.Integer({ minimum: 1 }),
      'The measurement of the traits that it is based on.',
      1,
    ),
    templates_version: field(Type.String(), 'The version of the archetypes.', templatesVersion),
    assigned_at: field(timestamp, 'When the archetype was assigned.', '2026-03-04T14:30:00.000Z'),
  },
  { $id: 'Archetype' },
);

export function toWire(member_id: string, archetype: Archetype): Static<typeof archetypeWire> {
  return { member_id, ...archetype, assigned_at: archetype.assigned_at.toISOString() };
}

/** The twelve archetypes and their four families. */
export const archetypesWire = closedObject(
  {
    version: field(Type.String(), 'The version of the archetypes.', templatesVersion),
    families: field(
      Type.Array(
        closedObject({
          archetype_family: Type.Enum(familyNames),
          meaning: field(Type.String(), 'What the family has in common.', archetypeFamilies.wayfinding),
        }),
      ),
      'The four families.',
    ),
    archetypes: field(
      Type.Array(
        closedObject({
          ...archetypeFields,
          high: field(traitNames, 'The traits above the mean, the furthest first.', ['ambiguity_tolerance']),
          low: field(traitNames, 'The traits below the mean, the furthest first.', ['structure_preference']),
        }),
      ),
      'The twelve archetypes.',
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
