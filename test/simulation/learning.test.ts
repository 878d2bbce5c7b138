import { expect, test } from 'vitest';
import { neutralMultipliers } from '#modules/matching/matches';
import { computeChoiceProbabilities } from '../../src/modules/matching/learning/estimation/estimate-gain.ts';
import { listPromotedPlants, simulateLoop } from './learning.ts';
import { changeWorld, createWorld, drawJob } from './worlds.ts';

// `npm run bench -- learning` has the long form: 12,000 placements in six worlds with twelve seeds each, and 100 plants of each kind.

test('the world is that of the study: equal weights cost 0.095 a placement', () => {
  const world = createWorld(3, 'study');
  let regret = 0;
  for (let job = 0; job < 6_000; job += 1) {
    if (job % 20 === 0) changeWorld(world);
    const { candidates, values } = drawJob(world);
    const fits = computeChoiceProbabilities(candidates, neutralMultipliers);
    regret += (Math.max(...values) - values[fits.indexOf(Math.max(...fits))]!) / 6_000;
  }
  expect(regret).toBeGreaterThan(0.085);
  expect(regret).toBeLessThan(0.105);
});

test('the loop learns: late placements cost less than those by the priorities alone', () => {
  const { regret, static_regret, promoted } = simulateLoop('study', 1, 5_000);
  expect(promoted).toBeGreaterThan(3);
  expect(regret / static_regret).toBeLessThan(0.8);
});

test('a planted harmful candidate is refused, however little it harms, and a good one is promoted', () => {
  const promoted = [1, 2, 3, 4].flatMap((seed) => listPromotedPlants(seed, 1_500));
  expect(promoted.filter((plant) => plant !== 'good')).toEqual([]);
  expect(promoted.length).toBeGreaterThanOrEqual(3);
});

test('organisations that lie about a trait, a fifth of all, hardly move its multiplier', () => {
  const honest = simulateLoop('study', 3, 4_000);
  const misled = simulateLoop('study', 3, 4_000, { share: 0.2, volume: 1 });
  expect(misled.promoted).toBeGreaterThan(2);
  expect(Math.abs(misled.first_multiplier - honest.first_multiplier)).toBeLessThanOrEqual(0.16);
});
