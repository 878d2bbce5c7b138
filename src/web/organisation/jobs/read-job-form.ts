import { Refusal, type FieldError } from '#lib/refusal.ts';
import type * as jobs from '#modules/matching/jobs';
import type { TraitPriorities } from '#modules/measurement/traits';
import type { OperationInput } from '#platform/operation.ts';
import { readCountry, readState } from '../../parts/countries.ts';
import { readList } from '../../parts/read-list.ts';
import type { Visit } from '../../serving/page.ts';
import { picks, readPriorities } from './priorities.ts';

type Fields = Readonly<Record<string, string>>;
type JobInput = Required<
  Omit<
    OperationInput<typeof jobs.createJob>,
    'occupation_code' | 'priorities_choice' | 'external_ref' | 'metadata'
  >
>;

/** A job as a form has it, and the names of places in it that are none. Such a name is {@link unreadable}, which every operation refuses with the other faults. */
export type ReadJob = { readonly job: JobInput; readonly faults: readonly FieldError[] };

const unreadable = '?';

/**
 * Reads the form of a job. The operation refuses wrong values.
 *
 * @param start The priorities from which the sliders started.
 */
export function readJobForm(visit: Visit, fields: Fields, start: TraitPriorities): ReadJob {
  const faults: FieldError[] = [];
  const read = (name: string) => fields[name]?.trim() ?? '';
  const [salary_min, salary_max] = [readNumber(read('salary_min')), readNumber(read('salary_max'))];
  const offersSalary = salary_min !== null || salary_max !== null;
  const job = {
    title: read('title'),
    outcome_description: read('outcome_description').replaceAll('\r\n', '\n'),
    trait_priorities: readPriorities(fields, start),
    constraints: readConstraints(visit, fields, faults),
    ...readChoices(visit.texts.jobEditor.choices, read),
    salary_min,
    salary_max,
    salary_currency: offersSalary ? read('salary_currency').toUpperCase() || null : null,
  };
  return { job, faults };
}

export type Choices = Visit['texts']['jobEditor']['choices'];

/** The names of the fields that are a choice. The words of each are in the texts. */
export function listChoices(choices: Choices): readonly (keyof Choices)[] {
  return Object.keys(choices) as (keyof Choices)[];
}

/** Reads each field that is a choice. A form that lacks one leaves it at its default. */
function readChoices(choices: Choices, read: (name: string) => string): Pick<JobInput, keyof Choices> {
  const chosen = listChoices(choices).flatMap((name) =>
    read(name) === '' ? [] : [[name, read(name)] as const],
  );
  return Object.fromEntries(chosen) as Pick<JobInput, keyof Choices>;
}

/** Reads the conditions on a person's profile. A condition that is left empty is none. */
function readConstraints(visit: Visit, fields: Fields, faults: FieldError[]): JobInput['constraints'] {
  const read = (name: string) => fields[name]?.trim() ?? '';
  const readPlaces = (name: string, readPlace: (text: string) => string) =>
    collectPlaces(readList(read(name)), readPlace, faults);
  const location_countries = readPlaces('location_countries', (text) =>
    readCountry(visit, 'location_countries', text),
  );
  const [country] = location_countries;
  // What a state may be is not known without its country.
  const readOwnState = (text: string) =>
    country === unreadable ? unreadable : readState(visit, 'location_states', country ?? null, text);
  const location_states = readPlaces('location_states', readOwnState);
  const years = readNumber(read('years_experience_min'));
  const education = read('education_level_min') as JobInput['constraints']['education_level_min'] | '';
  return {
    ...(location_countries.length > 0 && { location_countries }),
    ...(location_states.length > 0 && { location_states }),
    ...(years !== null && { years_experience_min: years }),
    ...(education && { education_level_min: education }),
  };
}

/** Reads places by their names or codes, and notes the fault of the first that is none. Several countries have no states in common, and the operation refuses them. */
function collectPlaces(
  names: readonly string[],
  readPlace: (text: string) => string,
  faults: FieldError[],
): readonly string[] {
  try {
    return [...new Set(names.map(readPlace))];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.push(...(error.extras.errors ?? []));
    return [unreadable];
  }
}

/** Writes countries as {@link readConstraints} reads them. */
export function formatCountries({ format }: Visit, codes: readonly string[]): string {
  return codes.map((code) => format.formatCountry(code)).join(', ');
}

function readNumber(text: string): number | null {
  return text === '' ? null : Number(text);
}

/**
 * Runs an operation on a job that a form has. A refusal names the fields as the form does, without the objects around them, and has the faults of names of places in their place. So one refusal says everything that is wrong.
 */
export async function collectAllFaults<Result>(
  { faults }: Pick<ReadJob, 'faults'>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.extras.errors) throw error;
    const found = error.extras.errors.map((each) => ({ ...each, pointer: renamePointer(each.pointer) }));
    const errors = [...faults, ...found.filter((each) => !faults.some((fault) => isSameField(fault, each)))];
    throw new Refusal(error.code, { ...error.extras, errors });
  }
}

function isSameField(one: FieldError, other: FieldError): boolean {
  return one.pointer.split('/')[1] === other.pointer.split('/')[1] || other.pointer === '/constraints';
}

function renamePointer(pointer: string): string {
  if (pointer === '/trait_priorities') return `/${picks[0][0]}`;
  return pointer.replace(/^\/constraints\/(?=.)/, '/').replace(/^\/trait_priorities\/(?=.)/, '/priority_');
}
