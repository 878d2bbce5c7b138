import { Type, type Static } from 'typebox';
import { computeProgress } from './measurement/progress.ts';
import { listOptionTexts, type Item } from './items/item.ts';
import { traitCodes, traitFamilies, type TraitFamily } from './taxonomy.ts';
import type { TraitVector } from './measurement/trait-vector.ts';
import { timestamp, uuid } from '#platform/schema.ts';

const strict = { additionalProperties: false };
const probability = Type.Number({ minimum: 0, maximum: 1 });
const traitName = Type.Enum([...traitCodes]);

/** Where an assessment stands and what it asks next. */
export const assessmentWire = Type.Object(
  {
    assessment_id: uuid,
    progress: Type.Object(
      {
        answered: Type.Integer({ minimum: 0 }),
        estimated_total: Type.Integer({ minimum: 0 }),
        percent: Type.Integer({ minimum: 0, maximum: 100 }),
      },
      strict,
    ),
    next_item: Type.Union([
      Type.Object(
        { item_id: Type.String(), text: Type.String(), options: Type.Array(Type.String()) },
        strict,
      ),
      Type.Null(),
    ]),
  },
  { ...strict, $id: 'Assessment' },
);

/** The trait vector: for the eyes of the member whose it is. */
export const traitVectorWire = Type.Object(
  {
    member_id: uuid,
    overall_confidence: probability,
    last_updated: timestamp,
    traits: Type.Array(
      Type.Object(
        {
          trait_name: traitName,
          score: probability,
          confidence: probability,
          lower_bound: probability,
          upper_bound: probability,
        },
        strict,
      ),
    ),
    categorical_traits: Type.Array(
      Type.Object(
        {
          trait_name: traitName,
          primary: Type.String(),
          distribution: Type.Array(Type.Object({ value: Type.String(), probability }, strict)),
          confidence: probability,
        },
        strict,
      ),
    ),
  },
  { ...strict, $id: 'TraitVector' },
);

export const taxonomyWire = Type.Object(
  {
    version: Type.String(),
    traits: Type.Array(
      Type.Object(
        {
          trait_name: traitName,
          family: Type.Enum(Object.keys(traitFamilies) as TraitFamily[]),
          kind: Type.Enum(['continuous', 'categorical']),
          meaning: Type.String(),
          values: Type.Optional(Type.Array(Type.String())),
        },
        strict,
      ),
    ),
  },
  { ...strict, $id: 'Taxonomy' },
);

/** The reply to starting, resuming and answering alike. */
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
  return { member_id, ...vector, last_updated: created_at.toISOString() } as Static<typeof traitVectorWire>;
}
