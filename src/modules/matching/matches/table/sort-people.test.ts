import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchQualities } from '#modules/matching/engine';
import { tableSorts, turns } from './rules.ts';
import { selectFollowing, sortPeople, type SortedPerson } from './sort-people.ts';

const nobody = {
  match_quality: 'strong',
  priorities: null,
  is_new: false,
  waits_for: null,
  labels: [],
} as const;

const buildPriorities = (...states: NonNullable<SortedPerson['priorities']>[number]['state'][]) =>
  states.map((state) => ({ state, standing: null, side: null }));

test('what is probable stands between what is clear and what is open', () => {
  const buildLikely = (side: 'above' | 'below') => [{ state: 'unclear', standing: 'likely', side } as const];
  const people: readonly SortedPerson[] = [
    { ...nobody, id: 'a', priorities: buildPriorities('growth') },
    { ...nobody, id: 'b', priorities: buildLikely('below') },
    { ...nobody, id: 'c', priorities: buildPriorities('unclear') },
    { ...nobody, id: 'd', priorities: buildLikely('above') },
    { ...nobody, id: 'e', priorities: buildPriorities('strength') },
  ];
  expect(sortPeople(people, 'asked').map(([, , id]) => id)).toEqual(['e', 'd', 'c', 'b', 'a']);
});

test('each order follows the words that are shown, and equal people stay in the order of the list', () => {
  const people: readonly SortedPerson[] = [
    { ...nobody, id: 'a' },
    { ...nobody, id: 'b', priorities: buildPriorities('growth', 'strength'), labels: ['Zebra'] },
    {
      ...nobody,
      id: 'c',
      priorities: buildPriorities('strength', 'unclear'),
      is_new: true,
      waits_for: 'member',
      labels: ['apple'],
    },
    { ...nobody, id: 'd', priorities: buildPriorities('strength', 'strength'), waits_for: 'organisation' },
    {
      ...nobody,
      id: 'e',
      match_quality: 'exceptional',
      priorities: buildPriorities('strength', 'unclear'),
      is_new: true,
    },
  ];
  const listIds = (sort: (typeof tableSorts)[number]) =>
    sortPeople(people, sort)
      .map(([, , id]) => id)
      .join('');
  expect(listIds('fit')).toBe('eabcd');
  expect(listIds('asked')).toBe('decba');
  expect(listIds('new')).toBe('ecabd');
  expect(listIds('waiting')).toBe('dceab');
  expect(listIds('labels')).toBe('cbead');
});

const person: fc.Arbitrary<SortedPerson> = fc.record({
  id: fc.uuid(),
  match_quality: fc.constantFrom(...matchQualities),
  priorities: fc.option(
    fc.array(
      fc.record({
        state: fc.constantFrom('strength', 'unclear', 'growth', 'not_described'),
        standing: fc.constantFrom('clear', 'likely', 'open', null),
        side: fc.constantFrom('above', 'below', null),
      }),
      { maxLength: 2 },
    ),
  ),
  is_new: fc.boolean(),
  waits_for: fc.constantFrom(null, ...turns),
  labels: fc.array(fc.constantFrom('apple', 'Zebra'), { maxLength: 2 }),
});
const people = fc.uniqueArray(person, { selector: ({ id }) => id, maxLength: 40 });

test('pages of any length lead through all people once, and those whose place has gone are left out of no page', () => {
  fc.assert(
    fc.property(
      people,
      fc.constantFrom(...tableSorts),
      fc.integer({ min: 1, max: 7 }),
      (all, sort, rows_max) => {
        const sorted = sortPeople(all, sort);
        const seen = [];
        for (let page = sorted.slice(0, rows_max); page.length > 0;) {
          seen.push(...page);
          // The person who was the last one of the page is decided on, and leaves the list.
          const others = sorted.filter((place) => place !== page.at(-1));
          page = selectFollowing(others, page.at(-1)).slice(0, rows_max);
        }
        expect(seen).toEqual(sorted);
      },
    ),
  );
});

test('people of one tier with the same words have the order of their random ids, and say nothing else', () => {
  fc.assert(
    fc.property(people, fc.constantFrom(...tableSorts), (all, sort) => {
      const alike = all.map(({ id }) => ({ ...nobody, id }));
      const ids = sortPeople(alike, sort).map(([, , id]) => id);
      expect(ids).toEqual(all.map(({ id }) => id).toSorted());
    }),
  );
});
