import { Type } from 'typebox';
import { fixed, given, resource, type Row } from '#platform/resource.ts';
import { field, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { consentVersions } from './consent-texts.ts';
import { consentTypes } from './consent-types.ts';

/** A decision of a member on one type of consent. The last one counts; none ever changes. */
export const consentResource = resource(
  { table: 'consent_records', $id: 'ConsentRecord' },
  {
    id: fixed(field(uuid, 'The id of the record.', sampleIds.entry)),
    member_id: fixed(uuid, { hidden: true }),
    consent_type: given(Type.Enum(consentTypes)),
    granted: given(Type.Boolean()),
    version: given(
      Type.String({
        description: 'The version of the text that the member agreed to or withdrew from.',
        examples: [consentVersions.at(-1)],
      }),
      { input: Type.Enum(consentVersions, { description: 'A version of GET /consent-texts.' }) },
    ),
    created_at: fixed(timestamp, { as: 'time' }),
  },
);

export type ConsentRecord = Row<typeof consentResource>;
