import { event, sentEvent } from '#platform/queue/event.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** The organisation is named, so that the tasks of different organisations take turns. */
const data = closedObject({ job_id: uuid, org_id: uuid });

/** An organisation created a job; the job is active. */
export const jobCreated = event('job.created', data);

/** A closed job or a draft became active. */
export const jobActivated = event('job.activated', data);

/** The requirements of an active job changed. */
export const jobChanged = event('job.changed', data);

const sentIds = {
  job_id: field(uuid, 'The job.', sampleIds.job),
  org_id: field(uuid, 'Your organisation.', sampleIds.organisation),
};

/** A job was closed, so it is no longer matched. */
export const jobClosed = sentEvent('job.closed', data, {
  title: 'A job was closed',
  meaning: 'Your organisation closed the job, so nobody is compared with it any longer.',
  schema: closedObject(sentIds),
  build: ({ job_id, org_id }) => ({ job_id, org_id }),
});
