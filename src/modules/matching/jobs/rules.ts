import { isDeepStrictEqual } from 'node:util';
import { createFieldRefusal, Refusal, type FieldError } from '#lib/refusal.ts';
import { runAllChecks } from '#lib/run-all-checks.ts';
import type { Organisation } from '#modules/organisations/orgs';
import { isTraitCode, type TraitPriorities } from '#modules/measurement/traits';
import type { JobConstraints } from './field-schemas.ts';
import { jobResource, type JobFields } from './resource.ts';

/** Amounts per year in whole units of the currency; null if the organisation does not state them. */
type Salary = Pick<JobFields, 'salary_min' | 'salary_max' | 'salary_currency'>;

/**
 * Checks that states are given together with exactly one country, because state codes are only unique within a country.
 *
 * @throws Refusal `field_invalid`, naming the field.
 */
export function checkConstraints({ location_countries, location_states }: JobConstraints): void {
  if (location_states !== undefined && location_countries?.length !== 1) {
    const reason = 'requires exactly one country in location_countries';
    throw createFieldRefusal('field_invalid', '/constraints/location_states', reason);
  }
}

/** What the schema of a new job cannot say. */
export const newJobChecks = [
  ({ trait_priorities }: NewJobFields) => void parseTraitPriorities(trait_priorities),
  ({ salary_min = null, salary_max = null }: NewJobFields) => checkSalaryRange({ salary_min, salary_max }),
  ({ salary_min = null, salary_max = null, salary_currency = null }: NewJobFields) =>
    checkSalaryCurrency({ salary_min, salary_max, salary_currency }),
  ({ constraints = {} }: NewJobFields) => checkConstraints(constraints),
] as const;

/** What a change of a job says by itself. The rest depends on the stored job. */
export const jobChangeChecks = [
  ({ trait_priorities }: JobChange) => void (trait_priorities && parseTraitPriorities(trait_priorities)),
  ({ salary_min = null, salary_max = null }: JobChange) => checkSalaryRange({ salary_min, salary_max }),
  ({ salary_min = null, salary_max = null, salary_currency }: JobChange) => {
    if (salary_currency === null) checkSalaryCurrency({ salary_min, salary_max, salary_currency });
  },
  ({ constraints = {} }: JobChange) => checkConstraints(constraints),
] as const;

type JobChange = Partial<Salary> & {
  readonly constraints?: JobConstraints;
  readonly trait_priorities?: Readonly<Record<string, number>>;
};

type NewJobFields = JobChange & Required<Pick<JobChange, 'trait_priorities'>>;

/**
 * Checks everything about a job that its schema cannot say.
 *
 * @throws Refusal that names every wrong field.
 */
function checkJob(
  job: Salary & Pick<JobFields, 'constraints'>,
  trait_priorities: Readonly<Record<string, number>>,
): void {
  runAllChecks(
    () => parseTraitPriorities(trait_priorities),
    () => checkSalary(job),
    () => checkConstraints(job.constraints),
  );
}

/**
 * Returns the job with a patch applied. A field that is left out keeps its value.
 *
 * @throws Refusal like {@link checkJob}.
 */
export function patchJob<Job extends JobFields>(
  job: Job,
  { trait_priorities, ...patch }: Partial<JobFields>,
): Job {
  const patched = { ...job, ...patch };
  checkJob(patched, trait_priorities ?? job.trait_priorities);
  return trait_priorities
    ? { ...patched, trait_priorities: parseTraitPriorities(trait_priorities) }
    : patched;
}

/** Lists the names of the fields that differ. */
export function listChangedFields(before: JobFields, after: JobFields): readonly (keyof JobFields)[] {
  return jobResource.changeableFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/** These texts do not influence matching. */
const fieldsWithoutEffect: ReadonlySet<keyof JobFields> = new Set([
  'title',
  'outcome_description',
  'external_ref',
  'metadata',
]);

/** Says whether anything differs that matching depends on: what the job asks for and offers, apart from its texts and its status. */
export function hasNewRequirements(before: JobFields, after: JobFields): boolean {
  return listChangedFields(before, after).some(isRequirement);
}

/** Says whether a patch names anything that matching depends on, apart from the status. */
export function mayChangeRequirements(patch: Partial<JobFields>): boolean {
  return (Object.keys(patch) as (keyof JobFields)[]).some(isRequirement);
}

function isRequirement(field: keyof JobFields): boolean {
  return field !== 'status' && !fieldsWithoutEffect.has(field);
}

/** What a job asks for and offers, apart from its trait priorities. */
export type JobTerms = Omit<JobFields, 'title' | 'outcome_description' | 'status' | 'trait_priorities'>;

/** Picks the terms of a job, which are stored with each version. A field that is added to the resource is one of them. */
export function pickTerms(job: JobFields): JobTerms {
  const names = jobResource.changeableFields.filter(
    (field) => isRequirement(field) && field !== 'trait_priorities',
  );
  // The fields that are left are those of the type.
  return Object.fromEntries(names.map((name) => [name, job[name]])) as JobTerms;
}

/** Finds the event that matching needs: the job was closed, became active, or changed its requirements while active. */
export function findChangeEvent(
  before: JobFields,
  after: JobFields,
): 'job.closed' | 'job.activated' | 'job.changed' | undefined {
  if (after.status !== before.status) {
    if (after.status === 'closed') return 'job.closed';
    return after.status === 'active' ? 'job.activated' : undefined;
  }
  return after.status === 'active' && hasNewRequirements(before, after) ? 'job.changed' : undefined;
}

/** How much an organisation can ask about its matches: the number of active jobs, and of changes of requirements in 24 hours. */
export type JobLimits = { readonly active_jobs: number; readonly daily_changes: number };

/** The limits of each tier. */
export const jobLimits: Readonly<Record<Organisation['tier'], JobLimits>> = {
  'E1 Explorer': { active_jobs: 25, daily_changes: 50 },
  'E2 Builder': { active_jobs: 100, daily_changes: 200 },
  'E3 Operator': { active_jobs: 500, daily_changes: 1_000 },
  partner: { active_jobs: 5_000, daily_changes: 10_000 },
};

/**
 * Turns a map of numbers from 0 to 1 into trait priorities.
 *
 * @throws Refusal `trait_code_unknown`, naming every key that is not a trait; `trait_priorities_empty` if no priority is above zero,
 * because such a job would fit every member equally.
 */
export function parseTraitPriorities(map: Readonly<Record<string, number>>): TraitPriorities {
  const unknown = Object.keys(map).filter((code) => !isTraitCode(code));
  if (unknown.length > 0)
    throw new Refusal('trait_code_unknown', { errors: unknown.map(buildUnknownCodeError) });
  if (!Object.values(map).some((priority) => priority > 0)) {
    throw createFieldRefusal(
      'trait_priorities_empty',
      '/trait_priorities',
      'must contain at least one number above 0',
    );
  }
  return map;
}

/** Checks a salary. @throws Refusal `field_invalid`, naming the fields, if the maximum is below the minimum or the currency is missing. */
export function checkSalary(salary: Salary): void {
  runAllChecks(
    () => checkSalaryRange(salary),
    () => checkSalaryCurrency(salary),
  );
}

/** Checks a salary range. @throws Refusal `field_invalid`, naming the field, if the maximum is below the minimum. */
function checkSalaryRange({ salary_min, salary_max }: Omit<Salary, 'salary_currency'>): void {
  if (salary_min !== null && salary_max !== null && salary_max < salary_min)
    throw createFieldRefusal('field_invalid', '/salary_max', 'must not be below salary_min');
}

/** Checks the currency of a salary. @throws Refusal `field_invalid`, naming the field, if it is missing. */
function checkSalaryCurrency({ salary_min, salary_max, salary_currency }: Salary): void {
  if ((salary_min ?? salary_max) !== null && salary_currency === null)
    throw createFieldRefusal('field_invalid', '/salary_currency', 'is required when a salary is given');
}

/**
 * Turns the text of a search box into a PostgreSQL `tsquery` of word prefixes, so that results appear while the user types. Returns an
 * empty string if the text uses operators such as quotes or exclusion, because prefixes would defeat them.
 */
export function buildPrefixQuery(query: string): string {
  if (/"|(^|\s)-/.test(query)) return '';
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map((word) => `'${word}':*`).join(' & ');
}

/** Names a key that is not a trait by its JSON pointer (RFC 6901). */
function buildUnknownCodeError(code: string): FieldError {
  const escaped = code.replaceAll('~', '~0').replaceAll('/', '~1');
  return { pointer: `/trait_priorities/${escaped}`, reason: 'must be one of the MVP-20 trait codes' };
}
