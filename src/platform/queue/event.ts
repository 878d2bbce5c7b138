import type { Static, TObject } from 'typebox';
import type { Event, Task } from '#platform/platform.ts';

export type { Event } from '#platform/platform.ts';

/** Defines an event of a module: its name, and the schema of the data that its listeners and webhooks receive. */
export function event<Schema extends TObject>(name: string, schema: Schema): Event<Static<Schema>> {
  return { name, schema };
}

/** An event that webhooks send, and what their receivers get. */
export type SentEvent<
  Name extends string = string,
  Data extends object = never,
  Found = never,
> = Event<Data> & {
  readonly name: Name;
  /** What the console calls the event. */
  readonly title: string;
  /** When it is sent, in a sentence or two for those who write receivers. */
  readonly meaning: string;
  /** The data that is sent. Every field has a description and an example. */
  readonly sent_schema: TObject;
  /** Builds the data that is sent, from named fields only, and from what was found for the organisation that receives it. */
  build(data: Data, found: Found): object;
};

/**
 * Defines an event that webhooks send: like {@link event}, with what receivers get. `src/tables/events.ts` has the task that sends it, and
 * `sentEvents` of the webhooks its place in their list.
 */
export function sentEvent<
  const Name extends string,
  Schema extends TObject,
  Sent extends TObject,
  Found = undefined,
>(
  name: Name,
  schema: Schema,
  sent: {
    readonly title: string;
    readonly meaning: string;
    readonly schema: Sent;
    readonly build: (data: Static<Schema>, found: Found) => Static<Sent>;
  },
): SentEvent<Name, Static<Schema>, Found> {
  const { title, meaning, schema: sent_schema, build } = sent;
  return { name, schema, title, meaning, sent_schema, build };
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
