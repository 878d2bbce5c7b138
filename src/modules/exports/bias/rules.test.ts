import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityAttributes } from '#modules/self-identification';
import { proves } from '#test/requirements.ts';
import {
  biasStages,
  computeRates,
  hideAllSmallCells,
  hideSmallCells,
  isReleaseDue,
  listGroups,
  mayReplace,
  selections,
  smallest_cell,
  type BiasCounts,
  type BiasStage,
  type ShownStages,
  type StageCounts,
} from './rules.ts';

const nobody: StageCounts = { matched: 0, rated_strong: 0, org_interested: 0, member_accepted: 0, placed: 0 };
const showCounts = (matched: number, placed: number): ShownStages => ({ ...nobody, matched, placed });

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
  expect(computeRates(groups, { selection: 'placed', of: 'matched' })).toEqual([
    { group: 'woman', people: 100, selected: 30, rate: 0.3, impact_ratio: null, below_four_fifths: null },
    {
      group: 'not_stated',
      people: 100,
      selected: 90,
      rate: 0.9,
      impact_ratio: null,
      below_four_fifths: null,
    },
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

test('a group of fewer than ten people is hidden, and so is the one from which it would follow', () => {
  const groups = {
    woman: { ...nobody, matched: 40, org_interested: 20 },
    man: { ...nobody, matched: 50, org_interested: 25 },
    non_binary: { ...nobody, matched: 3, org_interested: 1 },
    not_stated: { ...nobody, matched: 60, org_interested: 30 },
  };
  const totals = { ...nobody, matched: 153, org_interested: 76 };
  const shown = hideSmallCells(totals, groups);
  expect(Object.entries(shown).map(([group, row]) => [group, row.matched, row.org_interested])).toEqual([
    ['woman', null, null],
    ['man', 50, 25],
    ['non_binary', null, null],
    ['not_stated', 60, 30],
  ]);
});

test('a stage that everybody or nearly nobody of a group has reached is hidden', () => {
  const groups = {
    yes: { ...nobody, matched: 30, org_interested: 29 },
    no: { ...nobody, matched: 30, org_interested: 15 },
    not_stated: { ...nobody, matched: 40, org_interested: 20 },
  };
  const shown = hideSmallCells({ ...nobody, matched: 100, org_interested: 64 }, groups);
  expect(shown['yes']).toMatchObject({ matched: 30, org_interested: null });
  expect(Object.values(shown).filter((row) => row.org_interested !== null).length).toBeLessThan(2);
});

const wider: Readonly<Record<BiasStage, readonly BiasStage[]>> = {
  matched: [],
  rated_strong: ['matched'],
  org_interested: ['matched'],
  member_accepted: ['org_interested', 'matched'],
  placed: ['member_accepted', 'org_interested', 'matched'],
};

/** People of one group: those who stop at each stage, and those who are rated strong. */
const anyGroup = fc
  .tuple(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(100))
  .map(([matched, interested, accepted, placed, strong]): StageCounts => {
    const all = matched + interested + accepted + placed;
    return {
      matched: all,
      rated_strong: Math.round((all * strong) / 100),
      org_interested: interested + accepted + placed,
      member_accepted: accepted + placed,
      placed,
    };
  });

const anyTable = fc.array(anyGroup, { minLength: 2, maxLength: 7 }).map((rows) => {
  const groups = Object.fromEntries(rows.map((row, index) => [`group_${index}`, row]));
  return { groups, totals: sumCounts(rows) };
});

const sumCounts = (rows: readonly StageCounts[]) =>
  Object.fromEntries(
    biasStages.map((stage) => [stage, rows.reduce((sum, row) => sum + row[stage], 0)]),
  ) as unknown as StageCounts;

test('every number that is shown, or follows from those shown and the totals, is about ten people or more', () => {
  fc.assert(
    fc.property(anyTable, ({ groups, totals }) => {
      const shown = hideSmallCells(totals, groups);
      const rows = Object.keys(groups)
        .filter((group) => groups[group]!.matched > 0)
        .map((group) => shown[group]!);
      const parts = biasStages.flatMap((stage) => [
        listPart(rows, (row) => row[stage], totals[stage]),
        ...wider[stage].map((before) =>
          listPart(rows, (row) => subtractShown(row[before], row[stage]), totals[before] - totals[stage]),
        ),
      ]);
      expect(Math.min(Infinity, ...parts.flatMap(({ numbers }) => numbers))).toBeGreaterThanOrEqual(
        smallest_cell,
      );
      expect(parts.map(({ hidden_groups }) => hidden_groups)).not.toContain(1);
    }),
    { numRuns: 2_000 },
  );
});

test('the numbers that are shown are the true ones', () => {
  fc.assert(
    fc.property(anyTable, ({ groups, totals }) => {
      const shown = hideSmallCells(totals, groups);
      const visible = Object.entries(shown).flatMap(([group, row]) =>
        biasStages.filter((stage) => row[stage] !== null).map((stage) => [row[stage], groups[group]![stage]]),
      );
      expect(visible.every(([number, truth]) => number === truth)).toBe(true);
    }),
  );
});

const subtractShown = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one - other;

/**
 * Lists what a reader knows about one column: the numbers that are shown, their differences to the total, and what remains for all hidden groups
 * together. A column without a number says nothing beyond its total.
 */
function listPart(
  rows: readonly ShownStages[],
  read: (row: ShownStages) => number | null,
  total: number,
): { readonly numbers: readonly number[]; readonly hidden_groups: number } {
  const numbers = rows.map(read).filter((number) => number !== null);
  const hidden_groups = rows.length - numbers.length;
  if (numbers.length === 0) return { numbers: [], hidden_groups: 0 };
  const rest = numbers.reduce((sum, number) => sum - number, total);
  const others = numbers.map((number) => total - number);
  return { numbers: [...numbers, ...others, ...(hidden_groups > 0 ? [rest] : [])], hidden_groups };
}

function buildCounts(gender: Readonly<Record<string, StageCounts>>): BiasCounts {
  const totals = sumCounts(Object.values(gender));
  const others = Object.fromEntries(
    identityAttributes.map((attribute) => [
      attribute,
      Object.fromEntries(
        listGroups(attribute).map((group) => [group, group === 'not_stated' ? totals : nobody]),
      ),
    ]),
  ) as BiasCounts['attributes'];
  const none = Object.fromEntries(listGroups('gender').map((group) => [group, nobody]));
  return { totals, attributes: { ...others, gender: { ...none, ...gender } } };
}

const start = {
  woman: { ...nobody, matched: 40, org_interested: 20 },
  man: { ...nobody, matched: 40, org_interested: 20 },
  not_stated: { ...nobody, matched: 40, org_interested: 20 },
};

test('a new report is not shown if the difference is about a few people, whatever group they belong to', () => {
  const before = buildCounts(start);
  expect(hideAllSmallCells(before).gender['woman']).toMatchObject({ matched: 40, org_interested: 20 });
  expect(mayReplace(before, before)).toBe(true);
  for (const [people, allowed] of [
    [1, false],
    [9, false],
    [10, true],
  ] as const) {
    const woman = { ...start.woman, org_interested: start.woman.org_interested + people };
    expect([people, mayReplace(before, buildCounts({ ...start, woman }))]).toEqual([people, allowed]);
  }
  // Somebody who changes an answer changes two groups.
  const changed = {
    ...start,
    woman: { ...start.woman, matched: 39 },
    man: { ...start.man, matched: 41 },
  };
  expect(mayReplace(before, buildCounts(changed))).toBe(false);
});

test('people are counted again in the next month, and after a day as long as nothing is shown', () => {
  const released_at = new Date('2026-03-30T10:00:00Z');
  const shown = { released_at, counts: buildCounts(start) };
  const empty = { released_at, counts: buildCounts({}) };
  const isDue = (release: typeof shown, now: string) => isReleaseDue(release, new Date(now));
  expect(isDue(shown, '2026-03-31T23:00:00Z')).toBe(false);
  expect(isDue(shown, '2026-04-01T11:00:00Z')).toBe(true);
  expect(isDue(empty, '2026-03-31T09:59:59Z')).toBe(false);
  expect(isDue(empty, '2026-03-31T10:00:00Z')).toBe(true);
});

test('every selection leads from a stage to one that is part of it', () => {
  for (const { selection, of } of selections) expect(wider[selection]).toContain(of);
});
