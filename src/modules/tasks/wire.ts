import { Type, type Static } from 'typebox';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { taskStatuses, type TaskRecord } from './rules.ts';

/** The body of every 202: ask `GET /tasks/{task_id}` how it goes. */
export const queuedTaskWire = Type.Object(
  { task_id: uuid, status: Type.Enum(['queued']) },
  { $id: 'QueuedTask', additionalProperties: false },
);

const count = Type.Integer({ minimum: 0 });

/** A background task as the user who waits for it sees it. */
export const taskWire = Type.Object(
  {
    task_id: uuid,
    status: Type.Enum(taskStatuses),
    progress: Type.Object({ done: count, total: count }, { additionalProperties: false }),
    result_url: nullable(Type.String()),
    error: nullable(Type.String()),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'Task', additionalProperties: false },
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
