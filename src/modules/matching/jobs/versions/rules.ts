import { Refusal } from '#lib/refusal.ts';
import type { JobLimits } from '../rules.ts';

export const day_ms = 24 * 60 * 60 * 1000;

/** The number of versions that an organisation can add in 24 hours: a full set of new jobs, and all changes. */
export function computeDailyVersions({ active_jobs, daily_changes }: JobLimits): number {
  return active_jobs + daily_changes;
}

/**
 * Checks that the oldest version that counts is more than 24 hours old.
 *
 * @param oldest The time of the version whose place is the limit, counted from the newest; undefined if there are fewer.
 * @throws Refusal `change_limit_reached` with Retry-After, the seconds until it no longer counts.
 */
export function checkVersionTime(oldest: Date | undefined, limit: number, now: Date): void {
  if (!oldest) return;
  const wait_ms = oldest.getTime() + day_ms - now.getTime();
  if (wait_ms <= 0) return;
  throw new Refusal('change_limit_reached', {
    detail: `The tier of the organisation allows ${limit} in 24 hours. Try again later.`,
    headers: { 'Retry-After': String(Math.ceil(wait_ms / 1000)) },
  });
}

/** What an organisation has asked for in the last 24 hours. */
export type RecentVersions = {
  readonly changes: number;
  /** The versions in which a trait had more than its largest share of the weight. */
  readonly narrow_versions: number;
  /** The different traits of these versions. */
  readonly narrow_traits: number;
  /** The number of changes of the job that was changed most often. */
  readonly changes_of_one_job: number;
};

/** Ways of asking that would measure traits if members could be recognised across jobs. */
export const probingPatterns = ['narrow_jobs', 'repeated_changes', 'most_changes'] as const;

export type ProbingPattern = (typeof probingPatterns)[number];

const narrow_versions_min = 10;
const narrow_traits_min = 6;
const changes_of_one_job_min = 10;
const changes_share_min = 0.8;

/**
 * Finds the patterns in what an organisation has asked for: ten or more narrow versions with six or more different traits, ten or more
 * changes of one job, or most of the changes that its tier allows. People who describe real work seldom do any of these in a day.
 */
export function findProbingPatterns(
  { changes, narrow_versions, narrow_traits, changes_of_one_job }: RecentVersions,
  { daily_changes }: JobLimits,
): readonly ProbingPattern[] {
  const isShown: Readonly<Record<ProbingPattern, boolean>> = {
    narrow_jobs: narrow_versions >= narrow_versions_min && narrow_traits >= narrow_traits_min,
    repeated_changes: changes_of_one_job >= changes_of_one_job_min,
    most_changes: changes >= changes_share_min * daily_changes,
  };
  return probingPatterns.filter((pattern) => isShown[pattern]);
}
