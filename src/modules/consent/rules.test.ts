import fc from 'fast-check';
import { expect, test } from 'vitest';
import { consentLevel, consentLevels, consentTypes } from './rules.ts';

test('nothing is none, assessment_data is basic, identity_queries on top of it is selective', () => {
  expect(consentLevel(new Set())).toBe('none');
  expect(consentLevel(new Set(['assessment_data']))).toBe('basic');
  expect(consentLevel(new Set(['assessment_data', 'identity_queries']))).toBe('selective');
});

test('identity_queries without assessment_data sells nothing', () => {
  expect(consentLevel(new Set(['identity_queries', 'matching', 'credential_sharing']))).toBe('none');
});

test('withdrawing never raises the level', () => {
  const rank = (granted: readonly (typeof consentTypes)[number][]) =>
    consentLevels.indexOf(consentLevel(new Set(granted)));
  fc.assert(
    fc.property(fc.subarray([...consentTypes]), fc.constantFrom(...consentTypes), (granted, withdrawn) => {
      expect(rank(granted.filter((each) => each !== withdrawn))).toBeLessThanOrEqual(rank(granted));
    }),
  );
});
