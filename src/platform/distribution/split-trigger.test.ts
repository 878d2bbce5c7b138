import { expect, test } from 'vitest';
import { splitTrigger } from './split-trigger.ts';

const buildTrigger = (name: string, events: string) => ({
  table: 'entries',
  name,
  definition: `CREATE TRIGGER ${name} BEFORE ${events} ON public.entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
});

test('a trigger that also refuses to empty its table becomes two', () => {
  expect(splitTrigger(buildTrigger('kept', 'DELETE OR UPDATE OR TRUNCATE'))).toEqual([
    buildTrigger('kept', 'DELETE OR UPDATE'),
    buildTrigger('kept_truncate', 'TRUNCATE'),
  ]);
});

test.each(['UPDATE', 'TRUNCATE'])('a trigger for %s stays as it is', (events) => {
  expect(splitTrigger(buildTrigger('kept', events))).toEqual([buildTrigger('kept', events)]);
});
