import { Type } from 'typebox';
import { metadataFields } from '#modules/matching/jobs';
import { closedObject, field, nullable, text, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** The id of a thing in a program of the organisation. */
export const referenceText = field(
  text(200),
  'The id in a program of yours, such as that of an application. Lists can be filtered by it.',
  'application-20931',
);

/** What a program notes. What is left out is empty. */
export const referenceInput = {
  external_ref: Type.Optional(nullable(referenceText)),
  metadata: Type.Optional(metadataFields),
};

/** What a program of the organisation has noted on a match. Nobody else reads it. */
export const referenceWire = closedObject(
  {
    match_id: field(uuid, 'The match.', sampleIds.match),
    external_ref: nullable(referenceText),
    metadata: metadataFields,
  },
  { $id: 'MatchReference' },
);
