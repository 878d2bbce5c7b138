import { Type } from 'typebox';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import { taskStatuses, type TaskRecord } from './rules.ts';

/** The body of a 202 for a background task; `GET /tasks/{task_id}` gives its progress. */
export const queuedTaskWire = closedObject(
  { task_id: uuid, status: field(Type.Enum(['queued']), 'The task waits for its turn.') },
  { $id: 'QueuedTask' },
);

const count = Type.Integer({ minimum: 0 });

/** A background task as the user who started it sees it. */
export const taskWire = closedObject(
  {
    task_id: uuid,
    status: field(Type.Enum(taskStatuses), 'How far the task has come.'),
    progress: field(
      closedObject({
        done: field(count, 'How many steps are done.', 40),
        total: field(count, 'How many steps there are.', 120),
      }),
      'The progress of the task.',
    ),
    result_url: field(nullable(Type.String()), 'Where the result is; null until there is one.', null),
    error: field(nullable(Type.String()), 'Why the task failed; null if it did not.', null),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'Task' },
);

export function toWire(task: TaskRecord) {
  const { id, progress_done, progress_total } = task;
  return toReply(taskWire, {
    ...task,
    task_id: id,
    progress: { done: progress_done, total: progress_total },
  });
}
