import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBoundedRunner } from './bounded-runner.ts';

test('everything runs, in its order and never more than the places at a time, whatever fails', async () => {
  const works = fc.array(fc.record({ steps: fc.integer({ min: 2, max: 5 }), fails: fc.boolean() }), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), works, async (places, planned) => {
      const run = createBoundedRunner(places);
      const begun: number[] = [];
      let [running, most] = [0, 0];
      const results = await Promise.allSettled(
        planned.map(({ steps, fails }, number) =>
          run(async () => {
            begun.push(number);
            most = Math.max(most, ++running);
            for (let step = 0; step < steps; step++) await Promise.resolve();
            running--;
            if (fails) throw new Error('failed');
            return number;
          }),
        ),
      );
      expect(begun).toEqual(planned.map((_, number) => number));
      expect(most).toBe(Math.min(places, planned.length));
      expect(results.map(({ status }) => status === 'rejected')).toEqual(planned.map(({ fails }) => fails));
    }),
  );
});

test('work that comes when a place becomes free waits behind the work that came before', async () => {
  const run = createBoundedRunner(1);
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const runs = [run(() => first.promise), run(async () => void begun.push('second'))];
  first.resolve();
  await first.promise;
  runs.push(run(async () => void begun.push('third')));
  await Promise.all(runs);
  expect(begun).toEqual(['second', 'third']);
});
