import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** The organisation is named, so that the tasks of different organisations take turns. */
const data = closedObject({ job_id: uuid, org_id: uuid });

/** An organisation created a job; the job is active. */
export const jobCreated = event('job.created', data);

/** A closed job or a draft became active. */
export const jobActivated = event('job.activated', data);

/** The requirements of an active job changed. */
export const jobChanged = event('job.changed', data);

/** A job was closed, so it is no longer matched. */
export const jobClosed = event('job.closed', data);
