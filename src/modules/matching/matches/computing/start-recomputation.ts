import { recordCallerAudit } from '#modules/operations/audit';
import { queuedTaskWire } from '#modules/operations/tasks';
import { operation } from '#platform/operation.ts';
import { computeAllMatches } from './compute-all-matches.ts';

export const startRecomputation = operation({
  name: 'matches.startRecomputation',
  title: 'Compute all matches again',
  summary:
    'Starts computing the matches of all active jobs again. `GET /tasks/{task_id}` shows when it is done. Needed only after a change that affects all matches.',
  who: ['platform_admin'],
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  idempotent: true,
  run: (context) =>
    context.transaction(async (tx) => {
      const task = await context.queue.start(tx, computeAllMatches, {}, context.caller.user_id);
      const detail = { task_id: task.task_id };
      await recordCallerAudit(context, tx, { action: 'matching.all_recomputation_started', detail });
      return task;
    }),
});
