import { cvfQuadrants, type CvfQuadrant } from '#modules/organisations/culture';
import { clearances, type Clearance, type Job, type JobConstraints } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';

/** The weight of each quadrant of the Competing Values Framework, in any unit. */
export type Values = Readonly<Record<CvfQuadrant, number>>;

export type EducationLevel = (typeof educationLevels)[number];

/** What a member has and wants, apart from traits. */
export type MemberTerms = {
  readonly clearance_held: Clearance;
  /** The policies that the member accepts, the preferred one first; null for any, without a preference. */
  readonly remote_policies: readonly Job['remote_policy'][] | null;
  readonly location_country: string | null;
  readonly location_state: string | null;
  readonly years_experience: number | null;
  readonly education_level: EducationLevel | null;
  /** The lowest acceptable salary per year, in whole units of `salary_currency`; null for any. */
  readonly salary_min: number | null;
  readonly salary_currency: string | null;
  /** How a workplace should be, each from 0 to 100; null if the member has not set it. */
  readonly values: Values | null;
};

/** The terms that the member sets as matching preferences; the other terms are part of the profile. */
export type Preferences = Pick<
  MemberTerms,
  'clearance_held' | 'remote_policies' | 'salary_min' | 'salary_currency' | 'values'
>;

/** What a job asks for and offers, apart from traits. */
export type JobTerms = {
  readonly clearance_required: Clearance;
  readonly remote_policy: Job['remote_policy'];
  readonly constraints: JobConstraints;
  readonly salary_min: number | null;
  readonly salary_max: number | null;
  readonly salary_currency: string | null;
  /** The values of the organisation's culture profile; null if it has none. */
  readonly values: Values | null;
};

/** Picks what a job asks for and offers, with the values of its organisation. */
export function pickJobTerms(
  {
    clearance_required,
    remote_policy,
    constraints,
    salary_min,
    salary_max,
    salary_currency,
  }: Omit<JobTerms, 'values'>,
  values: JobTerms['values'],
): JobTerms {
  return {
    clearance_required,
    remote_policy,
    constraints,
    salary_min,
    salary_max,
    salary_currency,
    values,
  };
}

/** The terms of a job without conditions: neither side asks for anything but traits. */
export const openTerms: JobTerms = {
  clearance_required: 'none',
  remote_policy: 'hybrid',
  constraints: {},
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  values: null,
};

/** The preferences of a member who has set none: any policy, any salary, no clearance. */
export const defaultPreferences = {
  clearance_held: 'none',
  remote_policies: null,
  salary_min: null,
  salary_currency: null,
  values: null,
} as const satisfies Preferences;

/**
 * Says whether neither side rules the other out: the member has the clearance, meets the constraints, and accepts the job's remote policy
 * and salary. Salaries are compared only if both sides state one in the same currency. A missing fact in a profile meets no constraint.
 */
export function areCompatible(job: JobTerms, member: MemberTerms): boolean {
  return (
    clearances.indexOf(member.clearance_held) >= clearances.indexOf(job.clearance_required) &&
    (member.remote_policies === null || member.remote_policies.includes(job.remote_policy)) &&
    isEligible(job.constraints, member) &&
    !isUnderpaid(job, member)
  );
}

function isUnderpaid(job: JobTerms, { salary_min, salary_currency }: MemberTerms): boolean {
  if (salary_min === null || job.salary_max === null || salary_currency !== job.salary_currency) return false;
  return salary_min > job.salary_max;
}

function isEligible(constraints: JobConstraints, member: MemberTerms): boolean {
  const { location_countries, location_states, years_experience_min, education_level_min } = constraints;
  return (
    isAmong(member.location_country, location_countries) &&
    isAmong(member.location_state, location_states) &&
    (member.years_experience ?? -1) >= (years_experience_min ?? -1) &&
    rankEducation(member.education_level) >= rankEducation(education_level_min ?? null)
  );
}

function isAmong(value: string | null, list: readonly string[] | undefined): boolean {
  return list === undefined || (value !== null && list.includes(value));
}

/** The rank of an education level, from 0 for no formal education; -1 for an unknown level. */
function rankEducation(level: EducationLevel | null): number {
  return level === null ? -1 : educationLevels.indexOf(level);
}

/** The largest cost of each unmet preference, in standard deviations of fit. */
const costs = { remote_policy: 0.2, salary: 0.2, values: 0.3 } as const;

/**
 * Computes how much less a member wants a compatible job than an ideal one, from 0 to 0.7 standard deviations of fit. It influences the
 * order on the shortlist, but never the label. A policy costs more the lower the member ranks it, a salary the more of the job's range is
 * below the member's minimum, and values the lower their correlation with the organisation's (profiles that sum to a constant can only be
 * compared by correlation). The costs are provisional until outcome data can determine them.
 */
export function computeReluctance(job: JobTerms, member: MemberTerms): number {
  return (
    costs.remote_policy * computePolicyPlace(job, member) +
    costs.salary * computeSalaryShortfall(job, member) +
    costs.values * computeValueDistance(job.values, member.values)
  );
}

/** Computes the place of the job's policy among the accepted ones, from 0 for the first to 1 for the last. */
function computePolicyPlace(job: JobTerms, { remote_policies }: MemberTerms): number {
  if (remote_policies === null) return 0;
  const last = remote_policies.length - 1;
  return last < 1 ? 0 : Math.max(0, remote_policies.indexOf(job.remote_policy)) / last;
}

/** Computes the share of the job's salary range that is below the member's minimum, from 0 to 1. */
function computeSalaryShortfall(job: JobTerms, { salary_min, salary_currency }: MemberTerms): number {
  if (salary_min === null || salary_currency !== job.salary_currency) return 0;
  if (job.salary_min === null || job.salary_max === null) return 0;
  const range = job.salary_max - job.salary_min;
  return range === 0 ? 0 : Math.min(1, Math.max(0, (salary_min - job.salary_min) / range));
}

/** Computes the distance of two value profiles: 0 if equal, 1 if opposite, ½ if either is flat, 0 if either is unknown. */
function computeValueDistance(one: Values | null, other: Values | null): number {
  if (one === null || other === null) return 0;
  const [a, b] = [centreValues(one), centreValues(other)];
  const length = Math.sqrt(dot(a, a) * dot(b, b));
  return length === 0 ? 0.5 : Math.min(1, Math.max(0, (1 - dot(a, b) / length) / 2));
}

function centreValues(values: Values): readonly number[] {
  const numbers = cvfQuadrants.map((quadrant) => values[quadrant]);
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return numbers.map((number) => number - mean);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, number, index) => sum + number * b[index]!, 0);
}
