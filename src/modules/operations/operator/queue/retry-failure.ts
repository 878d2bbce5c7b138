import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { retriedWire } from './wire.ts';

export const retryFailure = operation({
  name: 'operator.retryFailure',
  title: 'Try a failed task again',
  summary: 'Queues a failed task again, with all its attempts.',
  who: ['platform_admin'],
  input: closedObject({
    failure_id: field(uuid, 'The id of the failed task.', '4c6e8b1d-3f5a-4b7c-9d0e-1f2a3b4c5d6e'),
  }),
  output: { 200: retriedWire },
  refuses: ['failed_task_not_found'],
  run: (context, { failure_id }) =>
    context.transaction(async (tx) => {
      const retried = await context.queue.retryFailed(tx, { id: failure_id });
      if (retried === 0) throw new Refusal('failed_task_not_found');
      const detail = { failure_id };
      await recordCallerAudit(context, tx, { action: 'tasks.failure_retried', detail });
      return { retried };
    }),
});
