import { metadataFields, referenceText } from '#modules/matching/jobs';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** What a program of the organisation has noted on a match. Nobody else reads it. */
export const referenceWire = closedObject(
  {
    match_id: field(uuid, 'The match.', sampleIds.match),
    external_ref: nullable(referenceText),
    metadata: metadataFields,
  },
  { $id: 'MatchReference' },
);
