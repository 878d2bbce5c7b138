import type { Static, TObject } from 'typebox';
import type { Event, Task } from '#platform/platform.ts';

export type { Event } from '#platform/platform.ts';

/** Defines an event of a module: its name, and the schema of the data that its listeners and webhooks receive. */
export function event<Schema extends TObject>(name: string, schema: Schema): Event<Static<Schema>> {
  return { name, schema };
}

/** An event and the tasks that listen to it. */
export type EventRow = { readonly event: Event; readonly tasks: readonly Task[] };

/** Defines a row of `src/tables/events.ts`. Each task receives the event's data; a task that expects other data does not compile. */
export function on<Data extends object>(
  event: Event<Data>,
  ...tasks: readonly Task<NoInfer<Data>>[]
): EventRow {
  return { event, tasks };
}
