import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildFilter, computeBand, isOutdated } from './rules.ts';

test('a band contains about the number, and fewer than twenty people are always one band', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.nat({ max: 100_000_000 }), chance, (people, place) => {
      const { at_least, less_than } = computeBand(people, place);
      expect(at_least * 0.85).toBeLessThanOrEqual(people);
      expect(people).toBeLessThan(less_than * 1.18);
      expect([0, 1, 2, 5]).toContain(at_least === 0 ? 0 : Number(String(at_least)[0]));
    }),
  );
  for (const people of [0, 1, 17]) expect(computeBand(people, 1)).toEqual({ at_least: 0, less_than: 20 });
  expect(computeBand(60, 0.5)).toEqual({ at_least: 50, less_than: 100 });
  expect(computeBand(1_000, 0.5)).toEqual({ at_least: 1_000, less_than: 2_000 });
});

test('more people never have a lower band', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (one, other, chance) => {
      const find = (people: number) => computeBand(people, chance).at_least;
      expect(find(Math.max(one, other))).toBeGreaterThanOrEqual(find(Math.min(one, other)));
    }),
  );
});

test('a condition selects its level and those above', () => {
  expect(
    buildFilter({ education_level_min: 'masters', years_experience_min: 70 }, 'negative_vetting_2'),
  ).toEqual({
    countries: null,
    states: null,
    years_min: 40,
    education_levels: ['masters', 'doctorate'],
    clearances: ['negative_vetting_2', 'positive_vetting'],
  });
});

test('a count is outdated after ten minutes', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  expect(isOutdated(undefined, now)).toBe(true);
  expect(isOutdated(new Date('2026-03-02T08:50:00Z'), now)).toBe(false);
  expect(isOutdated(new Date('2026-03-02T08:49:59Z'), now)).toBe(true);
});
