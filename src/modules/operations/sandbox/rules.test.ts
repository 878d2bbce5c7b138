import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeLongestStep, computeStop, computeTarget } from './rules.ts';

const day_ms = 86_400_000;
const began = new Date('2026-03-02T09:00:00.000Z');
const addMilliseconds = (ms: number) => new Date(began.getTime() + ms);

test('every way ends at its target in few stops with anything due, and never goes back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 31 * day_ms }),
      fc.array(fc.integer({ min: 0, max: 40 * day_ms })),
      (way, due) => {
        const target = addMilliseconds(way);
        const waiting = new Set(due);
        let [now, stops] = [began, 0];
        while (now < target) {
          const next = Math.min(...[...waiting].filter((each) => addMilliseconds(each) > now));
          const stop = computeStop(
            { now, target, longest_ms: computeLongestStep(began, target) },
            Number.isFinite(next) ? addMilliseconds(next) : undefined,
          );
          expect(stop > now && stop <= target).toBe(true);
          for (const each of waiting) if (addMilliseconds(each) <= stop) waiting.delete(each);
          [now, stops] = [stop, stops + 1];
        }
        expect(stops).toBeLessThanOrEqual(due.length + 9);
      },
    ),
  );
});

test('the clock stops when something is due, but for what is due within a minute after a minute', () => {
  const way = { now: began, target: addMilliseconds(2 * day_ms), longest_ms: day_ms };
  expect(computeStop(way, addMilliseconds(90_000))).toEqual(addMilliseconds(90_000));
  expect(computeStop(way, addMilliseconds(5))).toEqual(addMilliseconds(60_000));
  expect(computeStop(way, undefined)).toEqual(addMilliseconds(day_ms));
  expect(computeStop({ ...way, target: addMilliseconds(5) }, addMilliseconds(1))).toEqual(addMilliseconds(5));
});

test('the clock goes forward, and no further than 800 days', () => {
  const readCode = (ahead_ms: number, seconds: number) => {
    try {
      return computeTarget({ now: began, ahead_ms }, seconds).getTime() - began.getTime();
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect([readCode(0, 1), readCode(0, 0), readCode(0, -1)]).toEqual([
    1_000,
    'clock_backwards',
    'clock_backwards',
  ]);
  expect([readCode(799 * day_ms, 86_400), readCode(799 * day_ms, 86_401)]).toEqual([
    day_ms,
    'clock_limit_reached',
  ]);
});
