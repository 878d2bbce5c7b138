import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeAdjusted,
  computeDetectableRatio,
  computeExactTest,
  computeRatioInterval,
} from './two-groups.ts';

const build = (selected: number, rejected: number, other_selected: number, other_rejected: number) => ({
  selected,
  people: selected + rejected,
  other_selected,
  other_people: other_selected + other_rejected,
});

test('Fisher’s exact test of published tables', () => {
  // The lady who tastes tea: Fisher, The Design of Experiments (1935), two-sided 34/70; half of the likeliest 32/70 less for mid-p.
  expect(computeExactTest(build(3, 1, 1, 3)).fisher).toBeCloseTo(34 / 70, 9);
  expect(computeExactTest(build(3, 1, 1, 3)).mid_p).toBeCloseTo(18 / 70, 9);
  // Convictions of twins: Fisher (1962), in the examples of fisher.test of R: p-value = 0.0005367.
  expect(computeExactTest(build(2, 15, 10, 3)).fisher).toBeCloseTo(0.0005367, 7);
});

/** Counts all ways to select as many people, one by one. */
function countWays(people: number, other_people: number, all_selected: number): number[] {
  const ways = Array<number>(people + 1).fill(0);
  const countBits = (set: number) => set.toString(2).split('1').length - 1;
  for (let set = 0; set < 2 ** (people + other_people); set++)
    if (countBits(set) === all_selected) ways[countBits(set % 2 ** people)]!++;
  return ways;
}

test('the exact test agrees with counting every way to select the people', () => {
  fc.assert(
    fc.property(fc.nat(4), fc.nat(4), fc.nat(4), fc.nat(4), (a, b, c, d) => {
      const table = build(a, b, c, d);
      const ways = countWays(table.people, table.other_people, a + c);
      const all = ways.reduce((sum, count) => sum + count, 0);
      const sumWhere = (isCounted: (count: number) => boolean) =>
        ways.filter(isCounted).reduce((sum, count) => sum + count, 0) / all;
      const { fisher, mid_p } = computeExactTest(table);
      expect(fisher).toBeCloseTo(
        sumWhere((count) => count <= ways[a]!),
        9,
      );
      expect(mid_p).toBeCloseTo(
        sumWhere((count) => count < ways[a]!) + sumWhere((count) => count === ways[a]!) / 2,
        9,
      );
    }),
    { numRuns: 60 },
  );
});

test('the exact test of large groups is a probability, and does not overflow', () => {
  const { fisher, mid_p } = computeExactTest(build(30_000, 70_000, 30_300, 69_700));
  // The test of two proportions without correction has p = 0.1427.
  expect(fisher).toBeGreaterThan(mid_p);
  expect(mid_p).toBeCloseTo(0.1427, 2);
});

test('Holm’s adjustment of p.adjust in R', () => {
  expect(computeAdjusted([0.01, 0.02, 0.03, 0.005]).map((each) => Number(each.toFixed(3)))).toEqual([
    0.03, 0.04, 0.04, 0.02,
  ]);
  expect(computeAdjusted([])).toEqual([]);
});

test('Holm’s adjustment keeps the order, never lowers a probability, and never exceeds that of Bonferroni', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), (probabilities) => {
      const adjusted = computeAdjusted(probabilities);
      for (const [index, probability] of probabilities.entries()) {
        expect(adjusted[index]).toBeGreaterThanOrEqual(probability);
        expect(adjusted[index]).toBeLessThanOrEqual(Math.min(1, probability * probabilities.length) + 1e-12);
        const larger = adjusted.filter((_, other) => probability <= probabilities[other]!);
        expect(Math.min(...larger)).toBe(adjusted[index]);
      }
    }),
  );
});

test('the interval of the aspirin study: 1.82, from 1.43 to 2.31 (Agresti, Categorical Data Analysis, 2.2)', () => {
  const [from, to] = computeRatioInterval(build(189, 10_845, 104, 10_933))!;
  expect([from.toFixed(2), to.toFixed(2)]).toEqual(['1.43', '2.31']);
  expect(computeRatioInterval(build(0, 10, 5, 5))).toBeUndefined();
});

test('the detectable ratio of a textbook: 0.5 against 0.4 needs 388 people in each group', () => {
  expect(computeDetectableRatio(0.5, { people: 388, other_people: 388 })).toBeCloseTo(0.8, 2);
  expect(computeDetectableRatio(0.1, { people: 5, other_people: 5 })).toBeUndefined();
});

test('more people detect a ratio nearer to one', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      fc.integer({ min: 20, max: 2000 }),
      (rate, people) => {
        const few = computeDetectableRatio(rate, { people, other_people: people });
        const many = computeDetectableRatio(rate, { people: people * 2, other_people: people * 2 });
        expect(many ?? 0).toBeGreaterThanOrEqual(few ?? 0);
      },
    ),
  );
});
