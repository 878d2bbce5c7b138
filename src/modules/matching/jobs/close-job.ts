import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { changeJob, lockJobForChange } from './change-job.ts';

export const closeJob = operation({
  name: 'jobs.closeJob',
  summary: 'Closes a job in any status. Its open matches expire; its record is kept.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid }),
  output: { 204: null },
  refuses: ['job_not_found'],
  run: (context, { job_id }) =>
    context.transaction(async (tx) => {
      const patch = { status: 'closed' } as const;
      await changeJob(context, tx, await lockJobForChange(context, tx, job_id, patch), { patch });
      return null;
    }),
});
