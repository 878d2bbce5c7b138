import { Type } from 'typebox';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** On how many matches one request decides. */
export const decided_max = 100;

const matchIds = Type.Array(uuid, { maxItems: decided_max });

/** What became of a decision on several matches. */
export const decisionWire = closedObject(
  {
    decision_id: field(
      nullable(uuid),
      'What undoes the decision as a whole: POST /orgs/me/jobs/{job_id}/decisions/{decision_id}/undo. Null if it cannot be undone as a whole.',
      sampleIds.task,
    ),
    moved: field(matchIds, 'The matches whose status has changed.', [sampleIds.match]),
    unchanged: field(matchIds, 'The matches that had the status already.', []),
    refused: field(
      Type.Array(
        closedObject({
          match_id: uuid,
          code: field(Type.String(), 'Why, as in a problem of this code.', 'match_status_conflict'),
          detail: field(Type.String(), 'Why, in a sentence.', 'The job is closed.'),
        }),
        { maxItems: decided_max },
      ),
      'The matches that could not be moved, with the reason.',
      [],
    ),
  },
  { $id: 'MatchDecision' },
);
