import { Type, type Static } from 'typebox';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { consentLevel, consentLevels, consentTypes, type ConsentRecord } from './rules.ts';

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

export function toStatusWire(latest: readonly ConsentRecord[]): Static<typeof consentStatusWire> {
  const granted = latest.filter((decision) => decision.granted).map(({ consent_type }) => consent_type);
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
    consent_level: consentLevel(new Set(granted)),
  };
}
