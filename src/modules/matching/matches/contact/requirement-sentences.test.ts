import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCountries, formatExperience, formatStates } from './requirement-sentences.ts';

test('countries are named, and joined as in speech', () => {
  expect([['AU'], ['AU', 'NZ'], ['AU', 'NZ', 'DE'], ['QQ']].map(formatCountries)).toEqual([
    'Lives in Australia.',
    'Lives in Australia or New Zealand.',
    'Lives in Australia, New Zealand or Germany.',
    'Lives in QQ.',
  ]);
  expect(formatStates('AU', ['NSW', 'VIC'])).toBe('Lives in New South Wales or Victoria.');
  expect(formatStates('AU', ['QQ'])).toBe('Lives in the state with the code QQ.');
});

test('every code that a job accepts as a country has a sentence', () => {
  const code = fc.stringMatching(/^[A-Z]{2}$/);
  const property = fc.property(fc.array(code, { minLength: 1, maxLength: 50 }), (codes) => {
    expect(formatCountries(codes)).toMatch(/^Lives in .+\.$/);
  });
  fc.assert(property);
});

test('years of experience are counted as in speech', () => {
  expect([0, 1, 2].map(formatExperience)).toEqual([
    'Has stated their years of experience.',
    'Has at least one year of experience.',
    'Has at least 2 years of experience.',
  ]);
});
