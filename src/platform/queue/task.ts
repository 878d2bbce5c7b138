import type { Task } from '#platform/platform.ts';

export type { Task, TaskContext } from '#platform/platform.ts';

/** Defines a background task. It must be listed in `src/tables/tasks.ts`. */
export function task<Data extends object>(definition: Task<Data>): Task<Data> {
  return definition;
}
