import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proves } from '#test/requirements.ts';
import { compareGroups, type ShownStages } from './compare-groups.ts';
import type { BiasStage } from './rules.ts';

const nobody = {
  matched: 0,
  rated_strong: 0,
  above_median: 0,
  org_interested: 0,
  member_accepted: 0,
  placed: 0,
};

const showCounts = (matched: number, placed: number): ShownStages => ({ ...nobody, matched, placed });

/** Compares with all people stated. */
const computeRates = (
  groups: Readonly<Record<string, ShownStages>>,
  pair: { readonly selection: BiasStage; readonly of: BiasStage },
) =>
  compareGroups(
    groups,
    pair,
    Object.values(groups).reduce((sum, row) => sum + row[pair.of]!, 0),
  );

test('impact ratios of the example in the questions and answers on the Uniform Guidelines (44 FR 11996, question 11)', () => {
  proves('open-shape-export-bias-report-format');
  // Hiring rates of 60 %, 45 %, 48 % and 51 % have impact ratios of 75 %, 80 % and 85 % to the highest.
  const groups = {
    white: showCounts(100, 60),
    indigenous: showCounts(100, 45),
    hispanic_or_latino: showCounts(100, 48),
    black: showCounts(100, 51),
  };
  const rates = computeRates(groups, { selection: 'placed', of: 'matched' });
  expect(
    rates.map(({ rate, impact_ratio, below_four_fifths }) => [rate, impact_ratio, below_four_fifths]),
  ).toEqual([
    [0.6, 1, false],
    [0.45, 0.75, true],
    [0.48, 0.8, false],
    [0.51, 0.85, false],
  ]);
});

test('those who have not stated an attribute are shown and not compared, and one group alone is not compared', () => {
  const groups = { woman: showCounts(100, 30), not_stated: showCounts(100, 90) };
  expect(computeRates(groups, { selection: 'placed', of: 'matched' })).toMatchObject([
    { group: 'woman', people: 100, selected: 30, rate: 0.3, impact_ratio: null, flag: null },
    { group: 'not_stated', people: 100, selected: 90, rate: 0.9, impact_ratio: null, flag: null },
  ]);
});

test('impact ratios are between 0 and 1, and one is marked if and only if it is below four fifths', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(500), fc.nat(500)), { minLength: 2, maxLength: 6 }), (pairs) => {
      const groups = Object.fromEntries(
        pairs.map(([more, less], index) => [`group_${index}`, showCounts(more + less, less)]),
      );
      const rows = computeRates(groups, { selection: 'placed', of: 'matched' });
      const compared = rows.filter(({ impact_ratio }) => impact_ratio !== null);
      const ratios = compared.map(({ impact_ratio }) => impact_ratio!);
      expect(ratios.every((ratio) => ratio >= 0 && ratio <= 1)).toBe(true);
      // Ratios have four decimals, so those next to four fifths are left out.
      const clear = compared.filter(({ impact_ratio }) => Math.abs(impact_ratio! - 0.8) > 0.001);
      expect(clear.map(({ below_four_fifths }) => below_four_fifths)).toEqual(
        clear.map(({ impact_ratio }) => impact_ratio! < 0.8),
      );
      expect([1, undefined]).toContain(ratios.toSorted((one, other) => other - one)[0]);
    }),
  );
});

const pair = { selection: 'placed', of: 'matched' } as const;

test('flags: few people prove nothing, many prove a difference or its absence', () => {
  const findFlag = (other: ShownStages, reference: ShownStages) =>
    computeRates({ other, reference }, pair)[0]!.flag;
  expect(findFlag(showCounts(20, 4), showCounts(20, 6))).toBe('insufficient');
  expect(findFlag(showCounts(20, 6), showCounts(20, 7))).toBe('insufficient');
  expect(findFlag(showCounts(1000, 210), showCounts(1000, 300))).toBe('significant');
  expect(findFlag(showCounts(4000, 1180), showCounts(4000, 1200))).toBe('none');
});

test('a group of less than two in a hundred is shown, and neither compared nor the reference', () => {
  const rows = computeRates(
    { few: showCounts(15, 15), woman: showCounts(500, 100), man: showCounts(500, 150) },
    pair,
  );
  expect(rows.map(({ is_excluded, impact_ratio }) => [is_excluded, impact_ratio])).toEqual([
    [true, null],
    [false, 0.6667],
    [false, 1],
  ]);
  expect(rows[0]).toMatchObject({ people: 15, selected: 15, rate: 1 });
});

test('what is not shown changes nothing of what is said about the others', () => {
  const hidden = { ...nobody, matched: null, placed: null };
  const [, woman, man] = compareGroups(
    { non_binary: hidden, woman: showCounts(400, 80), man: showCounts(400, 160) },
    pair,
    805,
  );
  const [same, other] = compareGroups({ woman: showCounts(400, 80), man: showCounts(400, 160) }, pair, 805);
  expect([woman, man]).toEqual([same, other]);
  expect(woman).toMatchObject({ impact_ratio: 0.5, flag: 'significant', ratio_to: expect.any(Number) });
});

/** Draws how many of so many people are selected, by a generator with a seed. */
function createDraw(seed: number): (people: number, rate: number) => number {
  let state = seed;
  const drawNext = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  return (people, rate) => Array.from({ length: people }, drawNext).filter((value) => value < rate).length;
}

test('without any difference, about one table in twelve of six groups has a significant ratio, as the report says', () => {
  const draw = createDraw(7);
  const tables = Array.from({ length: 400 }, () =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, place) => [`group_${place}`, showCounts(200, draw(200, 0.3))]),
    ),
  );
  const marked = tables.filter((table) =>
    computeRates(table, pair).some(({ flag }) => flag === 'significant'),
  );
  expect(marked.length / tables.length).toBeGreaterThan(0.05);
  expect(marked.length / tables.length).toBeLessThan(0.12);
});
