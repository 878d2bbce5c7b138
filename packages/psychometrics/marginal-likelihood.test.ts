import { describe, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal, type Random } from './seeded-random.ts';
import { exampleScales } from './example-items.ts';
import { computeCategoryProbabilities, type ItemParameters } from './graded-response.ts';
import { estimateParameters, unanswered, type CalibrationItem } from './marginal-likelihood.ts';

const priorSpread = { discrimination_log_sd: 0.5, threshold_sd: 1.5 };

describe('parameters estimated from 2,000 simulated respondents (seed 41)', () => {
  const truth = exampleScales.even;
  const random = createSeededRandom(41);
  const responses = simulateResponses(2000, truth, random);
  const items = truth.map(({ id }): CalibrationItem => buildEvenItem(id, 5));
  const estimate = estimateParameters(items, responses);

  test('are close to the true ones after few cycles, from uninformed starting values', () => {
    const discriminationErrors = estimate.items.map(({ discrimination }, index) =>
      Math.log(discrimination / truth[index]!.discrimination),
    );
    const thresholdErrors = estimate.items.flatMap(({ thresholds }, index) =>
      thresholds.map((threshold, k) => threshold - truth[index]!.thresholds[k]!),
    );
    expect(estimate.converged).toBe(true);
    expect(estimate.cycles).toBeLessThan(120);
    expect(computeRootMeanSquare(discriminationErrors)).toBeLessThan(0.06);
    expect(computeRootMeanSquare(thresholdErrors)).toBeLessThan(0.09);
  });

  test('differ from the true ones by about their standard errors', () => {
    const errors = estimate.items.flatMap(({ discrimination, thresholds, standard_errors }, index) => [
      (discrimination - truth[index]!.discrimination) / standard_errors.discrimination,
      ...thresholds.map(
        (threshold, k) => (threshold - truth[index]!.thresholds[k]!) / standard_errors.thresholds[k]!,
      ),
    ]);
    expect(computeRootMeanSquare(errors)).toBeGreaterThan(0.7);
    expect(computeRootMeanSquare(errors)).toBeLessThan(1.3);
  });
});

/**
 * The reference is written for clarity only: the marginal likelihood by the trapezoid rule with the formula of the model, and its
 * derivatives by differences. It has no EM, no information matrix and no code in common with the calibration.
 */
describe('compared with a plain marginal likelihood, for three items of three categories without a prior (seed 42)', () => {
  const truth: readonly ItemParameters[] = [
    { discrimination: 1.1, thresholds: [-0.7, 0.9] },
    { discrimination: 1.9, thresholds: [-0.2, 0.6] },
    { discrimination: 1.4, thresholds: [-1.2, 0.1] },
  ];
  const responses = simulateResponses(600, truth, createSeededRandom(42));
  for (const [index, row] of responses.entries()) if (index % 5 === 0) row[index % 3] = unanswered;
  const items = truth.map((_, index) => buildEvenItem(`item-${index}`, 3));
  const estimate = estimateParameters(items, responses, {
    withPrior: false,
    tolerance: 1e-7,
    cycles_max: 5000,
  });
  // The sum over respondents is a sum over the distinct patterns of answers.
  const patterns = Map.groupBy(responses, (row) => row.join());
  const flat = estimate.items.flatMap(({ discrimination, thresholds }) => [discrimination, ...thresholds]);

  test('the log-likelihood is the same', () => {
    expect(estimate.log_likelihood).toBeCloseTo(computePlainLogLikelihood(flat, patterns), 2);
  });

  test('the estimate is a stationary point and a maximum of it', () => {
    const peak = computePlainLogLikelihood(flat, patterns);
    for (const index of flat.keys()) {
      const computeAt = (step: number) =>
        computePlainLogLikelihood(flat.with(index, flat[index]! + step), patterns);
      expect(Math.abs((computeAt(1e-4) - computeAt(-1e-4)) / 2e-4)).toBeLessThan(0.02);
      expect(computeAt(0.05)).toBeLessThan(peak);
      expect(computeAt(-0.05)).toBeLessThan(peak);
    }
  });

  test('hill climbing from a different start ends at the same parameters', () => {
    const climbed = maximiseByHillClimbing([1, -1, 1, 1, -1, 1, 1, -1, 1], patterns);
    for (const [index, value] of climbed.entries()) expect(Math.abs(value - flat[index]!)).toBeLessThan(0.01);
  });
});

test('an item without answers retains its prior, and an item with few answers stays near it', () => {
  const items = [buildEvenItem('answered', 5), buildEvenItem('few', 5), buildEvenItem('none', 5)];
  const truth = items.map(() => ({ discrimination: 2.2, thresholds: [-1, -0.5, 0.5, 1] }));
  const responses = simulateResponses(400, truth, createSeededRandom(43));
  for (const [index, row] of responses.entries()) {
    row[2] = unanswered;
    if (index >= 15) row[1] = unanswered;
  }
  const [answered, few, none] = estimateParameters(items, responses).items;
  expect([answered, few, none].map((item) => item!.answers)).toEqual([400, 15, 0]);
  expect(none!.discrimination).toBeCloseTo(1.3, 6);
  for (const [k, threshold] of none!.thresholds.entries())
    expect(threshold).toBeCloseTo(items[2]!.prior.thresholds[k]!, 6);
  expect(few!.standard_errors.discrimination).toBeGreaterThan(answered!.standard_errors.discrimination);
});

test('parameters are finite and ordered if a category was never chosen or all answers are the same', () => {
  const items = [buildEvenItem('gap', 5), buildEvenItem('same', 5), buildEvenItem('two', 2)];
  const random = createSeededRandom(44);
  const responses = Array.from({ length: 300 }, () =>
    Int8Array.from([random() < 0.5 ? 0 : 4, 2, random() < 0.3 ? 1 : 0]),
  );
  for (const { discrimination, thresholds } of estimateParameters(items, responses).items) {
    expect(discrimination).toBeGreaterThan(0);
    expect(thresholds.every((threshold) => Number.isFinite(threshold))).toBe(true);
    expect(thresholds.every((threshold, k) => k === 0 || threshold > thresholds[k - 1]!)).toBe(true);
  }
});

test('stops after the maximum number of cycles, says that it did not converge, and reports each cycle', () => {
  const cycles: number[] = [];
  const responses = simulateResponses(200, exampleScales.high, createSeededRandom(45));
  const items = exampleScales.high.map(({ id }) => buildEvenItem(id, 5));
  const estimate = estimateParameters(items, responses, {
    cycles_max: 3,
    onCycle: (cycle) => cycles.push(cycle),
  });
  expect([estimate.converged, estimate.cycles, cycles]).toEqual([false, 3, [1, 2, 3]]);
});

/** Builds an item whose prior thresholds are evenly spaced. */
function buildEvenItem(id: string, categories: number): CalibrationItem {
  const thresholds = Array.from({ length: categories - 1 }, (_, k) => (4 * (k + 0.5)) / (categories - 1) - 2);
  return { id, categories, prior: { discrimination: 1.3, thresholds, ...priorSpread } };
}

function simulateResponses(count: number, truth: readonly ItemParameters[], random: Random): Int8Array[] {
  return Array.from({ length: count }, () => {
    const theta = drawStandardNormal(random);
    return Int8Array.from(truth, (item) => {
      let left = random();
      return computeCategoryProbabilities(item, theta).findIndex((p) => (left -= p) < 0);
    });
  });
}

type Patterns = ReadonlyMap<string, readonly Int8Array[]>;

function computePlainLogLikelihood(flat: readonly number[], patterns: Patterns): number {
  const step = 0.05;
  const nodes = Array.from({ length: 241 }, (_, index) => -6 + step * index);
  const atNodes = nodes.map((theta) =>
    [0, 3, 6].map((at) => {
      const [a, b1, b2] = flat.slice(at, at + 3) as [number, number, number];
      const above1 = 1 / (1 + Math.exp(a * (b1 - theta)));
      const above2 = 1 / (1 + Math.exp(a * (b2 - theta)));
      return [1 - above1, above1 - above2, above2];
    }),
  );
  let total = 0;
  for (const rows of patterns.values()) {
    let likelihood = 0;
    for (const [index, theta] of nodes.entries()) {
      let product = (Math.exp(-0.5 * theta * theta) / Math.sqrt(2 * Math.PI)) * step;
      for (const [item, category] of rows[0]!.entries())
        if (category !== unanswered) product *= atNodes[index]![item]![category]!;
      likelihood += product;
    }
    total += rows.length * Math.log(likelihood);
  }
  return total;
}

/** Searches by coordinates: tries a step up and down in each parameter, and halves the step when none helps. */
function maximiseByHillClimbing(start: readonly number[], patterns: Patterns): readonly number[] {
  let best = start;
  let value = computePlainLogLikelihood(best, patterns);
  for (let step = 0.4; step > 0.001;) {
    const before = value;
    for (const index of start.keys())
      for (const sign of [1, -1]) {
        const moved = best.with(index, best[index]! + sign * step);
        const reached = computePlainLogLikelihood(moved, patterns);
        if (reached > value) [best, value] = [moved, reached];
      }
    if (value === before) step /= 2;
  }
  return best;
}

function computeRootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
