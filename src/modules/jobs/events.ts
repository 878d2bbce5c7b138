import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { uuid } from '#platform/schema.ts';

const data = Type.Object({ job_id: uuid }, { additionalProperties: false });

/** An organisation created a job, which is active. */
export const jobCreated = event('job.created', data);

/** A job that was closed or a draft is active. */
export const jobActivated = event('job.activated', data);

/** An active job asks for something else than before. */
export const jobChanged = event('job.changed', data);

/** A job no longer takes matches. */
export const jobClosed = event('job.closed', data);
