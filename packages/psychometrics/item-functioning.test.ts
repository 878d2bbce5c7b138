import { describe, expect, test } from 'vitest';
import { classifyItem, compareItem, type Stratum } from './item-functioning.ts';
import { judgeItem } from './item-judgement.ts';

describe('published worked examples', () => {
  test('arthritis pain by treatment and sex (Koch and Edwards 1988; Stokes, Davis and Koch): 14.632', () => {
    // None, some and marked improvement under the new treatment and under the placebo.
    const difference = compareItem([
      { focal: [6, 5, 16], reference: [19, 7, 6] },
      { focal: [7, 2, 5], reference: [10, 0, 1] },
    ])!;
    expect(difference.chi_square).toBeCloseTo(14.632, 3);
    expect(difference.probability).toBeCloseTo(0.0001, 4);
    expect(difference.effect).toBeGreaterThan(0);
  });

  test('admissions to Berkeley by department (Bickel and others 1975; Agresti): 1.52 without correction', () => {
    const departments: readonly (readonly [number, number, number, number])[] = [
      [512, 313, 89, 19],
      [353, 207, 17, 8],
      [120, 205, 202, 391],
      [138, 279, 131, 244],
      [53, 138, 94, 299],
      [22, 351, 24, 317],
    ];
    const { chi_square } = compareItem(
      departments.map(([men, men_refused, women, women_refused]): Stratum => ({
        reference: [men_refused, men],
        focal: [women_refused, women],
      })),
    )!;
    expect(chi_square).toBeCloseTo(1.5246, 3);
  });

  test('penicillin in rabbits (Mantel 1963; mantelhaen.test of R): 5.66 without correction', () => {
    const levels: readonly (readonly [number, number, number, number])[] = [
      [0, 6, 0, 5],
      [3, 3, 0, 6],
      [6, 0, 2, 4],
      [5, 1, 6, 0],
      [2, 0, 5, 0],
    ];
    const { chi_square } = compareItem(
      levels.map(([cured, died, late_cured, late_died]) => ({
        focal: [died, cured],
        reference: [late_died, late_cured],
      })),
    )!;
    expect(chi_square).toBeCloseTo(5.6571, 2);
  });
});

test('groups with the same answers at each level do not differ, even if one has more of the trait', () => {
  const low: readonly number[] = [40, 30, 20];
  const high: readonly number[] = [10, 30, 60];
  const scale = (counts: readonly number[], factor: number) => counts.map((count) => count * factor);
  const difference = compareItem([
    { reference: scale(low, 1), focal: scale(low, 5) },
    { reference: scale(high, 5), focal: scale(high, 1) },
  ])!;
  expect(difference.chi_square).toBeCloseTo(0, 10);
  expect(difference.effect).toBeCloseTo(0, 10);
  expect(classifyItem(difference)).toBe('small');
});

test('the standardised mean difference is the mean difference weighted by the focal group, in standard deviations', () => {
  // At one level the focal group scores 0.5 higher, at the other as high; three quarters of it are at the first.
  const difference = compareItem([
    { reference: [50, 50], focal: [0, 75] },
    { reference: [50, 50], focal: [13, 12] },
  ])!;
  const spread = Math.sqrt((187 / 300) * (113 / 300));
  expect(difference.effect).toBeCloseTo((75 * 0.5 + 25 * (12 / 25 - 0.5)) / 100 / spread, 10);
});

test('classes follow the size of a significant difference', () => {
  const build = (effect: number, probability = 0.001) => ({ chi_square: 10, probability, effect });
  expect([0.17, 0.18, 0.25, 0.26, -0.3].map((effect) => classifyItem(build(effect)))).toEqual([
    'small',
    'moderate',
    'moderate',
    'large',
    'large',
  ]);
  expect(classifyItem(build(0.5, 0.05))).toBe('small');
});

test('without people of both groups at a level, or with the same answer of all, there is nothing to compare', () => {
  expect(compareItem([])).toBeUndefined();
  expect(compareItem([{ reference: [3, 4], focal: [0, 0] }])).toBeUndefined();
  expect(compareItem([{ reference: [0, 4], focal: [0, 9] }])).toBeUndefined();
});

test('an item is flagged if both methods find a difference of which they are sure', () => {
  const higher: readonly Stratum[] = [
    { reference: [80, 60, 60], focal: [40, 60, 100] },
    { reference: [40, 60, 100], focal: [20, 50, 130] },
  ];
  expect(judgeItem(higher)).toMatchObject({ item_class: 'large' });
  expect(judgeItem(higher)!.log_odds).toBeGreaterThan(0.426);
  // The same shares among a tenth of the people: as large, but neither probability is below 1 %.
  const few = higher.map(({ reference, focal }) => ({
    reference: reference.map((people) => people / 10),
    focal: focal.map((people) => people / 10),
  }));
  expect(judgeItem(few)).toMatchObject({ item_class: 'small' });
});
