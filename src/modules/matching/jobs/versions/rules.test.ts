import { expect, test } from 'vitest';
import { jobLimits } from '../rules.ts';
import { checkVersionTime, day_ms, findProbingPatterns, type RecentVersions } from './rules.ts';

const now = new Date('2026-03-02T09:00:00.000Z');

test('a version counts for exactly 24 hours, and Retry-After says when it no longer does', () => {
  expect(() => checkVersionTime(undefined, 50, now)).not.toThrow();
  expect(() => checkVersionTime(new Date(now.getTime() - day_ms), 50, now)).not.toThrow();
  expect(() => checkVersionTime(new Date(now.getTime() - day_ms + 1_500), 50, now)).toThrow(
    expect.objectContaining({
      code: 'change_limit_reached',
      extras: expect.objectContaining({ headers: { 'Retry-After': '2' } }),
    }),
  );
});

const quiet: RecentVersions = { changes: 0, narrow_versions: 0, narrow_traits: 0, changes_of_one_job: 0 };
const limits = jobLimits['E1 Explorer'];

test.each([
  [{}, []],
  [{ narrow_versions: 10, narrow_traits: 6 }, ['narrow_jobs']],
  // Many jobs for the same kind of work.
  [{ narrow_versions: 25, narrow_traits: 5 }, []],
  [{ narrow_versions: 9, narrow_traits: 9 }, []],
  [{ changes: 10, changes_of_one_job: 10 }, ['repeated_changes']],
  [{ changes: 39, changes_of_one_job: 9 }, []],
  [{ changes: 40, changes_of_one_job: 9 }, ['most_changes']],
  [
    { changes: 40, narrow_versions: 40, narrow_traits: 18, changes_of_one_job: 40 },
    ['narrow_jobs', 'repeated_changes', 'most_changes'],
  ],
])('%j is reported as %j', (recent, patterns) => {
  expect(findProbingPatterns({ ...quiet, ...recent }, limits)).toEqual(patterns);
});
