import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeConsentLevel,
  consentLevels,
  consentTypes,
  mayApprove,
  queryCategories,
  type ConsentType,
  type QueryCategory,
} from './rules.ts';

const nothing = new Set<QueryCategory>();
const everything = new Set(queryCategories);

test('nothing is none, assessment_data is basic, identity_queries on top of it is selective', () => {
  expect(computeConsentLevel(new Set(), nothing)).toBe('none');
  expect(computeConsentLevel(new Set(['assessment_data']), nothing)).toBe('basic');
  expect(computeConsentLevel(new Set(['assessment_data', 'identity_queries']), nothing)).toBe('selective');
});

test('full is every category approved on top of selective, and never less', () => {
  const granted = new Set<ConsentType>(['assessment_data', 'identity_queries']);
  expect(computeConsentLevel(granted, everything)).toBe('full');
  for (const missing of queryCategories)
    expect(computeConsentLevel(granted, new Set(queryCategories.filter((each) => each !== missing)))).toBe(
      'selective',
    );
  expect(computeConsentLevel(new Set(['assessment_data']), everything)).toBe('basic');
});

test('identity_queries without assessment_data sells nothing', () => {
  expect(
    computeConsentLevel(new Set(['identity_queries', 'matching', 'credential_sharing']), everything),
  ).toBe('none');
});

test('categories are approved at selective and full, and at no lower level', () => {
  expect(consentLevels.map(mayApprove)).toEqual([false, false, true, true]);
});

test('withdrawing never raises the level, neither of a consent nor of an approval', () => {
  const rank = (granted: readonly ConsentType[], approved: readonly QueryCategory[]) =>
    consentLevels.indexOf(computeConsentLevel(new Set(granted), new Set(approved)));
  fc.assert(
    fc.property(
      fc.subarray([...consentTypes]),
      fc.subarray([...queryCategories]),
      fc.constantFrom(...consentTypes),
      fc.constantFrom(...queryCategories),
      (granted, approved, withdrawn, disapproved) => {
        const before = rank(granted, approved);
        const left = granted.filter((each) => each !== withdrawn);
        expect(rank(left, approved)).toBeLessThanOrEqual(before);
        expect(
          rank(
            granted,
            approved.filter((each) => each !== disapproved),
          ),
        ).toBeLessThanOrEqual(before);
      },
    ),
  );
});
