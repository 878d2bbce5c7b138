import { expect, test } from 'vitest';
import { createProgressBar } from './progress-bar.ts';

function drawn(isTTY: boolean, steps: readonly (readonly [number, number])[]): string {
  let text = '';
  const bar = createProgressBar('loading', { isTTY, write: (more) => void (text += more) });
  for (const [done, total] of steps) bar(done, total);
  return text;
}

test('a log file gets a line each tenth of the way, not one for every step', () => {
  const steps = Array.from({ length: 101 }, (_, done) => [done, 100] as const);
  expect(drawn(false, steps).trim().split('\n')).toHaveLength(11);
});

test('a terminal gets one line that ends when the work ends', () => {
  const text = drawn(true, [
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
  expect(text.split('\r')).toHaveLength(4);
  expect(text.endsWith('100 %\n')).toBe(true);
});

test('no work at all is finished work', () => {
  expect(drawn(false, [[0, 0]])).toBe('loading: 100 %\n');
});
