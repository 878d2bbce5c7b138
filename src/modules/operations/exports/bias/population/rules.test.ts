import { expect, test } from 'vitest';
import {
  countGroupPeople,
  countAllAssessed,
  countAssessed,
  isPopulationDue,
  type PopulationRelease,
} from './rules.ts';

const nobody = { gender: null, age_band: null, ethnicity: null, disability: null };
const count = (women: number, others: number): PopulationRelease => ({
  released_at: new Date('2026-03-02'),
  counts: {
    people: countGroupPeople([
      { ...nobody, gender: 'woman', people: women },
      { ...nobody, people: others },
    ]),
    precision: [],
    items: [],
  },
});

test('members are counted in tens, and a group of fewer than fifty is not', () => {
  expect(countAssessed(count(74, 100), 'gender', 'woman')).toBe(70);
  expect(countAssessed(count(49, 100), 'gender', 'woman')).toBeNull();
  expect(countAllAssessed(count(74, 102))).toBe(180);
  expect(countAllAssessed(undefined)).toBeNull();
});

test('members are counted again in another month, and when fifty more have come', () => {
  const countLater = (women: number) => count(women, 100).counts.people;
  expect(isPopulationDue(count(80, 100), countLater(130), new Date('2026-03-31'))).toBe(false);
  expect(isPopulationDue(count(80, 100), countLater(129), new Date('2026-04-01'))).toBe(false);
  expect(isPopulationDue(count(80, 100), countLater(130), new Date('2026-04-01'))).toBe(true);
});
