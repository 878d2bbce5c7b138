import { Type, type Static } from 'typebox';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import {
  consentLevels,
  consentTypes,
  computeLevelFromRecords,
  queryCategories,
  type CategoryRecord,
  type ConsentRecord,
} from './rules.ts';

/** One decision of a member, as it was recorded. */
export const consentRecordWire = Type.Object(
  {
    id: uuid,
    consent_type: Type.Enum(consentTypes),
    granted: Type.Boolean(),
    version: Type.String({
      description: 'The version of the text that the member agreed to or withdrew from.',
    }),
    created_at: timestamp,
  },
  { $id: 'ConsentRecord', additionalProperties: false },
);

/** Where the member stands on every type; version and updated_at are null where they have never decided. */
export const consentStatusWire = Type.Object(
  {
    consents: Type.Array(
      Type.Object(
        {
          consent_type: Type.Enum(consentTypes),
          granted: Type.Boolean(),
          version: nullable(Type.String()),
          updated_at: nullable(timestamp),
        },
        { additionalProperties: false },
      ),
    ),
    consent_level: Type.Enum(consentLevels),
  },
  { $id: 'ConsentStatus', additionalProperties: false },
);

export function toRecordWire(record: ConsentRecord): Static<typeof consentRecordWire> {
  const { id, consent_type, granted, version, created_at } = record;
  return { id, consent_type, granted, version, created_at: created_at.toISOString() };
}

export function toStatusWire(
  latest: readonly ConsentRecord[],
  categories: readonly CategoryRecord[],
): Static<typeof consentStatusWire> {
  return {
    consents: consentTypes.map((consent_type) => {
      const decision = latest.find((each) => each.consent_type === consent_type);
      return {
        consent_type,
        granted: decision?.granted ?? false,
        version: decision?.version ?? null,
        updated_at: decision?.created_at.toISOString() ?? null,
      };
    }),
    consent_level: computeLevelFromRecords(latest, categories),
  };
}

/** What of the member's identity may be sold: nothing below `selective`, and the approved categories from there on. */
export const queryConsentWire = Type.Object(
  {
    consent_level: Type.Enum(consentLevels),
    categories: Type.Array(
      Type.Object(
        { category: Type.Enum(queryCategories), approved: Type.Boolean(), updated_at: nullable(timestamp) },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'QueryConsent', additionalProperties: false },
);

export function toQueryConsentWire(
  latest: readonly ConsentRecord[],
  categories: readonly CategoryRecord[],
): Static<typeof queryConsentWire> {
  return {
    consent_level: computeLevelFromRecords(latest, categories),
    categories: queryCategories.map((category) => {
      const decision = categories.find((each) => each.category === category);
      return {
        category,
        approved: decision?.approved ?? false,
        updated_at: decision?.created_at.toISOString() ?? null,
      };
    }),
  };
}
