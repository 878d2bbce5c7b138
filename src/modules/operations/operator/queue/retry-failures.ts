import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { retriedWire, taskNameInput } from './wire.ts';

export const retryFailures = operation({
  name: 'operator.retryFailures',
  title: 'Try all failed tasks of one name again',
  summary:
    'Queues the failed tasks of one name again, the oldest first, at most a thousand at a time. It replies 0 if none has failed.',
  who: ['platform_admin'],
  input: closedObject({ task: taskNameInput }),
  output: { 200: retriedWire },
  run: (context, { task }) =>
    context.transaction(async (tx) => {
      const retried = await context.queue.retryFailed(tx, { task });
      if (retried > 0)
        await recordCallerAudit(context, tx, { action: 'tasks.failures_retried', detail: { task, retried } });
      return { retried };
    }),
});
