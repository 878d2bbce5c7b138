import { describe, expect, test } from 'vitest';
import { computeCategoryProbabilities } from '../measurement/graded-response.ts';
import { listGradedItems } from '../items/item-bank.ts';
import type { ItemParameters } from './maximisation-step.ts';
import { estimateParameters, unanswered, type CalibrationItem } from './marginal-likelihood.ts';
import { createSeededRandom, drawStandardNormal, type Random } from '#lib/seeded-random.ts';

const judged = { discrimination_log_sd: 0.5, threshold_sd: 1.5 };

describe('parameters of 2,000 simulated people (seed 41)', () => {
  const truth = listGradedItems('sincerity');
  const random = createSeededRandom(41);
  const responses = people(2000, truth, random);
  const items = truth.map(({ id }): CalibrationItem => evenly(id, 5));
  const found = estimateParameters(items, responses);

  test('are found from starting values that know nothing of them, in few cycles', () => {
    const log = found.items.map(({ discrimination }, index) =>
      Math.log(discrimination / truth[index]!.discrimination),
    );
    const places = found.items.flatMap(({ thresholds }, index) =>
      thresholds.map((threshold, k) => threshold - truth[index]!.thresholds[k]!),
    );
    expect(found.converged).toBe(true);
    expect(found.cycles).toBeLessThan(120);
    expect(rootMeanSquare(log)).toBeLessThan(0.06);
    expect(rootMeanSquare(places)).toBeLessThan(0.09);
  });

  test('miss the truth by about their standard errors', () => {
    const missed = found.items.flatMap(({ discrimination, thresholds, standard_errors }, index) => [
      (discrimination - truth[index]!.discrimination) / standard_errors.discrimination,
      ...thresholds.map(
        (threshold, k) => (threshold - truth[index]!.thresholds[k]!) / standard_errors.thresholds[k]!,
      ),
    ]);
    expect(rootMeanSquare(missed)).toBeGreaterThan(0.7);
    expect(rootMeanSquare(missed)).toBeLessThan(1.3);
  });
});

/**
 * The oracle is written for clarity alone: the marginal likelihood by the trapezoid rule with the model's formula, its derivatives by
 * differences, and no EM, no information matrix and no code shared with the calibration.
 */
describe('against a plain marginal likelihood, for three items of three categories without a prior (seed 42)', () => {
  const truth: readonly ItemParameters[] = [
    { discrimination: 1.1, thresholds: [-0.7, 0.9] },
    { discrimination: 1.9, thresholds: [-0.2, 0.6] },
    { discrimination: 1.4, thresholds: [-1.2, 0.1] },
  ];
  const responses = people(600, truth, createSeededRandom(42));
  for (const [index, row] of responses.entries()) if (index % 5 === 0) row[index % 3] = unanswered;
  const items = truth.map((_, index) => evenly(`item-${index}`, 3));
  const found = estimateParameters(items, responses, { withPrior: false, tolerance: 1e-7, cycles_max: 5000 });
  // The sum over people is one over the patterns that they answered.
  const patterns = Map.groupBy(responses, (row) => row.join());
  const flat = found.items.flatMap(({ discrimination, thresholds }) => [discrimination, ...thresholds]);

  test('the log-likelihood is the same', () => {
    expect(found.log_likelihood).toBeCloseTo(plainLogLikelihood(flat, patterns), 2);
  });

  test('the estimate is a stationary point and a peak of it', () => {
    const peak = plainLogLikelihood(flat, patterns);
    for (const index of flat.keys()) {
      const at = (step: number) => plainLogLikelihood(flat.with(index, flat[index]! + step), patterns);
      expect(Math.abs((at(1e-4) - at(-1e-4)) / 2e-4)).toBeLessThan(0.02);
      expect(at(0.05)).toBeLessThan(peak);
      expect(at(-0.05)).toBeLessThan(peak);
    }
  });

  test('plain hill climbing from elsewhere ends at the same parameters', () => {
    const climbed = hillClimb([1, -1, 1, 1, -1, 1, 1, -1, 1], patterns);
    for (const [index, value] of climbed.entries()) expect(Math.abs(value - flat[index]!)).toBeLessThan(0.01);
  });
});

test('an item that nobody answered keeps its prior, and one with few answers stays near it', () => {
  const items = [evenly('answered', 5), evenly('few', 5), evenly('none', 5)];
  const truth = items.map(() => ({ discrimination: 2.2, thresholds: [-1, -0.5, 0.5, 1] }));
  const responses = people(400, truth, createSeededRandom(43));
  for (const [index, row] of responses.entries()) {
    row[2] = unanswered;
    if (index >= 15) row[1] = unanswered;
  }
  const { items: found } = estimateParameters(items, responses);
  expect(found.map(({ answers }) => answers)).toEqual([400, 15, 0]);
  expect(found[2]!.discrimination).toBeCloseTo(1.3, 6);
  for (const [k, threshold] of found[2]!.thresholds.entries())
    expect(threshold).toBeCloseTo(items[2]!.prior.thresholds[k]!, 6);
  expect(found[1]!.standard_errors.discrimination).toBeGreaterThan(found[0]!.standard_errors.discrimination);
});

test('stays finite and ordered when a category was never chosen, or everybody says the same', () => {
  const items = [evenly('gap', 5), evenly('same', 5), evenly('two', 2)];
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

test('ends after the most cycles, says that it did not converge, and reports each cycle', () => {
  const cycles: number[] = [];
  const responses = people(200, listGradedItems('discretion'), createSeededRandom(45));
  const items = listGradedItems('discretion').map(({ id }) => evenly(id, 5));
  const found = estimateParameters(items, responses, {
    cycles_max: 3,
    onCycle: (cycle) => cycles.push(cycle),
  });
  expect([found.converged, found.cycles, cycles]).toEqual([false, 3, [1, 2, 3]]);
});

function evenly(id: string, categories: number): CalibrationItem {
  const thresholds = Array.from({ length: categories - 1 }, (_, k) => (4 * (k + 0.5)) / (categories - 1) - 2);
  return { id, categories, prior: { discrimination: 1.3, thresholds, ...judged } };
}

function people(count: number, truth: readonly ItemParameters[], random: Random): Int8Array[] {
  return Array.from({ length: count }, () => {
    const theta = drawStandardNormal(random);
    return Int8Array.from(truth, (item) => {
      let left = random();
      return computeCategoryProbabilities(item, theta).findIndex((p) => (left -= p) < 0);
    });
  });
}

type Patterns = ReadonlyMap<string, readonly Int8Array[]>;

function plainLogLikelihood(flat: readonly number[], patterns: Patterns): number {
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

/** Coordinate search: tries a step up and down in each parameter, and halves the steps when none helps. */
function hillClimb(start: readonly number[], patterns: Patterns): readonly number[] {
  let best = start;
  let value = plainLogLikelihood(best, patterns);
  for (let step = 0.4; step > 0.001;) {
    const before = value;
    for (const index of start.keys())
      for (const sign of [1, -1]) {
        const moved = best.with(index, best[index]! + sign * step);
        const reached = plainLogLikelihood(moved, patterns);
        if (reached > value) [best, value] = [moved, reached];
      }
    if (value === before) step /= 2;
  }
  return best;
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
