import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSeededRandom, drawStandardNormal } from './seeded-random.ts';
import { buildPrecision, computeGradient, fitLogistic, type Prior } from './logistic-regression.ts';
import { sumObservations, type Observations } from './logistic-sums.ts';
import { logistic } from './special-functions.ts';
import { cholesky, solveFactorised } from './symmetric-matrix.ts';

/** Twenty exchangeable coefficients, three others, and the intercept. */
const feature_count = 24;
const exchangeable_count = 20;

const prior: Prior = {
  mean: Float64Array.from({ length: feature_count }, (_, place) => (place < exchangeable_count ? 0.5 : 0)),
  spread: { shared: 0.5, own: 0.3, others: [0.3, 0.3, 0.3, 2] },
};

type Row = { readonly features: readonly number[]; readonly value: number; readonly weight: number };

function joinRows(rows: readonly Row[]): Observations {
  return {
    features: Float64Array.from(rows.flatMap(({ features }) => features)),
    values: Float64Array.from(rows, ({ value }) => value),
    weights: Float64Array.from(rows, ({ weight }) => weight),
    ends: [rows.length],
  };
}

/** Draws observations that follow coefficients. */
function drawObservations(count: number, coefficients: readonly number[], seed: number, weight = 1) {
  const random = createSeededRandom(seed);
  return joinRows(
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

it('without observations, the posterior is the prior', () => {
  const { mean, precision, passes } = fitLogistic(prior, joinRows([]));
  expect(mean).toEqual(prior.mean);
  const expected = buildPrecision(prior.spread, feature_count);
  for (const [place, value] of precision.entries()) expect(value).toBeCloseTo(expected[place]!, 4);
  expect(passes).toBe(1);
});

it('with many observations, it finds the coefficients that they follow, within its own uncertainty', () => {
  const { mean, precision } = fitLogistic(prior, drawObservations(20_000, coefficients, 1));
  for (const [place, value] of mean.entries()) {
    const sd = 1 / Math.sqrt(precision[place * feature_count + place]!);
    expect(Math.abs(value - coefficients[place]!)).toBeLessThan(5 * sd + 0.02);
  }
});

it('ends at the mode of the posterior, for any observations: within a hundredth of its standard deviation', () => {
  const observation = fc.record({
    features: fc.array(fc.double({ min: -4, max: 4, noNaN: true }), {
      minLength: feature_count,
      maxLength: feature_count,
    }),
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, max: 5, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 30 }), (rows) => {
      const observations = joinRows(rows);
      const { mean, spread, precision } = fitLogistic(prior, observations);
      const gradient = computeGradient(
        { mean: prior.mean, spread },
        mean,
        sumObservations(observations, mean),
      );
      const left = solveFactorised(cholesky(precision), gradient);
      const distance = gradient.reduce((sum, slope, place) => sum + slope * left[place]!, 0);
      expect(Math.sqrt(distance)).toBeLessThan(0.01);
    }),
    { numRuns: 50, examples: [[manyPasses]] },
  );
});

/** Observations that took more than 25 passes. */
const manyPasses = [
  { features: fill({ 3: 1.5998480698540227, 8: 4, 13: 4, 18: 4 }), value: 0, weight: 1.387323108793221 },
  { features: fill({ 16: -1.7487792968604092 }), value: 0, weight: 2.4975585937463203 },
];

function fill(values: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: feature_count }, (_, place) => values[place] ?? 0);
}

it('the gradient is that of the loss, and the curvature that of the gradient', () => {
  const observations = drawObservations(53, coefficients, 2, 0.7);
  const at = Float64Array.from(coefficients);
  const { gradient, curvature } = sumObservations(observations, at);
  for (const place of [0, 7, exchangeable_count, feature_count - 1]) {
    const shift = (by: number) =>
      sumObservations(
        observations,
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

it('a fit of many observations, which starts from a sample of them, ends where a fit from the prior does', () => {
  const observations = drawObservations(20_000, coefficients, 5);
  const fit = fitLogistic(prior, observations);
  const again = fitLogistic(prior, observations, fit.mean);
  expect(fit.passes).toBeLessThanOrEqual(4);
  for (const [place, value] of again.mean.entries()) expect(value).toBeCloseTo(fit.mean[place]!, 4);
});

it('learns how far exchangeable coefficients are from each other: far apart in one world, close together in another', () => {
  const drawWorld = (deviation: number) =>
    fitLogistic(
      prior,
      drawObservations(
        4_000,
        coefficients.map((_, place) =>
          place < exchangeable_count ? 0.5 + deviation * (place % 2 === 0 ? 1 : -1) : 0,
        ),
        6,
      ),
    ).spread.own;
  expect(drawWorld(1)).toBeGreaterThan(0.7);
  expect(drawWorld(0)).toBeLessThan(0.2);
});

it('several values with the same features count as their mean with the sum of their weights', () => {
  const features = coefficients.map((value) => value * 3);
  const apart = joinRows([
    { features, value: 1, weight: 0.5 },
    { features, value: 0.25, weight: 1 },
  ]);
  const together = joinRows([{ features, value: 0.5, weight: 1.5 }]);
  const [one, other] = [apart, together].map((observations) => fitLogistic(prior, observations).mean);
  for (const [place, value] of one!.entries()) expect(value).toBeCloseTo(other![place]!, 8);
});

it('sums up an odd number of coefficients as it does single observations', () => {
  const coefficients = Float64Array.of(0.3, -0.2, 0.5);
  const rows = Array.from({ length: 8 }, (_, row): Row => {
    return { features: [row % 3, row % 2, 1], value: row % 2, weight: 1 + row };
  });
  const together = sumObservations(joinRows(rows), coefficients);
  const apart = sumObservations({ ...joinRows(rows), ends: rows.map((_, row) => row + 1) }, coefficients);
  expect(together.loss).toBeCloseTo(apart.loss, 10);
  for (let row = 0; row < 3; row += 1)
    for (let column = 0; column <= row; column += 1)
      expect(together.curvature[row * 3 + column]).toBeCloseTo(apart.curvature[row * 3 + column]!, 10);
});
