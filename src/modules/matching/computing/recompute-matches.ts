import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import { findOrganisationJob } from '#modules/jobs';
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
  run: ({ caller, now, queue, transaction }, { job_id }) =>
    transaction(async (tx) => {
      const { org_id, user_id } = caller;
      const job = await findOrganisationJob(tx, org_id, job_id);
      if (!job) throw new Refusal('job_not_found');
      if (job.status !== 'active')
        throw new Refusal('job_closed', { detail: `The job is ${job.status}: active jobs are matched.` });
      const task = await queue.start(tx, computeJobMatches, { job_id }, user_id);
      const detail = { job_id: job.id, task_id: task.task_id };
      const action = 'matching.recomputation_started';
      await recordAudit(tx, { now: now(), actor_user_id: user_id, action, org_id, detail });
      return task;
    }),
});
