import { Type, type Static } from 'typebox';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';
import { taskStatuses, type TaskRecord } from './rules.ts';

/** The body of a 202 for a background task; `GET /tasks/{task_id}` gives its progress. */
export const queuedTaskWire = closedObject(
  { task_id: uuid, status: Type.Enum(['queued']) },
  { $id: 'QueuedTask' },
);

const count = Type.Integer({ minimum: 0 });

/** A background task as the user who started it sees it. */
export const taskWire = closedObject(
  {
    task_id: uuid,
    status: Type.Enum(taskStatuses),
    progress: closedObject({ done: count, total: count }),
    result_url: nullable(Type.String()),
    error: nullable(Type.String()),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'Task' },
);

export function toWire(task: TaskRecord): Static<typeof taskWire> {
  const { id, status, progress_done, progress_total, result_url, error, created_at, updated_at } = task;
  return {
    task_id: id,
    status,
    progress: { done: progress_done, total: progress_total },
    result_url,
    error,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
