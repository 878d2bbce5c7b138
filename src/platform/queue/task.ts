import type { Task } from '#platform/platform.ts';

export type { Task, TaskContext } from '#platform/platform.ts';

/** Defines a background task; it works once `src/tasks.ts` lists it. */
export function task<Data extends object>(definition: Task<Data>): Task<Data> {
  return definition;
}
