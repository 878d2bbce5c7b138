import { Type, type Static } from 'typebox';
import { microsToNumber, type Micros } from '#lib/money.ts';
import { continuousTraits } from '#modules/measurement/traits';
import { closedObject, field, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { claimCodePattern } from './claim-code.ts';
import {
  attunementBands,
  chooseBand,
  observationConfidences,
  observationLevels,
  stubStatuses,
  type Stub,
} from './rules.ts';

const sample_code = 'TES-7K3M9QXZ2B';

/** A claim code as people type it. */
export const claimCodeInput = field(
  patternText('^[^\\u0000]*$', 'must be text without NUL', { minLength: 1, maxLength: 40 }),
  'The claim code. Case, hyphens and spaces do not matter.',
  sample_code,
);

/** What was observed, at most 100 observations at a time. */
export const observationsInput = field(
  Type.Array(
    closedObject({
      trait: field(
        Type.Enum([...continuousTraits]),
        'A trait of GET /taxonomy/traits that is measured on a scale.',
        'persistence',
      ),
      level: field(Type.Enum(observationLevels), 'How much of it, compared with other people.', 'above'),
      confidence: field(Type.Enum(observationConfidences), 'How sure the observer is.', 'medium'),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  'What was observed.',
);

const stubFields = {
  claim_code: field(
    Type.String({ pattern: claimCodePattern }),
    'The code with which the person can claim the identity.',
    sample_code,
  ),
  trait_count: field(Type.Integer({ minimum: 0 }), 'Of how many traits something was observed.', 8),
  query_count: field(Type.Integer({ minimum: 0 }), 'How often organisations have read it.', 3),
  accrued_earnings: field(Type.Number(), 'What it has earned, in USD.', 0.5625),
  attunement_band: field(Type.Enum(attunementBands), 'How well the person is known.', 'Known'),
  created_at: timestamp,
  status: field(Type.Enum(stubStatuses), 'Whether somebody has claimed it.', 'unclaimed'),
};

/** An identity that nobody has claimed yet. It names no one. */
export const stubWire = closedObject(stubFields, { $id: 'IdentityStub' });

/** A new stub, with the id by which organisations can read it. */
export const newStubWire = closedObject(
  {
    ...stubFields,
    member_id: field(
      uuid,
      'The id by which any organisation can read the identity until it is claimed.',
      sampleIds.member,
    ),
  },
  { $id: 'NewIdentityStub' },
);

/** The numbers of a stub. */
export type StubCounts = { readonly traits: number; readonly reads: number; readonly earned: Micros };

export function toStubWire(
  claim_code: string,
  { status, created_at }: Pick<Stub, 'status' | 'created_at'>,
  { traits, reads, earned }: StubCounts,
): Static<typeof stubWire> {
  return {
    claim_code,
    trait_count: traits,
    query_count: reads,
    accrued_earnings: microsToNumber(earned),
    attunement_band: chooseBand(traits),
    created_at: created_at.toISOString(),
    status,
  };
}
