import { Type, type Static } from 'typebox';
import { traitCodes } from '#modules/measurement/traits';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import type { Archetype } from './find-archetype.ts';
import {
  archetypeCodes,
  archetypeFamilies,
  archetypeTemplates,
  familyNames,
  templatesVersion,
  type ArchetypeTemplate,
} from './templates.ts';

const probability = Type.Number({ minimum: 0, maximum: 1 });
const traitNames = Type.Array(Type.Enum([...traitCodes]));

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
    archetype: field(
      nullable(Type.Enum(archetypeCodes)),
      'The archetype; null if its family is not certain.',
      archetypeTemplates[0]!.archetype,
    ),
    name: field(
      Type.String(),
      'The name of the archetype, or the two families that the member is between.',
      archetypeTemplates[0]!.name,
    ),
    archetype_family: field(
      nullable(Type.Enum(familyNames)),
      'The family; null if it is not certain.',
      archetypeTemplates[0]!.family,
    ),
    description: archetypeFields.description,
    certainty: field(
      Type.Enum(['high', 'medium', 'low']),
      'How probable it is that another assessment leads to the same family. An archetype is assigned unless it is low, and attested by credentials only if it is high.',
      'high',
    ),
    family_probability: field(
      probability,
      'The probability that another assessment of the same length leads to the same family.',
      0.87,
    ),
    alternatives: field(
      Type.Array(
        closedObject({
          archetype_family: Type.Enum(familyNames),
          probability: field(probability, 'The probability that another assessment leads to it.', 0.52),
        }),
      ),
      'The two families that the member is between, the more probable first; empty if a family is certain.',
      [],
    ),
    preliminary: field(
      Type.Boolean(),
      'Whether the assessment is not complete, so that further answers make the archetype more certain.',
      false,
    ),
    confidence: field(probability, 'How certain the archetype itself is, from 0 to 1.', 0.71),
    confidence_level: field(Type.Enum(['high', 'medium', 'low']), 'The confidence in words.', 'medium'),
    runner_up: field(Type.Enum(archetypeCodes), 'The archetype that is the next best.', 'lantern'),
    vector_version: field(
      Type.Integer({ minimum: 1 }),
      'The measurement of the traits that it is based on.',
      1,
    ),
    provisional: field(
      Type.Boolean(),
      'Whether the parameters of the measurement are not yet calibrated with the answers of enough people.',
      true,
    ),
    templates_version: field(Type.String(), 'The version of the archetypes.', templatesVersion),
    assigned_at: field(timestamp, 'When the archetype was assigned.', '2026-03-04T14:30:00.000Z'),
  },
  { $id: 'Archetype' },
);

export function toWire(member_id: string, archetype: Archetype) {
  return toReply(archetypeWire, { member_id, ...archetype });
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
