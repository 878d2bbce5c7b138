import { isDeepStrictEqual } from 'node:util';
import type { Job } from '../resource.ts';
import type { JobDraft } from './draft-job.ts';

/** The fields of a job that a posting can say. Those of a group change together. */
const comparedGroups = [
  ['title'],
  ['outcome_description'],
  ['remote_policy'],
  ['constraints'],
  ['salary_min', 'salary_max', 'salary_currency'],
] as const;

type ComparedFields = Pick<Job, (typeof comparedGroups)[number][number]>;

/** What differs: the fields as the job has them, and as the posting says them. */
type Differences = {
  readonly current: Partial<ComparedFields>;
  readonly posted: Partial<ComparedFields>;
};

type Posted = Pick<JobDraft, 'title' | 'outcome_description' | 'fields'>;

/** Compares a job with a posting. What the posting does not say is no difference. */
export function compareJob(job: Job, draft: Posted): Differences {
  const said = listSaid(job, draft);
  const isDifferent = (name: keyof ComparedFields) =>
    name in said && !isDeepStrictEqual(said[name], job[name]);
  const changed = comparedGroups.flatMap((group) => (group.some(isDifferent) ? [...group] : []));
  return { current: pick(job, changed), posted: pick(said, changed) };
}

function listSaid(job: Job, { title, outcome_description, fields }: Posted): Partial<ComparedFields> {
  const { remote_policy, constraints, salary_currency, salary_min = null, salary_max = null } = fields;
  return {
    ...(title !== null && { title }),
    ...(outcome_description !== null && { outcome_description }),
    ...(remote_policy && { remote_policy }),
    ...(constraints && { constraints: mergeConstraints(job.constraints, constraints) }),
    ...(salary_currency !== undefined && { salary_currency, salary_min, salary_max }),
  };
}

/** Conditions that the posting does not name stay. States belong to their country, and go with it. */
function mergeConstraints(
  { location_states, ...current }: Job['constraints'],
  posted: Job['constraints'],
): Job['constraints'] {
  const merged = { ...current, ...posted };
  const isSameCountry = isDeepStrictEqual(merged.location_countries, current.location_countries);
  return { ...merged, ...(location_states && isSameCountry && { location_states }) };
}

function pick(fields: Partial<ComparedFields>, names: readonly (keyof ComparedFields)[]) {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<ComparedFields>;
}
