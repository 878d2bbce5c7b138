import { clearances, remotePolicies } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';
import type { JobTerms, MemberTerms } from './terms.ts';

/*
 * Packs a member's terms into eight bytes, so that the scan can skip members whom a job's conditions exclude. A packed member may pass
 * although the full record does not, because a state is stored as a hash, a salary as a step of 4 % and years up to 31. The opposite never
 * happens. `areCompatible` checks the members who pass again with the full record.
 *
 *   word 0: least sd 8 bits | clearance 3 | accepted remote policies 3 | country 10 | hash of the state 8
 *   word 1: currency of the least salary 15 | least salary 9 | years of experience 5 | education 3
 */

/** A member's facts as two words of 32 bits. */
export type PackedFacts = readonly [number, number];

/** The conditions of a job for the two words; undefined or -1 for a condition that the job does not have. */
export type PackedFilter = {
  readonly clearance: number;
  readonly remote: number;
  readonly countries: readonly number[] | undefined;
  readonly states: readonly number[] | undefined;
  readonly years: number;
  readonly education: number;
  readonly currency: number;
  readonly salary: number;
};

/** Steps per unit of the least standard deviation. */
const sdScale = 128;

const remoteBit: Readonly<Record<JobTerms['remote_policy'], number>> = { onsite: 1, hybrid: 2, remote: 4 };

/** Packs the facts of a member. `leastVariance` is the smallest variance of all traits; its standard deviation is rounded down. */
export function packFacts(terms: MemberTerms, leastVariance: number): PackedFacts {
  const sd = Math.min(255, Math.floor(Math.sqrt(leastVariance) * sdScale));
  const remote = (terms.remote_policies ?? remotePolicies).reduce(
    (bits, policy) => bits | remoteBit[policy],
    0,
  );
  const first =
    sd |
    (clearances.indexOf(terms.clearance_held) << 8) |
    (remote << 11) |
    (encodeLetters(terms.location_country) << 14) |
    (hashState(terms.location_state) << 24);
  const salary =
    terms.salary_min === null
      ? 0
      : encodeLetters(terms.salary_currency) | (computeSalaryStep(terms.salary_min) << 15);
  const years = Math.min(years_max, terms.years_experience ?? 0);
  const second = salary | (years << 24) | (rankEducation(terms.education_level) << 29);
  return [first >>> 0, second >>> 0];
}

/** Reads the least standard deviation of a member's traits: the uncertainty of a fit is not below it, for each trait. */
export function readLeastSd(first: number): number {
  return (first & 255) / sdScale;
}

export function packFilter(job: JobTerms): PackedFilter {
  const salary_max = job.salary_currency === null ? null : job.salary_max;
  const { constraints } = job;
  return {
    clearance: clearances.indexOf(job.clearance_required),
    remote: remoteBit[job.remote_policy],
    countries: constraints.location_countries?.map(encodeLetters),
    states: constraints.location_states?.map(hashState),
    years: Math.min(years_max, constraints.years_experience_min ?? 0),
    education: rankEducation(constraints.education_level_min ?? null),
    currency: salary_max === null ? -1 : encodeLetters(job.salary_currency),
    salary: salary_max === null ? -1 : computeSalaryStep(salary_max),
  };
}

/** Says whether a packed member may meet the conditions of a job. False is certain. */
export function mayBeCompatible(filter: PackedFilter, first: number, second: number): boolean {
  return (
    ((first >>> 8) & 7) >= filter.clearance &&
    ((first >>> 11) & filter.remote) !== 0 &&
    (filter.countries === undefined || filter.countries.includes((first >>> 14) & 1023)) &&
    (filter.states === undefined || filter.states.includes(first >>> 24)) &&
    ((second >>> 24) & 31) >= filter.years &&
    second >>> 29 >= filter.education &&
    ((second & 32_767) !== filter.currency || ((second >>> 15) & 511) <= filter.salary)
  );
}

/** The largest number of five bits. */
const years_max = 31;

/** The rank of an education level, from 0 for no formal education or an unknown level. */
function rankEducation(level: MemberTerms['education_level']): number {
  return level === null ? 0 : educationLevels.indexOf(level);
}

/** Encodes up to three capital letters as a number from 1; 0 for null. */
function encodeLetters(code: string | null): number {
  if (code === null) return 0;
  let number = 0;
  for (const letter of code) number = 26 * number + letter.charCodeAt(0) - 65;
  return number + 1;
}

/** Hashes one to three letters and digits to eight bits; 0 for null. */
function hashState(state: string | null): number {
  if (state === null) return 0;
  let hash = 0;
  for (const character of state) hash = (31 * hash + character.charCodeAt(0)) % 255;
  return hash + 1;
}

/** Rounds a salary down to a step of 4 %, from 0 to 511. The order of salaries is preserved, except within a step. */
function computeSalaryStep(salary: number): number {
  return Math.min(511, Math.floor(Math.log2(1 + Math.max(0, salary)) * 17));
}
