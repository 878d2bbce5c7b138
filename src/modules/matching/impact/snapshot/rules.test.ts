import { expect, test } from 'vitest';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { traitCodes } from '#modules/measurement/traits';
import {
  identityAnswers,
  identityAttributes,
  type IdentityAttribute,
} from '#modules/people/self-identification';
import {
  addToCensus,
  createCensus,
  everyone,
  findMeasuredMembers,
  hasEnoughNewcomers,
  isLookPossible,
  listComparable,
  measureGroups,
  type Look,
  type StatedMember,
} from './rules.ts';

type Person = Omit<StatedMember, 'was_counted'>;

/** A person whose first trait is one of a kind, so that the means of a group say who is in it. */
function createPerson(random: Random, value: number): Person {
  const saysNothing = random() < 0.2;
  const pick = (attribute: IdentityAttribute) => {
    const answers = identityAnswers[attribute];
    if (saysNothing) return null;
    // The first answers are the most frequent ones, and every fifth person says nothing.
    const place = Math.floor(random() ** 2 * answers.length * 1.25);
    return answers[place] ?? null;
  };
  return {
    mark: [1, 2]
      .map(() =>
        Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      )
      .join(''),
    mean: traitCodes.map((_, slot) => (slot === 0 ? value : 0)),
    variance: traitCodes.map(() => 0.2),
    ...(Object.fromEntries(identityAttributes.map((attribute) => [attribute, pick(attribute)])) as Record<
      IdentityAttribute,
      string | null
    >),
  };
}

const buildMonth = (index: number) => new Date(Date.UTC(2026, index, 3));

function measurePeople(
  people: readonly Person[],
  counted: Set<string>,
  before: Look | undefined,
  now: Date,
  version = '1',
) {
  const census = createCensus();
  for (const person of people) addToCensus(census, { ...person, was_counted: counted.has(person.mark) });
  if (!hasEnoughNewcomers(before, census)) return before;
  const { look: after, marks } = measureGroups(census, before, { now, version });
  for (const mark of marks) counted.add(mark);
  return after;
}

/** A measurement of a group that was published, and who is in it by the rule. */
type Published = { readonly name: string; readonly people: ReadonlySet<string> };

test('over years of growth, changes and withdrawals, each group has at least fifty people who are in nothing that was measured before it, so that no sum or difference is about fewer', () => {
  const random = createSeededRandom(11);
  let people: Person[] = [];
  const counted = new Set<string>();
  const published: Published[] = [];
  let before: Look | undefined;
  for (const [index, coming] of [900, 2, 40, 300, 0, 1, 700, 49, 51, 260, 400, 3].entries()) {
    const moved = people
      .filter(() => random() > 0.03)
      .map((person) => {
        const { gender, age_band } = createPerson(random, 0);
        return random() < 0.02 ? { ...person, gender, age_band } : person;
      });
    people = [...moved, ...Array.from({ length: coming }, () => createPerson(random, random()))];
    const earlier = new Set(counted);
    const after = measurePeople(people, counted, before, buildMonth(index));
    for (const [place, attribute] of ([...identityAttributes, everyone] as const).entries())
      for (const [group, { measured_on, people: size, mean }] of Object.entries(
        after?.groups[attribute] ?? {},
      )) {
        if (after === before || measured_on !== buildMonth(index).toISOString().slice(0, 10)) continue;
        const inside = people.filter((person) => {
          const stated = identityAttributes.filter((each) => person[each] !== null);
          if (attribute === everyone) return earlier.has(person.mark) || stated.length === 0;
          const drawn = stated[Number.parseInt(person.mark.slice(0, 8), 16) % stated.length]!;
          const isIn = earlier.has(person.mark) || identityAttributes.indexOf(drawn) <= place;
          return person[attribute] === group && isIn;
        });
        expect(size).toBe(inside.length);
        expect(mean[0]).toBeCloseTo(inside.reduce((sum, { mean: [value] }) => sum + value!, 0) / size, 4);
        published.push({
          name: `${index} ${attribute} ${group}`,
          people: new Set(inside.map(({ mark }) => mark)),
        });
      }
    before = after;
  }
  expect(published.length).toBeGreaterThan(12);
  expect(published.filter(({ name }) => name.includes(everyone)).length).toBeGreaterThan(2);
  const readLook = (name: string) => name.split(' ').slice(0, 2).join(' ');
  const seen = new Set<string>();
  for (const [place, each] of published.entries()) {
    const own = [...each.people].filter((mark) => !seen.has(mark));
    expect([each.name, own.length >= 50]).toEqual([each.name, true]);
    // Groups of one attribute and look have nobody in common; everything else comes before or after.
    if (readLook(published[place + 1]?.name ?? '') !== readLook(each.name))
      for (const other of published.filter(({ name }) => readLook(name) === readLook(each.name)))
        for (const mark of other.people) seen.add(mark);
  }
  for (let attempt = 0; attempt < 300; attempt++) {
    const factors = new Map<string, number>();
    for (const { people: some } of published) {
      const factor = random() < 0.8 ? 0 : Math.floor(random() * 5) - 2;
      for (const mark of some) factors.set(mark, (factors.get(mark) ?? 0) + factor);
    }
    const about = [...factors.values()].filter((factor) => factor !== 0).length;
    expect(about === 0 || about >= 50).toBe(true);
  }
});

test('fewer than fifty newcomers change nothing, even if others leave or answer otherwise, and a month is looked at once', () => {
  const random = createSeededRandom(12);
  const people = Array.from({ length: 2_000 }, () => createPerson(random, random()));
  const counted = new Set<string>();
  const first = measurePeople(people, counted, undefined, buildMonth(0));
  expect(Object.keys(first?.groups.gender ?? {}).length).toBeGreaterThanOrEqual(2);
  const changed = people.slice(10).map((person) => ({ ...person, gender: person.gender && 'another' }));
  const few = Array.from({ length: 49 }, () => createPerson(random, random()));
  expect(measurePeople([...changed, ...few], counted, first, buildMonth(1))).toBe(first);
  expect(isLookPossible(first, buildMonth(0))).toBe(false);
  expect(isLookPossible(first, buildMonth(1))).toBe(true);
  expect(isLookPossible(undefined, buildMonth(0))).toBe(true);
});

test('only groups that were measured with the same parameters are compared, and one alone is not', () => {
  const random = createSeededRandom(13);
  const draw = (size: number, gender: string) =>
    Array.from({ length: size }, () => ({ ...createPerson(random, random()), gender }));
  const counted = new Set<string>();
  const women = draw(400, 'woman');
  const alone = measurePeople(women, counted, undefined, buildMonth(0))!;
  expect(listComparable(alone.groups).map(({ attribute }) => attribute)).not.toContain('gender');
  const men = draw(400, 'man');
  const both = measurePeople([...women, ...men], counted, alone, buildMonth(1))!;
  const gender = listComparable(both.groups).find(({ attribute }) => attribute === 'gender')!;
  expect([...gender.groups.keys()]).toEqual(['woman', 'man']);
  const calibrated = measurePeople(
    [...women, ...men, ...draw(400, 'non_binary')],
    counted,
    both,
    buildMonth(2),
    '2',
  )!;
  expect(listComparable(calibrated.groups).map(({ attribute }) => attribute)).not.toContain('gender');
});

test('the largest measurement stands for the members: everyone, or the groups of an attribute', () => {
  const random = createSeededRandom(14);
  const draw = (size: number, gender: string | null) =>
    Array.from({ length: size }, () => ({
      ...createPerson(random, random()),
      ...(Object.fromEntries(identityAttributes.map((each) => [each, null])) as Record<
        IdentityAttribute,
        null
      >),
      gender,
    }));
  const counted = new Set<string>();
  expect(findMeasuredMembers({})).toBeUndefined();
  const silent = draw(60, null);
  const first = measurePeople(silent, counted, undefined, buildMonth(0))!;
  expect(findMeasuredMembers(first.groups)!.groups.map(({ people }) => people)).toEqual([60]);
  const stated = [...draw(80, 'woman'), ...draw(70, 'man')];
  const second = measurePeople([...silent, ...stated], counted, first, buildMonth(1))!;
  expect(findMeasuredMembers(second.groups)!.groups.map(({ people }) => people)).toEqual([80, 70]);
  const more = draw(50, null);
  const third = measurePeople([...silent, ...stated, ...more], counted, second, buildMonth(2))!;
  expect(findMeasuredMembers(third.groups)!.groups.map(({ people }) => people)).toEqual([260]);
});
