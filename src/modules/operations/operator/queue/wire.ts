import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';

const count = Type.Integer({ minimum: 0 });

export const taskNameInput = field(
  patternText('^[A-Za-z]+\\.[A-Za-z]+$', 'must be the name of a task such as accounts.sendNotice', {
    maxLength: 100,
  }),
  'The name of the task.',
  'accounts.sendNotice',
);

export const taskStateWire = closedObject(
  {
    task: field(Type.String(), 'The name of the task.', 'accounts.sendNotice'),
    waiting: field(count, 'Tasks that may run now.', 3),
    scheduled: field(count, 'Tasks whose time has not come, second attempts included.', 1),
    oldest_wait_seconds: field(
      Type.Number({ minimum: 0 }),
      'Since when the oldest waiting task could run; 0 if none waits.',
      0.8,
    ),
    running: field(count, 'Tasks that a worker of any process is running.', 2),
    failed: field(count, 'Tasks that failed for good within the last seven days.', 0),
  },
  { $id: 'TaskState' },
);

/** A task that has failed for good. Its data is not shown. */
export const failedTaskWire = closedObject(
  {
    id: field(uuid, 'The id of the failed task.', '4c6e8b1d-3f5a-4b7c-9d0e-1f2a3b4c5d6e'),
    task: field(Type.String(), 'The name of the task.', 'accounts.sendNotice'),
    attempts: field(Type.Integer({ minimum: 1 }), 'How often it was tried.', 5),
    failed_at: field(timestamp, 'When the last attempt failed.', '2026-03-04T14:30:00.000Z'),
    error: field(
      nullable(Type.String()),
      'What the last attempt failed with; null if its workers were lost. The log has more.',
      'Error: connect ECONNREFUSED 192.0.2.25:587',
    ),
  },
  { $id: 'FailedTask' },
);

type FailedTask = Omit<Static<typeof failedTaskWire>, 'failed_at'> & { readonly failed_at: Date };

export function toFailedWire(failed: FailedTask): Static<typeof failedTaskWire> {
  const { id, task, attempts, failed_at, error } = failed;
  return { id, task, attempts, failed_at: failed_at.toISOString(), error };
}

/** How many failed tasks were queued again. */
export const retriedWire = closedObject({
  retried: field(Type.Integer({ minimum: 0, maximum: 1_000 }), 'How many tasks were queued again.', 12),
});
