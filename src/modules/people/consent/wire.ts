import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { consentTexts, consentVersions, hasNewText } from './consent-texts.ts';
import { consentTypes } from './consent-types.ts';
import type { ConsentRecord } from './resource.ts';
import {
  consentLevels,
  computeLevelFromRecords,
  queryCategories,
  type CategoryRecord,
  type Decision,
} from './rules.ts';

/** A decision in the history of a member. */
export const consentDecisionWire = closedObject(
  {
    id: field(uuid, 'The id of the decision.', sampleIds.entry),
    consent_type: Type.Enum(consentTypes),
    category: field(
      nullable(Type.Enum(queryCategories)),
      'The category of identity data that was decided on; null for a decision on the type as a whole.',
      null,
    ),
    granted: Type.Boolean(),
    version: field(
      nullable(Type.String()),
      'The version of the text that the member agreed to or withdrew from; null for a category.',
      consentVersions.at(-1),
    ),
    created_at: timestamp,
  },
  { $id: 'ConsentDecision' },
);

export function toDecisionWire(decision: Decision): Static<typeof consentDecisionWire> {
  const { id, consent_type, category, granted, version, created_at } = decision;
  return { id, consent_type, category, granted, version, created_at: created_at.toISOString() };
}

/** The published texts: by type, from the oldest version to the current one. */
export const consentTextsWire = closedObject(
  {
    data: Type.Array(
      closedObject({
        consent_type: Type.Enum(consentTypes),
        version: field(Type.Enum(consentVersions), 'The version of the text.'),
        is_current: field(Type.Boolean(), 'Whether this is the version to show to a member now.', true),
        text: field(Type.String(), 'What the member agrees to.', consentTexts[consentVersions[0]].matching),
      }),
    ),
  },
  { $id: 'ConsentTexts' },
);

export function toConsentTextsWire(): Static<typeof consentTextsWire> {
  const current = consentVersions.at(-1);
  const data = consentTypes.flatMap((consent_type) =>
    consentVersions.map((version) => ({
      consent_type,
      version,
      is_current: version === current,
      text: consentTexts[version][consent_type],
    })),
  );
  return { data };
}

/** The member's current consent to every type; version and updated_at are null for a type that they have never decided on. */
export const consentStatusWire = closedObject(
  {
    consents: field(
      Type.Array(
        closedObject({
          consent_type: Type.Enum(consentTypes),
          granted: Type.Boolean(),
          version: field(
            nullable(Type.String()),
            'The version of the text; null if never decided.',
            consentVersions.at(-1),
          ),
          is_outdated: field(
            Type.Boolean(),
            'Whether it was granted with an earlier text than that of `GET /consent-texts`. It stays valid for what that text said, and what is new begins only once the member agrees to it.',
            false,
          ),
          updated_at: field(
            nullable(timestamp),
            'When the member decided; null if never.',
            '2026-03-02T09:00:00.000Z',
          ),
        }),
      ),
      'The current decision on every type.',
    ),
    consent_level: Type.Enum(consentLevels),
  },
  { $id: 'ConsentStatus' },
);

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
        is_outdated: decision?.granted === true && hasNewText(consent_type, decision.version),
        updated_at: decision?.created_at.toISOString() ?? null,
      };
    }),
    consent_level: computeLevelFromRecords(latest, categories),
  };
}

/** What identity data of the member may be sold: nothing below `selective`, and the approved categories at or above it. */
export const queryConsentWire = closedObject(
  {
    consent_level: Type.Enum(consentLevels),
    categories: field(
      Type.Array(
        closedObject({
          category: field(Type.Enum(queryCategories), 'The category of identity data.'),
          approved: field(Type.Boolean(), 'Whether the member lets others pay for this category.', true),
          updated_at: field(
            nullable(timestamp),
            'When the member decided; null if never.',
            '2026-03-02T09:00:00.000Z',
          ),
        }),
      ),
      'The decision on every category.',
    ),
  },
  { $id: 'QueryConsent' },
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
