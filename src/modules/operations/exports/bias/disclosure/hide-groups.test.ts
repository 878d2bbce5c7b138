import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countColumn, isAboutEnough, sumTallies, type Tally } from './count-bases.ts';
import { hideSmallGroups, listBits } from './hide-groups.ts';

const smallest = 10;

/** Three columns: all people, those rated strong, and those chosen. Each is shown alone. */
const [all, strong, chosen] = [1, 2, 4] as const;
const bundles = [all, strong, chosen];

const buildTally = (kinds: readonly (readonly [number, number])[]): Tally => new Map(kinds);

test('a group of fewer than ten people is hidden, and so is the one from which it would follow', () => {
  const groups = new Map(
    Object.entries({ woman: 40, man: 50, non_binary: 3, not_stated: 60 }).map(([group, people]) => [
      group,
      buildTally([[all, people]]),
    ]),
  );
  const shown = hideSmallGroups(groups, [all], smallest);
  expect(Object.fromEntries(shown)).toEqual({ woman: 0, man: 1, non_binary: 0, not_stated: 1 });
});

test('a column in which everybody or nearly nobody of a group is, is hidden', () => {
  const groups = new Map([
    [
      'yes',
      buildTally([
        [all, 1],
        [all | chosen, 29],
      ]),
    ],
    [
      'no',
      buildTally([
        [all, 15],
        [all | chosen, 15],
      ]),
    ],
    [
      'not_stated',
      buildTally([
        [all, 20],
        [all | chosen, 20],
      ]),
    ],
  ]);
  const shown = hideSmallGroups(groups, [all, chosen], smallest);
  expect(shown.get('yes')).toBe(all);
  expect([...shown.values()].filter((columns) => columns & chosen).length).toBeLessThan(2);
});

test('an organisation that chooses all strong people but one learns nothing about the group of that one', () => {
  const build = (left_out: number) =>
    new Map([
      [
        'woman',
        buildTally([
          [all, 40],
          [all | strong | chosen, 40 - left_out],
          [all | strong, left_out],
        ]),
      ],
      [
        'man',
        buildTally([
          [all, 40],
          [all | strong | chosen, 40],
        ]),
      ],
    ]);
  const [attacked, honest] = [
    hideSmallGroups(build(1), bundles, smallest),
    hideSmallGroups(build(0), bundles, smallest),
  ];
  // Strong people less chosen people is Ada: both numbers together are not shown.
  expect(
    [...attacked.values()].filter((columns) => (columns & strong) !== 0 && (columns & chosen) !== 0),
  ).toEqual([]);
  expect([...honest.values()]).toEqual([7, 7]);
});

test('a sum of several columns that leaves one person is not shown either', () => {
  // All people are in one of three parts, but for one.
  const [one, two, three] = [2, 4, 8] as const;
  const group = (rest: number) =>
    buildTally([
      [all | one, 20],
      [all | two, 20],
      [all | three, 20],
      [all, rest],
    ]);
  const show = (rest: number) =>
    hideSmallGroups(
      new Map([
        ['woman', group(rest)],
        ['man', group(0)],
      ]),
      [all, one | two | three],
      smallest,
    );
  expect([...show(1).values()]).toEqual([all, all]);
  expect([...show(0).values()]).toEqual([15, 15]);
});

/** Nobody, a few, or many. */
const anyCount = fc.oneof(fc.constant(0), fc.nat(12), fc.nat(60));

const anyTally = fc
  .tuple(anyCount, anyCount, anyCount, anyCount)
  .map(([neither, onlyStrong, onlyChosen, both]) =>
    buildTally([
      [all, neither],
      [all | strong, onlyStrong],
      [all | chosen, onlyChosen],
      [all | strong | chosen, both],
    ]),
  );

const anyTable = fc
  .array(anyTally, { minLength: 2, maxLength: 6 })
  .map((tallies) => new Map(tallies.map((tally, place) => [`group_${place}`, tally])))
  .map((groups) => new Map([...groups].filter(([, tally]) => countColumn(tally, all) > 0)));

/** Every combination of the three columns with factors from -2 to 2. */
const combinations = [-2, -1, 0, 1, 2].flatMap((a) =>
  [-2, -1, 0, 1, 2].flatMap((b) => [-2, -1, 0, 1, 2].map((c) => [a, b, c] as const)),
);

/** Counts the people whom a combination of columns is about. */
function countConcerned(tally: Tally, factors: readonly number[]): number {
  let people = 0;
  for (const [kind, count] of tally) {
    const factor = bundles.reduce((sum, column, place) => sum + (kind & column ? factors[place]! : 0), 0);
    if (factor !== 0) people += count;
  }
  return people;
}

test('every sum and difference of what is shown is about ten people of the group or more, and about ten others', () => {
  fc.assert(
    fc.property(anyTable, (groups) => {
      const shown = hideSmallGroups(groups, bundles, smallest);
      const everybody = sumTallies(groups.values());
      const numbers: number[] = [];
      for (const factors of combinations) {
        const needed = bundles.reduce((bits, column, place) => bits | (factors[place] === 0 ? 0 : column), 0);
        if (needed === 0 || countConcerned(everybody, factors) === 0) continue;
        const showing = [...groups].filter(([group]) => (shown.get(group)! & needed) === needed);
        const hidden = [...groups].filter(([group]) => (shown.get(group)! & needed) !== needed);
        if (showing.length === 0) continue;
        const total = countConcerned(everybody, factors);
        const people = showing.map(([, tally]) => countConcerned(tally, factors));
        numbers.push(...people, ...people.map((count) => total - count));
        if (hidden.length === 0) continue;
        numbers.push(hidden.reduce((sum, [, tally]) => sum + countConcerned(tally, factors), 0));
        // What follows about a single hidden group would be its number.
        if (hidden.length === 1) numbers.push(0);
      }
      expect(Math.min(Infinity, ...numbers)).toBeGreaterThanOrEqual(smallest);
    }),
    { numRuns: 300 },
  );
});

test('large groups are shown as a whole', () => {
  const large = buildTally([
    [all, 50],
    [all | strong, 50],
    [all | chosen, 50],
    [all | strong | chosen, 50],
  ]);
  const shown = hideSmallGroups(
    new Map([
      ['woman', large],
      ['man', large],
    ]),
    bundles,
    smallest,
  );
  expect([...shown.values()]).toEqual([7, 7]);
});

test('bases are never counted twice: as many as people outside of the emptiest plane, or fewer', () => {
  fc.assert(
    fc.property(anyTally, fc.integer({ min: 1, max: 20 }), (tally, least) => {
      if (!isAboutEnough(tally, tally, 7, least)) return;
      const concerned = combinations
        .map((factors) => countConcerned(tally, factors))
        .filter((people) => people > 0);
      expect(Math.min(Infinity, ...concerned)).toBeGreaterThanOrEqual(least);
    }),
  );
});

test('a set of columns is the sum of its bits', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 18 - 1), (columns) => {
      expect(listBits(columns).reduce((sum, bit) => sum + bit, 0)).toBe(columns);
    }),
  );
});
