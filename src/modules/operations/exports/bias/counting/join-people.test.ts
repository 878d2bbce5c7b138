import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUpKinds, findMedianTier, type CountedPeople } from './kinds.ts';
import { buildMarks, joinPeople, type SeenCounts } from './join-people.ts';
import { buildCounts, mayReplace, type BiasCounts } from './release-rules.ts';
import { mark_bytes, type MarkedPeople } from './store-people.ts';

/** A person as two reports may find them: not at all, matched, chosen, or accepted, with a tier. */
type Found = { readonly furthest: number; readonly tier: number };
type Person = {
  readonly gender: string | null;
  readonly earlier?: Found | undefined;
  readonly later?: Found | undefined;
};

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
  people: 1,
};

function buildRows(people: readonly Person[], when: 'earlier' | 'later'): readonly MarkedPeople[] {
  return people.flatMap(({ gender, [when]: found }, index) => {
    const marks = createHash('sha256').update(String(index)).digest().subarray(0, mark_bytes);
    return found ? [{ ...person, gender, ...found, marks }] : [];
  });
}

const versions = { parameter_version: null, policy_version: 1 };

async function countFirst(people: readonly Person[]): Promise<SeenCounts & { readonly counts: BiasCounts }> {
  const rows = buildRows(people, 'earlier');
  return { counts: await buildCounts(addUpKinds(rows), versions), people: buildMarks(rows) };
}

/** Counts again, as the second report shows it: beside the first one, or as if that did not exist. */
function countAgain(people: readonly Person[], seen: readonly SeenCounts[]): Promise<BiasCounts> {
  const rows = buildRows(people, 'later');
  const kinds = addUpKinds(rows);
  const median = findMedianTier(Object.values(kinds.gender));
  return buildCounts(
    kinds,
    versions,
    seen.map((each) => joinPeople(rows, each, median)),
  );
}

const [lower, strong] = [1, 2];
const repeat = (count: number, made: Person): readonly Person[] => Array.from({ length: count }, () => made);

/** In March, forty women and forty men are rated strong. In April, all of them but Ada are chosen, and there are many new ones. */
const buildAttack = (ada: string): readonly Person[] => [
  { gender: ada, earlier: { furthest: 0, tier: strong }, later: { furthest: 0, tier: strong } },
  ...['woman', 'man'].flatMap((gender) => [
    ...repeat(gender === ada ? 39 : 40, {
      gender,
      earlier: { furthest: 0, tier: strong },
      later: { furthest: 1, tier: strong },
    }),
    ...repeat(40, { gender, earlier: { furthest: 0, tier: lower }, later: { furthest: 0, tier: lower } }),
    ...repeat(20, { gender, later: { furthest: 0, tier: strong } }),
    ...repeat(20, { gender, later: { furthest: 0, tier: lower } }),
  ]),
];

test('choosing all people of an earlier column but one does not show the group of that one in the next report', async () => {
  const subtract = async (gender: string, ada: string, isBeside: boolean) => {
    const people = buildAttack(ada);
    const first = await countFirst(people);
    const second = await countAgain(people, isBeside ? [first] : []);
    const [then, now] = [
      first.counts.shown.gender[gender]!.rated_strong,
      second.shown.gender[gender]!.org_interested,
    ];
    return then === null || now === null ? null : then - now;
  };
  // Each report alone hides nothing: the difference is Ada.
  expect([await subtract('woman', 'woman', false), await subtract('man', 'woman', false)]).toEqual([1, 0]);
  for (const ada of ['woman', 'man'])
    expect([await subtract('woman', ada, true), await subtract('man', ada, true)]).toEqual([null, null]);
});

test('ten new people of one group do not follow from the difference of two reports', async () => {
  const settled = ['woman', 'man'].flatMap((gender) =>
    repeat(40, { gender, earlier: { furthest: 0, tier: lower }, later: { furthest: 0, tier: lower } }),
  );
  const add = (women: number, men: number) => [
    ...settled,
    ...repeat(women, { gender: 'woman', later: { furthest: 0, tier: lower } }),
    ...repeat(men, { gender: 'man', later: { furthest: 0, tier: lower } }),
  ];
  const isReplaced = async (people: readonly Person[]) => {
    const first = await countFirst(people);
    return mayReplace(first.counts, await countAgain(people, [first]));
  };
  expect(await Promise.all([add(12, 0), add(12, 1), add(12, 12)].map(isReplaced))).toEqual([
    false,
    false,
    true,
  ]);
});

test('two people who change places are not shown to be of one group', async () => {
  const settled = ['woman', 'man'].flatMap((gender) =>
    repeat(40, { gender, earlier: { furthest: 0, tier: lower }, later: { furthest: 0, tier: lower } }),
  );
  const buildSwap = (other: string): readonly Person[] => [
    ...settled,
    { gender: 'woman', earlier: { furthest: 0, tier: lower } },
    { gender: other, later: { furthest: 0, tier: lower } },
  ];
  const isReplaced = async (people: readonly Person[]) => {
    const first = await countFirst(people);
    return mayReplace(first.counts, await countAgain(people, [first]));
  };
  expect(await Promise.all([buildSwap('woman'), buildSwap('man'), settled].map(isReplaced))).toEqual([
    false,
    false,
    true,
  ]);
});

const anyFound = fc.option(fc.record({ furthest: fc.nat(2), tier: fc.constantFrom(lower, strong) }), {
  nil: undefined,
});

/** Groups of people who do the same, some of them small. */
const anyPeople = fc
  .array(
    fc.record({
      gender: fc.constantFrom('woman', 'man', 'non_binary', null),
      earlier: anyFound,
      later: anyFound,
      count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 10, max: 60 })),
    }),
    { minLength: 4, maxLength: 24 },
  )
  .map((parts) => parts.flatMap(({ count, ...made }) => repeat(count, made)));

const stages = ['matched', 'rated_strong', 'org_interested', 'member_accepted'] as const;
const isIn = (found: Found | undefined, stage: (typeof stages)[number]) =>
  found !== undefined &&
  {
    matched: true,
    rated_strong: found.tier >= strong,
    org_interested: found.furthest >= 1,
    member_accepted: found.furthest >= 2,
  }[stage];

/** Every sum and difference of up to two numbers of each report. */
const factors = [-1, 0, 1];
const sums = stages.flatMap((one, place) =>
  stages
    .slice(place + 1)
    .flatMap((other) => factors.flatMap((a) => factors.map((b) => ({ [one]: a, [other]: b })))),
) as readonly Readonly<Partial<Record<(typeof stages)[number], number>>>[];

const addUp = (sum: (typeof sums)[number], found: Found | undefined) =>
  stages.reduce((total, stage) => total + (isIn(found, stage) ? (sum[stage] ?? 0) : 0), 0);

const listNeeded = (sum: (typeof sums)[number]) => stages.filter((stage) => (sum[stage] ?? 0) !== 0);

test('every sum and difference of two reports is about ten people of the group or more, and about ten others', async () => {
  await fc.assert(
    fc.asyncProperty(anyPeople, async (people) => {
      const first = await countFirst(people);
      const second = await countAgain(people, [first]);
      const groups = ['woman', 'man', 'non_binary', 'not_stated'];
      const smallest = groups.flatMap((group) => {
        const isShown = (counts: BiasCounts, sum: (typeof sums)[number]) =>
          listNeeded(sum).every((stage) => counts.shown.gender[group]![stage] !== null) &&
          counts.shown.gender[group]!.matched !== 0;
        const [early, late] = [
          sums.filter((sum) => isShown(first.counts, sum)),
          sums.filter((sum) => listNeeded(sum).length > 0 && isShown(second, sum)),
        ];
        return early.flatMap((then) =>
          late.map((now) => {
            const concerned = people.filter(
              (each) => addUp(then, each.earlier) + addUp(now, each.later) !== 0,
            );
            const inside = concerned.filter(({ gender }) => (gender ?? 'not_stated') === group).length;
            return concerned.length === 0 ? Infinity : Math.min(inside, concerned.length - inside);
          }),
        );
      });
      expect(Math.min(Infinity, ...smallest)).toBeGreaterThanOrEqual(10);
    }),
    { numRuns: 150 },
  );
});
