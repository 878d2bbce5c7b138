import { clearances, remotePolicies, type RemotePolicy } from '#modules/jobs';
import { educationLevels } from '#modules/members';
import type { JobTerms, MemberTerms } from './terms.ts';

/*
 * What a member is and wants beside traits, in eight bytes, so that the scan passes over whom a job's conditions shut out. A packed
 * member may pass where the whole record does not (a state is kept as a hash, a salary as a step of 4 %, years up to 31), never the other way round:
 * whoever passes is looked at again by `suits`, with the whole record.
 *
 *   word 0: least sd 8 bits | clearance 3 | accepted remote policies 3 | country 10 | hash of the state 8
 *   word 1: currency of the least salary 15 | least salary 9 | years of experience 5 | education 3
 */

/** A member's facts as two words of 32 bits. */
export type PackedFacts = readonly [number, number];

/** What a job's conditions ask of the two words; undefined or -1 where a job asks for nothing. */
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

/** Steps of the least standard deviation: 1/128 sd. */
const sdScale = 128;

const remoteBit: Readonly<Record<RemotePolicy, number>> = { onsite: 1, hybrid: 2, remote: 4 };

/** Packs a member; `leastVariance` is that of the trait known best, rounded down here. */
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
  const years = Math.min(most_years, terms.years_experience ?? 0);
  const second = salary | (years << 24) | (rankEducation(terms.education_level) << 29);
  return [first >>> 0, second >>> 0];
}

/** No uncertainty of a fit is below this, in standard deviations of each trait. */
export function readLeastSd(first: number): number {
  return (first & 255) / sdScale;
}

/** Packs what a job asks for. */
export function packFilter(job: JobTerms): PackedFilter {
  const paysAtMost = job.salary_currency === null ? null : job.salary_max;
  const { constraints } = job;
  return {
    clearance: clearances.indexOf(job.clearance_required),
    remote: remoteBit[job.remote_policy],
    countries: constraints.location_countries?.map(encodeLetters),
    states: constraints.location_states?.map(hashState),
    years: Math.min(most_years, constraints.years_experience_min ?? 0),
    education: rankEducation(constraints.education_level_min ?? null),
    currency: paysAtMost === null ? -1 : encodeLetters(job.salary_currency),
    salary: paysAtMost === null ? -1 : computeSalaryStep(paysAtMost),
  };
}

/** Whether a packed member may suit a job's conditions; false is certain. */
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

/** As many as five bits hold. */
const most_years = 31;

/** From 0 for no formal education, and where nothing is said. */
function rankEducation(level: MemberTerms['education_level']): number {
  return level === null ? 0 : educationLevels.indexOf(level);
}

/** Up to three capital letters as a number from 1, 0 for none. */
function encodeLetters(code: string | null): number {
  if (code === null) return 0;
  let number = 0;
  for (const letter of code) number = 26 * number + letter.charCodeAt(0) - 65;
  return number + 1;
}

/** One to three letters and digits as eight bits, 0 for none. */
function hashState(state: string | null): number {
  if (state === null) return 0;
  let hash = 0;
  for (const sign of state) hash = (31 * hash + sign.charCodeAt(0)) % 255;
  return hash + 1;
}

/** A salary as a step of 4 %, rounded down, 0 to 511: the order of salaries is kept, but for those of one step. */
function computeSalaryStep(salary: number): number {
  return Math.min(511, Math.floor(Math.log2(1 + Math.max(0, salary)) * 17));
}
