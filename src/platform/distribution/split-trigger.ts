import type { Trigger } from './tables.ts';

/**
 * Splits a trigger that also refuses to empty its table: Citus does not pass a trigger with this event on to the shards, so its other events need one of their own.
 * A table is emptied by the coordinator, where the second trigger is.
 */
export function splitTrigger(trigger: Trigger): readonly Trigger[] {
  const { table, name, definition } = trigger;
  const [before, after, ...more] = definition.split(' OR TRUNCATE ON ');
  if (before === undefined || after === undefined || more.length > 0) return [trigger];
  const other = `${name}_truncate`;
  return [
    { table, name, definition: `${before} ON ${after}` },
    { table, name: other, definition: `CREATE TRIGGER ${other} BEFORE TRUNCATE ON ${after}` },
  ];
}
