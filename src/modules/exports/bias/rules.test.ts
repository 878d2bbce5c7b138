import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  biasStages,
  hideSmallCells,
  nobody,
  selections,
  smallest_cell,
  type BiasStage,
  type ShownStages,
  type StageCounts,
} from './rules.ts';

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
  above_median: ['matched', 'rated_strong'],
  org_interested: ['matched'],
  member_accepted: ['org_interested', 'matched'],
  placed: ['member_accepted', 'org_interested', 'matched'],
};

/** People of one group: those who stop at each stage, and those who are rated strong. */
const anyGroup = fc
  .tuple(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(100), fc.nat(100))
  .map(([matched, interested, accepted, placed, strong, above]): StageCounts => {
    const all = matched + interested + accepted + placed;
    return {
      matched: all,
      rated_strong: Math.round((all * strong) / 100),
      // The tier in the middle is strong, so that those above it are part of those rated strong.
      above_median: Math.round((Math.round((all * strong) / 100) * above) / 100),
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

test('every selection leads from a stage to one that is part of it', () => {
  for (const { selection, of } of selections) expect(wider[selection]).toContain(of);
});
