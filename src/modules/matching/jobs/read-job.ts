import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findOrganisationJob } from './store.ts';
import { jobResource } from './resource.ts';

export const readJob = operation({
  name: 'jobs.readJob',
  summary: 'Reads a job of the caller’s organisation.',
  who: orgRoles,
  input: Type.Object({ job_id: uuid }),
  output: { 200: jobResource.wire },
  etag: true,
  refuses: ['job_not_found'],
  run: async ({ database, caller }, { job_id }) => {
    const job = requireFound(await findOrganisationJob(database, caller.org_id, job_id), 'job_not_found');
    return jobResource.toWire(job);
  },
});
