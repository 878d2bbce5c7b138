import { expect, test } from 'vitest';
import { completeCounts, hideAllSmallCells, isReleaseDue, mayReplace } from './release-rules.ts';
import {
  biasStages,
  listGroups,
  nameIntersection,
  nobody,
  reportAttributes,
  type BiasCounts,
  type StageCounts,
} from './rules.ts';

const sumCounts = (rows: readonly StageCounts[]) =>
  Object.fromEntries(
    biasStages.map((stage) => [stage, rows.reduce((sum, row) => sum + row[stage], 0)]),
  ) as unknown as StageCounts;

function buildCounts(gender: Readonly<Record<string, StageCounts>>): BiasCounts {
  const totals = sumCounts(Object.values(gender));
  const others = Object.fromEntries(
    reportAttributes.map((attribute) => [
      attribute,
      Object.fromEntries(
        listGroups(attribute).map((group) => [group, group === 'not_stated' ? totals : nobody]),
      ),
    ]),
  ) as BiasCounts['attributes'];
  const none = Object.fromEntries(listGroups('gender').map((group) => [group, nobody]));
  const combined = Object.fromEntries(listGroups('gender_ethnicity').map((group) => [group, nobody]));
  for (const [group, counts] of Object.entries(gender))
    combined[nameIntersection(group, 'not_stated')] = counts;
  return {
    totals,
    attributes: { ...others, gender: { ...none, ...gender }, gender_ethnicity: combined },
    parameter_version: null,
    policy_version: null,
    median_tier: null,
  };
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

test('a report that was made before there were intersections shows none, and what else it had', () => {
  const { totals, attributes } = buildCounts(start);
  const { gender_ethnicity: _, ...earlier } = attributes;
  const stored = JSON.parse(JSON.stringify({ totals, attributes: earlier })) as BiasCounts;
  const shown = hideAllSmallCells(completeCounts(stored));
  expect(shown.gender['woman']).toMatchObject({ matched: 40, org_interested: 20 });
  expect(
    Object.values(shown.gender_ethnicity).every(({ matched }) => matched === null || matched === 0),
  ).toBe(true);
});
