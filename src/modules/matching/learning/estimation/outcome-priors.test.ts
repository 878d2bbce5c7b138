import { fitLogistic } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { expect, it } from 'vitest';
import { feature_count, joinOutcomes } from './features.ts';
import { buildFamilyPrior, buildPrior } from './outcome-priors.ts';

const coefficients = Array.from({ length: feature_count }, (_, place) => (place % 5) / 5 - 0.2);

/** Draws outcomes that follow coefficients. */
function drawOutcomes(count: number, coefficients: readonly number[], seed: number) {
  const random = createSeededRandom(seed);
  return joinOutcomes(
    Array.from({ length: count }, () => {
      const features = Array.from({ length: feature_count }, (_, place) =>
        place === feature_count - 1 ? 1 : drawStandardNormal(random),
      );
      const sum = features.reduce((total, feature, place) => total + feature * coefficients[place]!, 0);
      return { features, value: random() < 1 / (1 + Math.exp(-sum)) ? 1 : 0, weight: 1 };
    }),
  );
}

it('a family with few outcomes stays near all jobs', () => {
  const all = fitLogistic(buildPrior(), drawOutcomes(5_000, coefficients, 3));
  const opposite = coefficients.map((value) => -value);
  const few = fitLogistic(buildFamilyPrior(all), drawOutcomes(5, opposite, 4));
  const many = fitLogistic(buildFamilyPrior(all), drawOutcomes(5_000, opposite, 4));
  const measureDistance = (mean: Float64Array) =>
    Math.sqrt(mean.reduce((sum, value, place) => sum + (value - all.mean[place]!) ** 2, 0));
  expect(measureDistance(few.mean)).toBeLessThan(measureDistance(many.mean) / 2);
});
