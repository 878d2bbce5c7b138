import { expect, test } from 'vitest';
import { computeCategoryProbabilities, grid } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { indexBank, noErrors } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { computeMarginalCurves, getMarginalCurves } from './marginal-curves.ts';
import { listGradedItems } from '#test/modules/items.ts';

const item = { discrimination: 1.7, thresholds: [-2, -0.7, 0.3, 1.4] };
const points = [16, 32, 40, 52, 68];

test('are the curves of the model if nothing is in doubt', () => {
  const curves = computeMarginalCurves(item, noErrors.items);
  for (const point of points)
    for (const [category, probability] of computeCategoryProbabilities(item, grid[point]!).entries())
      expect(curves[category]![point]).toBeCloseTo(probability, 10);
});

test('are the mean over errors of the location and of ln a, compared with drawn errors', () => {
  const errors = { location: 0.5, log_discrimination: 0.4 };
  const curves = computeMarginalCurves(item, errors);
  const random = createSeededRandom(12);
  const draws = 20_000;
  const means = points.map(() => item.thresholds.concat(0).map(() => 0));
  for (let draw = 0; draw < draws; draw++) {
    const moved = errors.location * drawStandardNormal(random);
    const drawn = {
      discrimination: item.discrimination * Math.exp(errors.log_discrimination * drawStandardNormal(random)),
      thresholds: item.thresholds.map((threshold) => threshold + moved),
    };
    for (const [place, point] of points.entries())
      for (const [category, probability] of computeCategoryProbabilities(drawn, grid[point]!).entries())
        means[place]![category]! += probability / draws;
  }
  for (const [place, point] of points.entries())
    for (const [category, mean] of means[place]!.entries())
      expect(Math.abs(curves[category]![point]! - mean)).toBeLessThan(0.015);
});

test('judged statements of a trait have the same curves, and calibrated ones their own', () => {
  const [first, second] = listGradedItems('sincerity');
  const judged = getMarginalCurves(itemBank);
  expect(judged(first!)).toBe(judged(second!));
  expect(judged(first!)).not.toBe(judged(listGradedItems('discretion')[0]!));
  const standard_errors = { discrimination: 0, thresholds: [0, 0, 0, 0] };
  const known = { ...first!, standard_errors };
  const graded = itemBank.graded.map((each) => (each === first ? known : each));
  const calibrated = getMarginalCurves(indexBank({ ...itemBank, graded }));
  const own = computeMarginalCurves(first!, noErrors.items);
  expect(calibrated(known)[2]![40]).toBeCloseTo(own[2]![40]!, 12);
  expect(calibrated(second!)[2]![40]).not.toBeCloseTo(own[2]![40]!, 3);
});
