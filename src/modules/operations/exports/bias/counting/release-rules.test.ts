import { expect, test } from 'vitest';
import { addUpKinds, type CountedPeople } from './kinds.ts';
import {
  buildCounts,
  completeCounts,
  isReleaseDue,
  mayReplace,
  releases_max,
  type StoredCounts,
} from './release-rules.ts';

const person: CountedPeople = {
  gender: null,
  age_band: null,
  ethnicity: null,
  disability: null,
  furthest: 0,
  tier: 1,
  placed: 0,
  stayed: 0,
  rated_well: 0,
  people: 0,
};

type Group = { readonly pending: number; readonly chosen: number };

const build = (groups: Readonly<Record<string, Group>>) =>
  buildCounts(
    addUpKinds(
      Object.entries(groups).flatMap(([name, { pending, chosen }]) => {
        const gender = name === 'not_stated' ? null : name;
        return [
          { ...person, gender, people: pending },
          { ...person, gender, furthest: 1, people: chosen },
        ];
      }),
    ),
    { parameter_version: null, policy_version: 1 },
  );

const start = {
  woman: { pending: 20, chosen: 20 },
  man: { pending: 20, chosen: 20 },
  not_stated: { pending: 20, chosen: 20 },
};

test('a new report is not shown if the difference is about a few people, whatever group they belong to', async () => {
  const before = await build(start);
  expect(before.shown.gender['woman']).toMatchObject({ matched: 40, org_interested: 20 });
  expect(mayReplace(before, before)).toBe(true);
  for (const [people, allowed] of [
    [1, false],
    [9, false],
    [10, true],
  ] as const) {
    const woman = { pending: start.woman.pending - people, chosen: start.woman.chosen + people };
    expect([people, mayReplace(before, await build({ ...start, woman }))]).toEqual([people, allowed]);
  }
  // Somebody who changes an answer changes two groups.
  const changed = { ...start, woman: { pending: 19, chosen: 20 }, man: { pending: 21, chosen: 20 } };
  expect(mayReplace(before, await build(changed))).toBe(false);
});

test('a change of many people does not hide a change of one in another stage', async () => {
  const before = await build(start);
  // Ten more people were matched, and one of the others was chosen.
  const after = await build({ ...start, woman: { pending: 29, chosen: 21 } });
  expect(mayReplace(before, after)).toBe(false);
});

test('people are counted again in the next month, and after a day as long as nothing is shown', async () => {
  const released_at = new Date('2026-03-30T10:00:00Z');
  const shown = { released_at, counts: await build(start) };
  const empty = { released_at, counts: await build({}) };
  const isDue = (release: typeof shown, now: string) =>
    isReleaseDue({ ...release, number: 1 }, new Date(now));
  expect(isDue(shown, '2026-03-31T23:00:00Z')).toBe(false);
  expect(isDue(shown, '2026-04-01T11:00:00Z')).toBe(true);
  expect(isDue(empty, '2026-03-31T09:59:59Z')).toBe(false);
  expect(isDue(empty, '2026-03-31T10:00:00Z')).toBe(true);
  expect(isReleaseDue({ ...shown, number: releases_max }, new Date('2026-04-01T11:00:00Z'))).toBe(false);
});

test('a report of an earlier version shows its totals, and is replaced only if nothing follows from what it has shown', async () => {
  const buildStages = (matched: number, org_interested: number) => ({
    matched,
    org_interested,
    rated_strong: 0,
  });
  const earlier: StoredCounts = {
    totals: { matched: 120, org_interested: 60 },
    attributes: {
      gender: { woman: buildStages(40, 20), man: buildStages(40, 20), not_stated: buildStages(40, 20) },
    },
  };
  const complete = completeCounts(JSON.parse(JSON.stringify(earlier)) as StoredCounts);
  expect(complete.totals).toMatchObject({ matched: 120, org_interested: 60, placed: 0 });
  expect(Object.values(complete.shown.gender).every(({ matched }) => matched === null)).toBe(true);
  const unchanged = await build(start);
  const isReplaced = (counts: typeof unchanged) => mayReplace(earlier, counts);
  expect(isReplaced(unchanged)).toBe(true);
  expect(isReplaced(await build({ ...start, woman: { pending: 19, chosen: 21 } }))).toBe(false);
});

test('a report that was counted before a group existed shows that nobody was in it', async () => {
  const stored = JSON.parse(JSON.stringify(await build(start)), (name, value: unknown) =>
    name === 'several' || name.startsWith('several+') ? undefined : value,
  ) as StoredCounts;
  const { shown } = completeCounts(stored);
  expect(shown.gender['several']).toMatchObject({ matched: 0, placed: 0 });
  expect(shown.gender_ethnicity['several+asian']).toMatchObject({ matched: 0 });
  expect(shown.gender['woman']).toMatchObject({ matched: 40, org_interested: 20 });
});
