import { expect, test } from 'vitest';
import { isPlantPromoted, simulateLoop } from './learning.ts';

// `npm run bench -- learning` has the long form: 12,000 placements, and 100 plants of each kind.

test('the loop learns: late placements cost less than those by the priorities alone', () => {
  const { regret, static_regret, promoted } = simulateLoop(1, 5_000);
  expect(promoted).toBeGreaterThan(3);
  expect(regret / static_regret).toBeLessThan(0.8);
});

test('a planted harmful candidate is refused, and a good one is promoted', () => {
  const seeds = [1, 2, 3, 4];
  expect(seeds.filter((seed) => isPlantPromoted(seed, 'harmful', 1_500))).toEqual([]);
  expect(seeds.filter((seed) => isPlantPromoted(seed, 'good', 1_500)).length).toBeGreaterThanOrEqual(3);
});
