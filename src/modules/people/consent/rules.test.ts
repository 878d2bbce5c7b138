import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeConsentLevel,
  consentLevels,
  mayApprove,
  queryCategories,
  type QueryCategory,
} from './rules.ts';
import { consentTypes, type ConsentType } from './consent-types.ts';

const nothing = new Set<QueryCategory>();
const everything = new Set(queryCategories);

test('the level is none without consent, basic with assessment_data, and selective with identity_queries as well', () => {
  expect(computeConsentLevel(new Set(), nothing)).toBe('none');
  expect(computeConsentLevel(new Set(['assessment_data']), nothing)).toBe('basic');
  expect(computeConsentLevel(new Set(['assessment_data', 'identity_queries']), nothing)).toBe('selective');
});

test('the level is full only if every category is approved as well', () => {
  const granted = new Set<ConsentType>(['assessment_data', 'identity_queries']);
  expect(computeConsentLevel(granted, everything)).toBe('full');
  for (const missing of queryCategories)
    expect(computeConsentLevel(granted, new Set(queryCategories.filter((each) => each !== missing)))).toBe(
      'selective',
    );
  expect(computeConsentLevel(new Set(['assessment_data']), everything)).toBe('basic');
});

test('the level is none without assessment_data, even with identity_queries', () => {
  expect(
    computeConsentLevel(new Set(['identity_queries', 'matching', 'credential_sharing']), everything),
  ).toBe('none');
});

test('categories can be approved only at selective and full', () => {
  expect(consentLevels.map(mayApprove)).toEqual([false, false, true, true]);
});

test('withdrawing a consent or an approval never raises the level', () => {
  const computeRank = (granted: readonly ConsentType[], approved: readonly QueryCategory[]) =>
    consentLevels.indexOf(computeConsentLevel(new Set(granted), new Set(approved)));
  fc.assert(
    fc.property(
      fc.subarray([...consentTypes]),
      fc.subarray([...queryCategories]),
      fc.constantFrom(...consentTypes),
      fc.constantFrom(...queryCategories),
      (granted, approved, withdrawn, disapproved) => {
        const before = computeRank(granted, approved);
        const left = granted.filter((each) => each !== withdrawn);
        expect(computeRank(left, approved)).toBeLessThanOrEqual(before);
        expect(
          computeRank(
            granted,
            approved.filter((each) => each !== disapproved),
          ),
        ).toBeLessThanOrEqual(before);
      },
    ),
  );
});
