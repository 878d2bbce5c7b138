import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryJobTerms, arbitraryMemberTerms, openTerms } from '#test/modules/random-population.ts';
import { mayBeCompatible, packFacts, packFilter, readLeastSd } from './facts.ts';
import { defaultMemberTerms } from './population.ts';
import { areCompatible } from './terms.ts';

it('never excludes a member whom the full record includes', () => {
  let included = 0;
  fc.assert(
    fc.property(arbitraryJobTerms, arbitraryMemberTerms, (job, member) => {
      if (!areCompatible(job, member)) return;
      included += 1;
      expect(mayBeCompatible(packFilter(job), ...packFacts(member, 0.2))).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(included).toBeGreaterThan(500);
});

it('excludes nearly all members whom the full record excludes', () => {
  const counts = { excluded: 0, passed: 0 };
  fc.assert(
    fc.property(arbitraryJobTerms, arbitraryMemberTerms, (job, member) => {
      if (areCompatible(job, member)) return;
      counts.excluded += 1;
      if (mayBeCompatible(packFilter(job), ...packFacts(member, 0.2))) counts.passed += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(counts.passed / counts.excluded).toBeLessThan(0.05);
});

it('preserves the order of salaries up to the largest, and distinguishes countries and currencies', () => {
  const packMinimum = (salary_min: number, salary_currency: string) =>
    packFacts({ ...defaultMemberTerms, salary_min, salary_currency }, 0);
  const packMaximum = (salary_max: number, salary_currency: string) =>
    packFilter({ ...openTerms, salary_max, salary_currency });
  expect(mayBeCompatible(packMaximum(100_000, 'AUD'), ...packMinimum(110_000, 'AUD'))).toBe(false);
  expect(mayBeCompatible(packMaximum(100_000, 'AUD'), ...packMinimum(110_000, 'AUE'))).toBe(true);
  expect(mayBeCompatible(packMaximum(0, 'ZZZ'), ...packMinimum(1_000_000_000, 'ZZZ'))).toBe(false);
  const memberFacts = packFacts({ ...defaultMemberTerms, location_country: 'ZZ' }, 0);
  const packCountry = (country: string) =>
    packFilter({ ...openTerms, constraints: { location_countries: [country] } });
  expect(mayBeCompatible(packCountry('ZZ'), ...memberFacts)).toBe(true);
  for (const country of ['ZY', 'AA', 'AZ'])
    expect(mayBeCompatible(packCountry(country), ...memberFacts)).toBe(false);
});

it('rounds the least standard deviation down', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 9, noNaN: true }), (variance) => {
      const least = readLeastSd(packFacts(defaultMemberTerms, variance)[0]);
      expect(least).toBeLessThanOrEqual(Math.sqrt(variance));
      expect(least).toBeGreaterThan(Math.min(Math.sqrt(variance), 2) - 1 / 100);
    }),
  );
});
