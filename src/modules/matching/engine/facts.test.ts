import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryJobTerms, arbitraryMemberTerms, openTerms } from '#test/modules/random-population.ts';
import { defaultMemberTerms } from './population.ts';
import { areCompatible } from './terms.ts';
import { readLeastSd, mayBeCompatible, packFacts, packFilter } from './facts.ts';

it('never shuts out whom the whole record lets in', () => {
  let let_in = 0;
  fc.assert(
    fc.property(arbitraryJobTerms, arbitraryMemberTerms, (job, member) => {
      if (!areCompatible(job, member)) return;
      let_in += 1;
      expect(mayBeCompatible(packFilter(job), ...packFacts(member, 0.2))).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(let_in).toBeGreaterThan(500);
});

it('shuts out nearly all whom the whole record shuts out', () => {
  const counts = { out: 0, passed: 0 };
  fc.assert(
    fc.property(arbitraryJobTerms, arbitraryMemberTerms, (job, member) => {
      if (areCompatible(job, member)) return;
      counts.out += 1;
      if (mayBeCompatible(packFilter(job), ...packFacts(member, 0.2))) counts.passed += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(counts.passed / counts.out).toBeLessThan(0.05);
});

it('keeps salaries in order up to the largest, and countries and currencies apart', () => {
  const wants = (salary_min: number, salary_currency: string) =>
    packFacts({ ...defaultMemberTerms, salary_min, salary_currency }, 0);
  const pays = (salary_max: number, salary_currency: string) =>
    packFilter({ ...openTerms, salary_max, salary_currency });
  expect(mayBeCompatible(pays(100_000, 'AUD'), ...wants(110_000, 'AUD'))).toBe(false);
  expect(mayBeCompatible(pays(100_000, 'AUD'), ...wants(110_000, 'AUE'))).toBe(true);
  expect(mayBeCompatible(pays(0, 'ZZZ'), ...wants(1_000_000_000, 'ZZZ'))).toBe(false);
  const lives = packFacts({ ...defaultMemberTerms, location_country: 'ZZ' }, 0);
  const asks = (country: string) =>
    packFilter({ ...openTerms, constraints: { location_countries: [country] } });
  expect(mayBeCompatible(asks('ZZ'), ...lives)).toBe(true);
  for (const country of ['ZY', 'AA', 'AZ']) expect(mayBeCompatible(asks(country), ...lives)).toBe(false);
});

it('rounds the least standard deviation down', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 9, noNaN: true }), (variance) => {
      const kept = readLeastSd(packFacts(defaultMemberTerms, variance)[0]);
      expect(kept).toBeLessThanOrEqual(Math.sqrt(variance));
      expect(kept).toBeGreaterThan(Math.min(Math.sqrt(variance), 2) - 1 / 100);
    }),
  );
});
