import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFairGate, type FairGateOptions } from './fair-gate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A gate, and what has started and what was refused, in this order. */
function openGate(options: Partial<FairGateOptions> = {}) {
  const gate = createFairGate({ places: 2, places_each: 2, waiting_max: 100, ...options });
  const started: string[] = [];
  const refused: string[] = [];
  const enter = (key: string, name: string, isReturning = false) =>
    gate.enter(
      key,
      () => started.push(name),
      () => refused.push(name),
      isReturning,
    );
  return { ...gate, enter, started, refused };
}

test('keys take turns, however much waits for one of them', () => {
  const { enter, leave, started } = openGate();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter('a', name);
  enter('b', 'b1');
  enter('c', 'c1');
  enter('b', 'b2');
  expect(started).toEqual(['a1', 'a2']);
  leave('a');
  leave('a');
  expect(started.slice(2)).toEqual(['b1', 'c1']);
  for (const key of ['b', 'c', 'a', 'b']) leave(key);
  expect(started.slice(4)).toEqual(['a3', 'b2', 'a4', 'a5']);
});

test('a key holds no more than its own places, even if the others are free', () => {
  const { enter, leave, started, countWaiting } = openGate({ places: 3, places_each: 2 });
  for (const name of ['a1', 'a2', 'a3']) enter('a', name);
  expect([started, countWaiting()]).toEqual([['a1', 'a2'], 1]);
  enter('b', 'b1');
  leave('b');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  leave('a');
  expect([started.at(-1), countWaiting()]).toEqual(['a3', 0]);
});

test('what has begun goes ahead of what has not', () => {
  const { enter, leave, started } = openGate({ places: 1, places_each: 1 });
  enter('a', 'a1');
  enter('a', 'a2');
  enter('a', 'again', true);
  leave('a');
  expect(started).toEqual(['a1', 'again']);
});

test('a key may use as many of the waiting places as are left to others', () => {
  const { enter, leave, started, refused, countWaiting } = openGate({
    places: 1,
    places_each: 1,
    waiting_max: 8,
  });
  enter('a', 'first');
  for (let number = 1; number <= 9; number++) enter('a', `a${number}`);
  expect([refused.length, countWaiting()]).toEqual([5, 4]);
  for (let number = 1; number <= 9; number++) enter('b', `b${number}`);
  expect(countWaiting()).toBe(6);
  enter('c', 'c1');
  for (const key of ['a', 'b', 'c']) leave(key);
  expect(started).toEqual(['first', 'b1', 'c1', 'a1']);
});

test('a burst may wait for three seconds, but while somebody waits all the time, half a second is the most', () => {
  const { enter, leave, started, refused, countWaiting } = openGate({ places: 1, places_each: 1 });
  enter('a', 'running');
  enter('a', 'burst');
  vi.advanceTimersByTime(900);
  expect(refused).toEqual([]);
  leave('a');
  expect([started, countWaiting()]).toEqual([['running', 'burst'], 0]);
  // It was empty, so this is another burst.
  enter('a', 'late');
  vi.advanceTimersByTime(900);
  enter('b', 'later');
  expect(refused).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(refused).toEqual(['late']);
  vi.advanceTimersByTime(400);
  expect([refused, countWaiting()]).toEqual([['late', 'later'], 0]);
  enter('a', 'next');
  leave('a');
  expect(started.at(-1)).toBe('next');
});

test('what has begun may wait for three seconds in any case', () => {
  const { enter, refused } = openGate({ places: 1, places_each: 1 });
  enter('a', 'running');
  enter('a', 'returning', true);
  vi.advanceTimersByTime(2_900);
  expect(refused).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(refused).toEqual(['returning']);
});

test('thousands that are late are refused a few at a time', () => {
  const { enter, refused } = openGate({ places: 1, places_each: 1, waiting_max: Infinity });
  for (let number = 0; number <= 2_000; number++) enter('a', String(number));
  vi.advanceTimersByTime(1_010);
  const first = refused.length;
  vi.advanceTimersByTime(10);
  expect(refused.length - first).toBeLessThan(50);
  vi.advanceTimersByTime(10_000);
  expect(refused.length).toBe(2_000);
});
