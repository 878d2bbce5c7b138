import { expect, test } from 'vitest';
import { createProgressBar } from './progress-bar.ts';

function drawProgress(isTTY: boolean, steps: readonly (readonly [number, number])[]): string {
  let text = '';
  const bar = createProgressBar('loading', { isTTY, write: (more) => void (text += more) });
  for (const [done, total] of steps) bar(done, total);
  return text;
}

test('writes a line for every ten percent to a log file, not one for every step', () => {
  const steps = Array.from({ length: 101 }, (_, done) => [done, 100] as const);
  expect(drawProgress(false, steps).trim().split('\n')).toHaveLength(11);
});

test('draws one line on a terminal, which ends when the work is done', () => {
  const text = drawProgress(true, [
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
  expect(text.split('\r')).toHaveLength(4);
  expect(text.endsWith('100 %\n')).toBe(true);
});

test('shows 100 % if the total is zero', () => {
  expect(drawProgress(false, [[0, 0]])).toBe('loading: 100 %\n');
});
