import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findJobOf } from '#modules/jobs';
import { queuedTaskWire } from '#modules/tasks';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { computeJobMatches } from './compute-job-matches.ts';

export const recomputeMatches = operation({
  name: 'matching.recomputeMatches',
  summary: 'Starts computing the matches of an active job anew; `GET /tasks/{task_id}` tells how it goes.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid }),
  output: { 202: queuedTaskWire },
  refuses: ['job_not_found', 'job_closed'],
  idempotent: true,
  run: ({ caller, queue, transaction }, { job_id }) =>
    transaction(async (tx) => {
      const job = await findJobOf(tx, caller.org_id, job_id);
      if (!job) throw new Refusal('job_not_found');
      if (job.status !== 'active')
        throw new Refusal('job_closed', { detail: `The job is ${job.status}: active jobs are matched.` });
      return queue.start(tx, computeJobMatches, { job_id }, caller.user_id);
    }),
});
