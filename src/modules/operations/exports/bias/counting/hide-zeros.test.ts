import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportAttributes } from '../rules.ts';
import { addUpKinds } from './kinds.ts';
import { buildCounts, completeCounts, type BiasCounts } from './release-rules.ts';

const person = {
  age_band: null,
  ethnicity: null,
  disability: null,
  furthest: 0,
  tier: 1,
  placed: 0,
  stayed: 0,
  rated_well: 0,
};

const build = (genders: Readonly<Record<string, number>>) =>
  buildCounts(
    addUpKinds(
      Object.entries(genders).map(([gender, people]) => ({
        ...person,
        gender: gender === 'not_stated' ? null : gender,
        people,
      })),
    ),
    { parameter_version: null, policy_version: 1 },
  );

const listMatched = ({ shown }: Pick<BiasCounts, 'shown'>) =>
  Object.fromEntries(Object.entries(shown.gender).map(([group, { matched }]) => [group, matched]));

const nothing = { woman: null, man: null, non_binary: null, another: null, several: null, not_stated: null };

test.each([[{ woman: 1 }], [{ woman: 9 }], [{ woman: 200 }], [{ woman: 1, not_stated: 1 }]])(
  'the groups in which nobody is do not tell in which everybody is: %j',
  async (genders) => {
    const counts = await build(genders);
    expect(listMatched(counts)).toEqual(nothing);
    for (const attribute of reportAttributes)
      expect(Object.values(counts.shown[attribute]).flatMap((row) => Object.values(row))).not.toContain(0);
  },
);

test('that nobody is in a group is shown if it follows from the others', async () => {
  expect(listMatched(await build({ woman: 20, man: 30 }))).toEqual({
    woman: 20,
    man: 30,
    non_binary: 0,
    another: 0,
    several: 0,
    not_stated: 0,
  });
});

test('a report that was stored with such zeros hides them', async () => {
  const counts = await build({ woman: 1 });
  const zero = Object.fromEntries(
    Object.keys(counts.totals).map((column) => [column, 0]),
  ) as BiasCounts['totals'];
  const { woman, ...others } = counts.shown.gender;
  const gender = { woman: woman!, ...Object.fromEntries(Object.keys(others).map((group) => [group, zero])) };
  expect(listMatched(completeCounts({ ...counts, shown: { ...counts.shown, gender } }))).toEqual(nothing);
});

test('with any people, an attribute shows zeros only if it shows all groups', async () => {
  const people = fc.constantFrom(0, 0, 1, 9, 10, 11, 40);
  const groups = fc.record({ woman: people, man: people, non_binary: people, not_stated: people });
  await fc.assert(
    fc.asyncProperty(groups, async (genders) => {
      const shown = Object.values(listMatched(await build(genders)));
      expect(shown.includes(0) && shown.includes(null)).toBe(false);
    }),
  );
});
