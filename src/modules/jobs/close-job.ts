import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { changeJob } from './change-job.ts';
import { lockOrganisationJob } from './store.ts';

export const closeJob = operation({
  name: 'jobs.closeJob',
  summary: 'Closes a job in any status. Its open matches expire; its record is kept.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid }),
  output: { 204: null },
  refuses: ['job_not_found'],
  run: (context, { job_id }) =>
    context.transaction(async (tx) => {
      const job = await lockOrganisationJob(tx, context.caller.org_id, job_id);
      if (!job) throw new Refusal('job_not_found');
      await changeJob(context, tx, job, { status: 'closed' });
      return null;
    }),
});
