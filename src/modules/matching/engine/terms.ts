import { cvfQuadrants, type CvfQuadrant } from '#modules/culture';
import { clearances, type Clearance, type JobConstraints, type RemotePolicy } from '#modules/jobs';
import { educationLevels } from '#modules/members';

/** How much of each quadrant of the Competing Values Framework, in any unit. */
export type Values = Readonly<Record<CvfQuadrant, number>>;

export type EducationLevel = (typeof educationLevels)[number];

/** What a member has and wants, beside traits. */
export type MemberTerms = {
  readonly clearance_held: Clearance;
  /** The policies that the member accepts, the most welcome first; null for any, and none more than another. */
  readonly remote_policies: readonly RemotePolicy[] | null;
  readonly location_country: string | null;
  readonly location_state: string | null;
  readonly years_experience: number | null;
  readonly education_level: EducationLevel | null;
  /** The least that a job must pay a year, in whole units of `salary_currency`; null for anything. */
  readonly salary_min: number | null;
  readonly salary_currency: string | null;
  /** How a workplace should be, each 0 to 100; null where the member has not said. */
  readonly values: Values | null;
};

/** What a member has and wants beside the profile. */
export type Preferences = Pick<
  MemberTerms,
  'clearance_held' | 'remote_policies' | 'salary_min' | 'salary_currency' | 'values'
>;

/** What a job asks for and offers, beside traits. */
export type JobTerms = {
  readonly clearance_required: Clearance;
  readonly remote_policy: RemotePolicy;
  readonly constraints: JobConstraints;
  readonly salary_min: number | null;
  readonly salary_max: number | null;
  readonly salary_currency: string | null;
  /** How the organisation is, by its published culture profile; null where it has none. */
  readonly values: Values | null;
};

/** What counts for a member who has said nothing: any policy, any salary, no clearance. */
export const defaultPreferences = {
  clearance_held: 'none',
  remote_policies: null,
  salary_min: null,
  salary_currency: null,
  values: null,
} as const satisfies Preferences;

/**
 * Whether neither side rules the other out: the member holds the clearance and meets the constraints, and accepts the job's remote policy
 * and salary. A salary rules out only where both sides name one in the same currency; what a profile does not say meets no constraint.
 */
export function areCompatible(job: JobTerms, member: MemberTerms): boolean {
  return (
    clearances.indexOf(member.clearance_held) >= clearances.indexOf(job.clearance_required) &&
    (member.remote_policies === null || member.remote_policies.includes(job.remote_policy)) &&
    isEligible(job.constraints, member) &&
    !(areSalariesComparable(job, member) && member.salary_min! > job.salary_max!)
  );
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

/** From 0 for no formal education; -1 where nothing is said. */
function rankEducation(level: EducationLevel | null): number {
  return level === null ? -1 : educationLevels.indexOf(level);
}

/** At most what each wish costs where it is not met, in standard deviations of fit. */
const costs = { remote_policy: 0.2, salary: 0.2, values: 0.3 } as const;

/**
 * How much less a member would want a job that suits than their ideal one: 0 to 0.7 standard deviations of fit, taken from the member's
 * place in the choice for the shortlist, and never from the label. A policy costs by its place among those accepted; a salary by how
 * little of the job's range reaches what the member asks for; values by how far their correlation with the organisation's is from 1
 * (profiles that sum to a constant can be compared by correlation only). The weights are provisional until outcomes can set them.
 */
export function computeReluctance(job: JobTerms, member: MemberTerms): number {
  return (
    costs.remote_policy * computePolicyPlace(job, member) +
    costs.salary * computeSalaryShortfall(job, member) +
    costs.values * computeValueDistance(job.values, member.values)
  );
}

/** The place of the job's policy among those accepted, 0 for the first and 1 for the last. */
function computePolicyPlace(job: JobTerms, { remote_policies }: MemberTerms): number {
  if (remote_policies === null) return 0;
  const last = remote_policies.length - 1;
  return last < 1 ? 0 : Math.max(0, remote_policies.indexOf(job.remote_policy)) / last;
}

function areSalariesComparable(job: JobTerms, member: MemberTerms): boolean {
  return (
    member.salary_min !== null && job.salary_max !== null && member.salary_currency === job.salary_currency
  );
}

/** The part of the job's salary range that lies below what the member asks for, 0 to 1. */
function computeSalaryShortfall(job: JobTerms, member: MemberTerms): number {
  if (!areSalariesComparable(job, member) || job.salary_min === null) return 0;
  const range = job.salary_max! - job.salary_min;
  if (range === 0) return 0;
  return Math.min(1, Math.max(0, (member.salary_min! - job.salary_min) / range));
}

/** 0 for the same profile, 1 for the opposite one; ½ where either is flat, 0 where either is unknown. */
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
