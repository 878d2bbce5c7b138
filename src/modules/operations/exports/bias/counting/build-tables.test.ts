import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareGroups, type GroupRate } from '../compare-groups.ts';
import { buildTables, type Tables } from './build-tables.ts';
import { findMedianTier, type CountedPeople } from './people.ts';

/** People who differ only in gender, in the tier and in how far they came. */
type Person = { readonly gender: string | null; readonly tier?: number; readonly furthest?: number };

function toRow({ gender, tier = 1, furthest = 0 }: Person): CountedPeople {
  return {
    gender,
    age_band: null,
    ethnicity: null,
    disability: null,
    tier,
    furthest,
    placed: 0,
    stayed: 0,
    rated_well: 0,
    people: 1,
  };
}

const build = (people: readonly Person[]) => {
  const rows = people.map(toRow);
  return buildTables({ rows, median_tier: findMedianTier(rows), assessed: null, countAssessed: () => null });
};

const repeat = <Value>(count: number, build_one: (place: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, place) => build_one(place));

/** A group of which some were chosen; every third person is rated strong. */
const buildGroup = (gender: string | null, people: number, chosen: number) =>
  repeat(people, (place): Person => ({
    gender,
    tier: place % 3 === 0 ? 2 : 1,
    furthest: place < chosen ? 1 : 0,
  }));

const findTable = ({ comparisons }: Pick<Tables, 'comparisons'>, selection = 'org_interested') =>
  comparisons.find((each) => each.attribute === 'gender' && each.selection === selection)!;

const findRow = (tables: Tables, group: string, selection?: string) =>
  findTable(tables, selection).groups.find((row) => row.group === group);

test('79 of 113 men and 23 of 77 women chosen, beside 12 who have not stated a gender: ratio, interval, test and flag are shown', async () => {
  const tables = await build([
    ...buildGroup('man', 113, 79),
    ...buildGroup('woman', 77, 23),
    ...buildGroup(null, 12, 7),
  ]);
  expect(findRow(tables, 'woman')).toMatchObject({
    people: 77,
    selected: 23,
    rate: 0.2987,
    below_four_fifths: true,
    // Katz: (23/77) / (86/125) · exp(±1.96 · √(1/23 - 1/77 + 1/86 - 1/125)), because the men are 86 of 125 with those who have not stated a gender.
    impact_ratio: expect.closeTo(23 / 77 / (86 / 125), 4),
    ratio_from: 0.3023,
    ratio_to: 0.6236,
    fisher_p: 0,
    holm_p: 0,
    flag: 'significant',
  });
  expect(findRow(tables, 'man')).toMatchObject({ people: 125, selected: 86, may_include_others: true });
});

test('what became of a small group changes nothing in how its table is made', async () => {
  const others = [...buildGroup('man', 113, 79), ...buildGroup('woman', 77, 23)];
  for (const chosen of [0, 2, 5]) {
    const table = findTable(await build([...others, ...buildGroup('non_binary', 5, chosen)]));
    expect(table.groups.map(({ group, people }) => [group, people])).toEqual([
      ['woman', 77],
      ['man', 118],
    ]);
    expect(table.is_approximate).toBe(false);
  }
});

test('small groups of twenty together have a row of their own, which is not compared', async () => {
  const tables = await build([
    ...buildGroup('man', 113, 79),
    ...buildGroup('woman', 77, 23),
    ...buildGroup('non_binary', 12, 5),
    ...buildGroup('another', 12, 6),
  ]);
  expect(findRow(tables, 'other_groups')).toMatchObject({ people: 24, selected: 11, impact_ratio: null });
  expect(findRow(tables, 'woman')).toMatchObject({ flag: 'significant' });
});

test('a large group of which fewer than ten were chosen keeps ratio, interval, test and flag, and does not tell how many', async () => {
  const rows = [];
  for (const chosen of [0, 3, 6]) {
    const tables = await build([...buildGroup('man', 120, 70), ...buildGroup('woman', 80, chosen)]);
    const row = findRow(tables, 'woman')!;
    expect(row).toMatchObject({
      people: 80,
      selected: null,
      rate: null,
      below_four_fifths: true,
      flag: 'significant',
      impact_ratio: expect.any(Number),
      ratio_from: expect.any(Number),
      ratio_to: expect.any(Number),
      holm_p: expect.any(Number),
    });
    expect(findRow(tables, 'man')).toMatchObject({ selected: null, rate: null });
    rows.push(row.holm_p! < 0.05);
  }
  expect(rows).toEqual([true, true, true]);
});

test('what is shown of a small number is the same whichever it is, when the sum is the same', async () => {
  const tables = [];
  for (const chosen of [1, 4, 7])
    tables.push(
      findTable(await build([...buildGroup('man', 120, 70 - chosen), ...buildGroup('woman', 80, chosen)])),
    );
  expect(tables[1]).toEqual(tables[0]);
  expect(tables[2]).toEqual(tables[0]);
});

test('an organisation that chooses all strong people but one does not learn to which group that one belongs', async () => {
  for (const spared of [0, 1]) {
    const people = repeat(200, (place): Person => {
      const tier = place < 100 ? 2 : 1;
      return {
        gender: place % 2 === 0 ? 'woman' : 'man',
        tier,
        furthest: tier === 2 && place !== spared ? 1 : 0,
      };
    });
    const tables = await build(people);
    expect(findRow(tables, 'woman', 'org_interested')!.selected).not.toBeNull();
    expect(findTable(tables, 'rated_strong').groups.map(({ selected }) => selected)).toEqual([null, null]);
  }
});

test('a stage that fewer than ten people have reached is left out', async () => {
  const tables = await build([...buildGroup('man', 100, 5), ...buildGroup('woman', 100, 3)]);
  expect(findTable(tables).groups).toMatchObject([
    { selected: null, flag: null },
    { selected: null, flag: null },
  ]);
});

test('fewer than twenty people have no table, and one group alone is not compared', async () => {
  expect(findTable(await build(buildGroup('man', 19, 10))).groups).toEqual([]);
  expect(findTable(await build(buildGroup('man', 60, 20))).groups).toMatchObject([{ impact_ratio: null }]);
});

/** Draws numbers from 0 to 1 by a generator with a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

/** Rates of two groups, and so many people in each that a test would find the difference with a power of 0.8. */
const planted = [
  { rates: [0.5, 0.3], people: 93 },
  { rates: [0.7, 0.3], people: 27 },
  { rates: [0.3, 0.15], people: 121 },
  { rates: [0.3, 0.1], people: 62 },
  { rates: [0.2, 0.05], people: 75 },
  { rates: [0.9, 0.7], people: 62 },
  { rates: [0.1, 0.02], people: 140 },
] as const;

test.each(planted.flatMap((each) => [0, 16].map((small) => ({ ...each, small }))))(
  'a planted difference of $rates in $people people each has ratio, interval, test and flag in 95 of 100 reports, and is marked wherever the statistic finds it, beside $small others',
  async ({ rates, people, small }) => {
    const random = createRandom(people);
    const draw = (count: number, rate: number) =>
      repeat(count, random).filter((value) => value < rate).length;
    let [found, shown, given] = [0, 0, 0];
    for (let report = 0; report < 300; report++) {
      const [more, less] = [draw(people, rates[0]), draw(people, rates[1])];
      const groups = { man: { matched: people, placed: more }, woman: { matched: people, placed: less } };
      const all = [...buildGroup('man', people, more), ...buildGroup('woman', people, less)];
      const mean = (rates[0] + rates[1]) / 2;
      if (small > 0)
        all.push(
          ...buildGroup(null, small - 5, draw(small - 5, mean)),
          ...buildGroup('non_binary', 5, draw(5, mean)),
        );
      const exact = compareGroups(groups, { selection: 'placed', of: 'matched' }, all.length);
      const compared = findTable(await build(all)).groups.filter(({ impact_ratio }) => impact_ratio !== null);
      given += Number(compared.length === 2 && compared.some(hasFinding));
      if (!exact.some(({ flag }) => flag === 'significant')) continue;
      found++;
      shown += Number(compared.some((row) => hasFinding(row) && row.flag === 'significant'));
    }
    // The few others have fewer than ten chosen people in all.
    expect(given / 300).toBeGreaterThanOrEqual(0.95);
    // With this power, the test alone finds about four of five.
    expect(found / 300).toBeGreaterThan(0.6);
    expect(found / 300).toBeLessThan(0.95);
    expect(shown / found).toBeGreaterThanOrEqual(0.95);
  },
);

function hasFinding({ impact_ratio, ratio_from, ratio_to, fisher_p, holm_p, flag }: GroupRate): boolean {
  return [impact_ratio, ratio_from, ratio_to, fisher_p, holm_p, flag].every((each) => each !== null);
}

const genders = ['woman', 'man', 'non_binary', 'another', null] as const;

/** People of groups of any size, whom an organisation treats in any way, group by group or not. */
const anybody = fc
  .array(fc.record({ gender: fc.nat(4), tier: fc.nat(3), furthest: fc.nat(3), people: fc.nat(40) }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((kinds) =>
    kinds.flatMap(({ gender, tier, furthest, people }) =>
      repeat(people, (): Person => ({ gender: genders[gender]!, tier, furthest })),
    ),
  );

type Counted = { readonly stage: string; readonly has: (person: Person) => boolean };

/** Lists the people of each stage as the report counts them. */
function listStages(people: readonly Person[]): readonly Counted[] {
  const median = findMedianTier(people.map(toRow));
  return [
    { stage: 'org_interested', has: ({ furthest = 0 }) => furthest >= 1 },
    { stage: 'member_accepted', has: ({ furthest = 0 }) => furthest >= 2 },
    { stage: 'placed', has: ({ furthest = 0 }) => furthest >= 3 },
    { stage: 'rated_strong', has: ({ tier = 0 }) => tier >= 2 },
    { stage: 'above_median', has: ({ tier = 0 }) => tier > median },
  ];
}

test('no number of a table, no difference of two of a row, and nothing that is left of a sum is about fewer than ten people', async () => {
  await fc.assert(
    fc.asyncProperty(anybody, async (people) => {
      const tables = await build(people);
      const stages = listStages(people);
      const rows = findTable(tables).groups;
      expect(rows.reduce((sum, row) => sum + row.people!, 0)).toBe(rows.length === 0 ? 0 : people.length);
      for (const { group, may_include_others } of rows) {
        const isIn = ({ gender }: Person) => {
          const name = gender ?? 'not_stated';
          const isShown = rows.some((row) => row.group === name);
          return isShown ? name === group : group === 'other_groups' || may_include_others;
        };
        const own = people.filter(isIn);
        const shown = stages.filter(
          ({ stage }) =>
            tables.comparisons.find((each) => each.attribute === 'gender' && each.selection === stage)!.of ===
              'matched' && findRow(tables, group, stage)!.selected !== null,
        );
        for (const { stage, has } of shown)
          expect(findRow(tables, group, stage)!.selected).toBe(own.filter(has).length);
        const known = [...shown, { stage: 'nobody', has: () => false }, { stage: 'all', has: () => true }];
        for (const one of shown)
          for (const other of known) {
            const isApart = (person: Person) => one.has(person) !== other.has(person);
            if (!people.some(isApart)) continue;
            expect(own.filter(isApart).length).toBeGreaterThanOrEqual(10);
          }
      }
      for (const { stage, has } of stages) {
        const table = findTable(tables, stage);
        const hidden = table.groups.filter(({ selected }) => selected === null);
        expect(table.of !== 'matched' || !table.is_approximate || hidden.length >= 2).toBe(true);
        expect(tables.totals[stage as 'placed']).toBe(people.filter(has).length);
      }
    }),
    { numRuns: 300 },
  );
});
