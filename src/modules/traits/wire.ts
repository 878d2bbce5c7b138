import { Type, type Static } from 'typebox';
import { closedObject, timestamp, uuid } from '#platform/schema.ts';
import { listOptionTexts, type Item } from './items/item.ts';
import { computeProgress } from './measurement/progress.ts';
import type { TraitVector } from './measurement/trait-vector.ts';
import { traitCodes, traitFamilyNames } from './taxonomy.ts';

const probability = Type.Number({ minimum: 0, maximum: 1 });
const traitName = Type.Enum([...traitCodes]);

/** The progress of an assessment and its next item. */
export const assessmentWire = closedObject(
  {
    assessment_id: uuid,
    progress: closedObject({
      answered: Type.Integer({ minimum: 0 }),
      estimated_total: Type.Integer({ minimum: 0 }),
      percent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    next_item: Type.Union([
      closedObject({ item_id: Type.String(), text: Type.String(), options: Type.Array(Type.String()) }),
      Type.Null(),
    ]),
  },
  { $id: 'Assessment' },
);

/** A trait vector, which only its member may read. */
export const traitVectorWire = closedObject(
  {
    member_id: uuid,
    overall_confidence: probability,
    last_updated: timestamp,
    traits: Type.Array(
      closedObject({
        trait_name: traitName,
        score: probability,
        confidence: probability,
        lower_bound: probability,
        upper_bound: probability,
      }),
    ),
    categorical_traits: Type.Array(
      closedObject({
        trait_name: traitName,
        primary: Type.String(),
        distribution: Type.Array(closedObject({ value: Type.String(), probability })),
        confidence: probability,
      }),
    ),
  },
  { $id: 'TraitVector' },
);

export const taxonomyWire = closedObject(
  {
    version: Type.String(),
    traits: Type.Array(
      closedObject({
        trait_name: traitName,
        family: Type.Enum([...traitFamilyNames]),
        kind: Type.Enum(['continuous', 'categorical']),
        meaning: Type.String(),
        values: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  },
  { $id: 'Taxonomy' },
);

/** Builds the reply to starting, resuming and answering an assessment. */
export function toAssessmentWire(
  assessment_id: string,
  answered: number,
  next: Item | undefined,
): Static<typeof assessmentWire> {
  return {
    assessment_id,
    progress: computeProgress(answered, next === undefined),
    next_item: next ? { item_id: next.id, text: next.text, options: [...listOptionTexts(next)] } : null,
  };
}

export function toTraitVectorWire(
  member_id: string,
  { vector, created_at }: { readonly vector: TraitVector; readonly created_at: Date },
): Static<typeof traitVectorWire> {
  return {
    member_id,
    overall_confidence: vector.overall_confidence,
    last_updated: created_at.toISOString(),
    traits: [...vector.traits],
    categorical_traits: vector.categorical_traits.map((each) => ({
      ...each,
      distribution: [...each.distribution],
    })),
  };
}
