import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { findOrganisationJob } from '#modules/matching/jobs';
import { queuedTaskWire } from '#modules/operations/tasks';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkActive } from './check-active.ts';
import { computeJobMatches } from './compute-job-matches.ts';

export const recomputeMatches = operation({
  name: 'matches.recomputeMatches',
  summary:
    'Starts computing the matches of an active job again. `GET /tasks/{task_id}` reports the progress.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid }),
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: ['job_not_found', 'job_closed'],
  idempotent: true,
  run: (context, { job_id }) =>
    context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      const job = requireFound(await findOrganisationJob(tx, org_id, job_id), 'job_not_found');
      checkActive(job);
      const task = await context.queue.start(tx, computeJobMatches, { job_id, org_id }, user_id);
      const detail = { job_id: job.id, task_id: task.task_id };
      await recordCallerAudit(context, tx, { action: 'matching.recomputation_started', org_id, detail });
      return task;
    }),
});
