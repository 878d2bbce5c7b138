import { Type } from 'typebox';
import { referenceText } from '#modules/matching/jobs';
import { sentEvent } from '#platform/queue/event.ts';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { invitationStates } from './rules.ts';

/** It says nothing of the person: neither the address nor the member. */
const data = closedObject({
  invitation_id: field(uuid, 'The invitation.', '1b7c9d3e-5f20-4a86-b1d4-8e6f0a2c4b59'),
  job_id: field(uuid, 'The job.', sampleIds.job),
  org_id: field(uuid, 'Your organisation.', sampleIds.organisation),
  status: field(Type.Enum(invitationStates), 'What became of the invitation.', 'accepted'),
  external_ref: nullable(referenceText),
});

/** What became of an invitation of a person to a job. */
export const invitationUpdated = sentEvent('invitation.updated', data, {
  title: 'An invitation was answered, or has ended',
  meaning:
    'Somebody whom your organisation invited to a job has accepted, declined, or withdrawn; or the invitation has expired or was cancelled.',
  schema: data,
  build: ({ invitation_id, job_id, org_id, status, external_ref }) => ({
    invitation_id,
    job_id,
    org_id,
    status,
    external_ref,
  }),
});
