import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '#lib/seeded-random.ts';
import { feature_count, joinOutcomes, logistic, trait_count } from './features.ts';
import {
  buildFamilyPrior,
  buildPrecision,
  buildPrior,
  computeGradient,
  fitOutcomes,
} from './fit-outcomes.ts';
import { cholesky, solveFactorised } from './symmetric-matrix.ts';
import { sumOutcomes } from './sum-outcomes.ts';

/** Draws outcomes that follow coefficients. */
function drawOutcomes(count: number, coefficients: readonly number[], seed: number, weight = 1) {
  const random = createSeededRandom(seed);
  return joinOutcomes(
    Array.from({ length: count }, () => {
      const features = Array.from({ length: feature_count }, (_, place) =>
        place === feature_count - 1 ? 1 : drawStandardNormal(random),
      );
      const sum = features.reduce((total, feature, place) => total + feature * coefficients[place]!, 0);
      return { features, value: random() < logistic(sum) ? 1 : 0, weight };
    }),
  );
}

const coefficients = Array.from({ length: feature_count }, (_, place) => (place % 5) / 5 - 0.2);

it('without outcomes, the posterior is the prior', () => {
  const prior = buildPrior();
  const { mean, precision, passes } = fitOutcomes(prior, joinOutcomes([]));
  expect(mean).toEqual(prior.mean);
  const expected = buildPrecision(prior.spread);
  for (const [place, value] of precision.entries()) expect(value).toBeCloseTo(expected[place]!, 4);
  expect(passes).toBe(1);
});

it('with many outcomes, it finds the coefficients that they follow, within its own uncertainty', () => {
  const { mean, precision } = fitOutcomes(buildPrior(), drawOutcomes(20_000, coefficients, 1));
  for (const [place, value] of mean.entries()) {
    const sd = 1 / Math.sqrt(precision[place * feature_count + place]!);
    expect(Math.abs(value - coefficients[place]!)).toBeLessThan(5 * sd + 0.02);
  }
});

it('ends at the mode of the posterior, for any outcomes: within a hundredth of its standard deviation', () => {
  const outcome = fc.record({
    features: fc.array(fc.double({ min: -4, max: 4, noNaN: true }), {
      minLength: feature_count,
      maxLength: feature_count,
    }),
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, max: 5, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 30 }), (rows) => {
      const outcomes = joinOutcomes(rows);
      const { mean, spread, precision } = fitOutcomes(buildPrior(), outcomes);
      const gradient = computeGradient(
        { mean: buildPrior().mean, spread },
        mean,
        sumOutcomes(outcomes, mean),
      );
      const left = solveFactorised(cholesky(precision, feature_count), feature_count, gradient);
      const distance = gradient.reduce((sum, slope, place) => sum + slope * left[place]!, 0);
      expect(Math.sqrt(distance)).toBeLessThan(0.01);
    }),
    { numRuns: 50 },
  );
});

it('the gradient is that of the loss, and the curvature that of the gradient', () => {
  const outcomes = drawOutcomes(53, coefficients, 2, 0.7);
  const at = Float64Array.from(coefficients);
  const { gradient, curvature } = sumOutcomes(outcomes, at);
  for (const place of [0, 7, trait_count, feature_count - 1]) {
    const shift = (by: number) =>
      sumOutcomes(
        outcomes,
        at.map((value, index) => (index === place ? value + by : value)),
      );
    const [above, below] = [shift(1e-5), shift(-1e-5)];
    expect((above.loss - below.loss) / 2e-5).toBeCloseTo(-gradient[place]!, 4);
    for (let column = 0; column <= place; column += 1) {
      const slope = (above.gradient[column]! - below.gradient[column]!) / 2e-5;
      expect(slope).toBeCloseTo(-curvature[place * feature_count + column]!, 4);
    }
  }
});

it('a fit of many outcomes, which starts from a sample of them, ends where a fit from the prior does', () => {
  const outcomes = drawOutcomes(20_000, coefficients, 5);
  const fit = fitOutcomes(buildPrior(), outcomes);
  const again = fitOutcomes(buildPrior(), outcomes, fit.mean);
  expect(fit.passes).toBeLessThanOrEqual(4);
  for (const [place, value] of again.mean.entries()) expect(value).toBeCloseTo(fit.mean[place]!, 4);
});

it('learns how far traits are from each other: far apart in one world, close together in another', () => {
  const drawWorld = (deviation: number) =>
    fitOutcomes(
      buildPrior(),
      drawOutcomes(
        4_000,
        coefficients.map((_, place) =>
          place < trait_count ? 0.5 + deviation * (place % 2 === 0 ? 1 : -1) : 0,
        ),
        6,
      ),
    ).spread.trait;
  expect(drawWorld(1)).toBeGreaterThan(0.7);
  expect(drawWorld(0)).toBeLessThan(0.2);
});

it('several values of one match count as their mean with the sum of their weights', () => {
  const features = coefficients.map((value) => value * 3);
  const apart = joinOutcomes([
    { features, value: 1, weight: 0.5 },
    { features, value: 0.25, weight: 1 },
  ]);
  const together = joinOutcomes([{ features, value: 0.5, weight: 1.5 }]);
  const [one, other] = [apart, together].map((outcomes) => fitOutcomes(buildPrior(), outcomes).mean);
  for (const [place, value] of one!.entries()) expect(value).toBeCloseTo(other![place]!, 8);
});

it('a family with few outcomes stays near all jobs', () => {
  const all = fitOutcomes(buildPrior(), drawOutcomes(5_000, coefficients, 3));
  const opposite = coefficients.map((value) => -value);
  const few = fitOutcomes(buildFamilyPrior(all), drawOutcomes(5, opposite, 4));
  const many = fitOutcomes(buildFamilyPrior(all), drawOutcomes(5_000, opposite, 4));
  const measureDistance = (mean: Float64Array) =>
    Math.sqrt(mean.reduce((sum, value, place) => sum + (value - all.mean[place]!) ** 2, 0));
  expect(measureDistance(few.mean)).toBeLessThan(measureDistance(many.mean) / 2);
});
