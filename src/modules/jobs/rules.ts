import { isDeepStrictEqual } from 'node:util';
import { createFieldRefusal, Refusal, type FieldError } from '#lib/refusal.ts';
import type { educationLevels } from '#modules/members';
import { isTraitCode } from '#modules/traits';
import type { TraitPriorities } from '#modules/traits';

/** A job is matched while it is active. */
export const jobStatuses = ['active', 'closed', 'draft'] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** Security clearances, ascending, as Australian public service names them. */
export const clearances = [
  'none',
  'baseline',
  'negative_vetting_1',
  'negative_vetting_2',
  'positive_vetting',
] as const;

export type Clearance = (typeof clearances)[number];

export const remotePolicies = ['onsite', 'hybrid', 'remote'] as const;

export type RemotePolicy = (typeof remotePolicies)[number];

/** What a job asks for where its organisation does not say. */
export const jobDefaults = { clearance_required: 'none', remote_policy: 'hybrid' } as const;

/** Whole units of the currency a year; null where the organisation does not tell. */
export type Salary = {
  readonly salary_min: number | null;
  readonly salary_max: number | null;
  readonly salary_currency: string | null;
};

/**
 * What somebody must have to be matched with a job at all, whatever their traits: conditions on the facts of a member's profile. One that
 * is left out asks for nothing.
 */
export type JobConstraints = {
  /** ISO 3166-1 alpha-2: the member lives in one of these countries. */
  readonly location_countries?: readonly string[];
  /** ISO 3166-2 without the country: the member lives in one of these states of the one country. */
  readonly location_states?: readonly string[];
  /** Whole years. */
  readonly years_experience_min?: number;
  /** The member has this level of education or one that comes after it in `educationLevels`. */
  readonly education_level_min?: (typeof educationLevels)[number];
};

/**
 * @throws Refusal `field_invalid`, naming the field, where states stand without the one country that they are of: NSW is a state of
 * Australia and a district of Nauru.
 */
export function checkConstraints({ location_countries, location_states }: JobConstraints): void {
  if (location_states !== undefined && location_countries?.length !== 1) {
    const reason = 'needs exactly one country in location_countries';
    throw createFieldRefusal('field_invalid', '/constraints/location_states', reason);
  }
}

/** What an organisation may change of a job. */
export type JobFields = Salary & {
  readonly title: string;
  readonly outcome_description: string;
  readonly status: JobStatus;
  readonly clearance_required: Clearance;
  readonly remote_policy: RemotePolicy;
  readonly trait_priorities: TraitPriorities;
  readonly constraints: JobConstraints;
};

/** The job after a change: a field that is left out stays. @throws Refusal as {@link checkSalary} and {@link checkConstraints} do. */
export function patchJob<Job extends JobFields>(
  job: Job,
  { trait_priorities, ...patch }: Partial<JobFields>,
): Job {
  const priorities = trait_priorities && { trait_priorities: parseTraitPriorities(trait_priorities) };
  const patched = { ...job, ...patch, ...priorities };
  checkSalary(patched);
  checkConstraints(patched.constraints);
  return patched;
}

/** The names of the fields that differ. */
export function listChangedFields(before: JobFields, after: JobFields): readonly (keyof JobFields)[] {
  return patchableFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

const patchableFields = [
  'title',
  'outcome_description',
  'status',
  'clearance_required',
  'remote_policy',
  'trait_priorities',
  'constraints',
  'salary_min',
  'salary_max',
  'salary_currency',
] as const satisfies readonly (keyof JobFields)[];

/** Words alone make no other match. */
const silentFields: ReadonlySet<keyof JobFields> = new Set(['title', 'outcome_description']);

/** What matching must hear of a change: the job is closed, offered again, or asks for something else while it is offered. */
export function findChangeEvent(
  before: JobFields,
  after: JobFields,
): 'job.closed' | 'job.activated' | 'job.changed' | undefined {
  if (after.status !== before.status) {
    if (after.status === 'closed') return 'job.closed';
    return after.status === 'active' ? 'job.activated' : undefined;
  }
  const asksElse = listChangedFields(before, after).some((field) => !silentFields.has(field));
  return after.status === 'active' && asksElse ? 'job.changed' : undefined;
}

/**
 * A map of numbers from 0 to 1 as trait priorities.
 *
 * @throws Refusal `trait_code_unknown`, naming every key that is no trait; `trait_priorities_empty` where none is above zero, as such a
 * job would suit everybody alike.
 */
export function parseTraitPriorities(map: Readonly<Record<string, number>>): TraitPriorities {
  const unknown = Object.keys(map).filter((code) => !isTraitCode(code));
  if (unknown.length > 0)
    throw new Refusal('trait_code_unknown', { errors: unknown.map(buildUnknownCodeError) });
  if (!Object.values(map).some((priority) => priority > 0)) {
    throw createFieldRefusal(
      'trait_priorities_empty',
      '/trait_priorities',
      'needs at least one number above 0',
    );
  }
  return map;
}

/** @throws Refusal `field_invalid`, naming the field, where the range is upside down or its currency is missing. */
export function checkSalary({ salary_min, salary_max, salary_currency }: Salary): void {
  if (salary_min !== null && salary_max !== null && salary_max < salary_min) {
    throw createFieldRefusal('field_invalid', '/salary_max', 'must not be below salary_min');
  }
  if ((salary_min ?? salary_max) !== null && salary_currency === null) {
    throw createFieldRefusal('field_invalid', '/salary_currency', 'is required where a salary is given');
  }
}

/**
 * What somebody types into a search box, as a PostgreSQL `tsquery` of word beginnings, so that results come while they type. Empty where
 * they use operators, such as quotes and exclusion, which beginnings would undo.
 */
export function buildPrefixQuery(query: string): string {
  if (/"|(^|\s)-/.test(query)) return '';
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map((word) => `'${word}':*`).join(' & ');
}

/** A JSON pointer (RFC 6901) to a key that is no trait. */
function buildUnknownCodeError(code: string): FieldError {
  const escaped = code.replaceAll('~', '~0').replaceAll('/', '~1');
  return { pointer: `/trait_priorities/${escaped}`, reason: 'is not one of the MVP-20 trait codes' };
}
