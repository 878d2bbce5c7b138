import { Refusal } from '#lib/refusal.ts';
import type * as jobs from '#modules/matching/jobs';
import type { TraitPriorities } from '#modules/measurement/traits';
import type { OperationInput } from '#platform/operation.ts';
import { readCountry, readState } from '../../parts/countries.ts';
import { readList } from '../../parts/read-list.ts';
import type { Visit } from '../../serving/page.ts';
import { readPriorities } from './priorities.ts';

type Fields = Readonly<Record<string, string>>;
type JobInput = Required<
  Omit<
    OperationInput<typeof jobs.createJob>,
    'occupation_code' | 'priorities_choice' | 'external_ref' | 'metadata'
  >
>;

/**
 * Reads the form of a job. The operation refuses wrong values.
 *
 * @param start The priorities from which the sliders started.
 * @throws Refusal `field_invalid` for a name that is no country, or no state of it.
 */
export function readJobForm(visit: Visit, fields: Fields, start: TraitPriorities): JobInput {
  const read = (name: string) => fields[name]?.trim() ?? '';
  const [salary_min, salary_max] = [readNumber(read('salary_min')), readNumber(read('salary_max'))];
  const offersSalary = salary_min !== null || salary_max !== null;
  return {
    title: read('title'),
    outcome_description: read('outcome_description').replaceAll('\r\n', '\n'),
    trait_priorities: readPriorities(fields, start),
    constraints: readConstraints(visit, fields),
    ...readChoices(visit.texts.jobEditor.choices, read),
    salary_min,
    salary_max,
    salary_currency: offersSalary ? read('salary_currency').toUpperCase() || null : null,
  };
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
function readConstraints(visit: Visit, fields: Fields): JobInput['constraints'] {
  const read = (name: string) => fields[name]?.trim() ?? '';
  const location_countries = readCountries(visit, read('location_countries'));
  const [country] = location_countries;
  const location_states = readStates(visit, country ?? null, read('location_states'));
  const years = readNumber(read('years_experience_min'));
  const education = read('education_level_min') as JobInput['constraints']['education_level_min'] | '';
  return {
    ...(location_countries.length > 0 && { location_countries }),
    ...(location_states.length > 0 && { location_states }),
    ...(years !== null && { years_experience_min: years }),
    ...(education && { education_level_min: education }),
  };
}

/** Writes countries as {@link readConstraints} reads them. */
export function formatCountries({ format }: Visit, codes: readonly string[]): string {
  return codes.map((code) => format.formatCountry(code)).join(', ');
}

/** Reads countries by their names or codes. */
function readCountries(visit: Visit, text: string): readonly string[] {
  return [...new Set(readList(text).map((each) => readCountry(visit, 'location_countries', each)))];
}

/** Reads states by their names or codes. Several countries have none in common, and the operation refuses them. */
function readStates(visit: Visit, country: string | null, text: string): readonly string[] {
  return [...new Set(readList(text).map((each) => readState(visit, 'location_states', country, each)))];
}

function readNumber(text: string): number | null {
  return text === '' ? null : Number(text);
}

/** Runs an operation on a job. A refusal names the fields as the form does: without the objects around them. */
export async function renameRefusedFields<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.extras.errors) throw error;
    const errors = error.extras.errors.map((each) => ({ ...each, pointer: renamePointer(each.pointer) }));
    throw new Refusal(error.code, { ...error.extras, errors });
  }
}

function renamePointer(pointer: string): string {
  return pointer.replace(/^\/constraints\/(?=.)/, '/').replace(/^\/trait_priorities\/(?=.)/, '/priority_');
}
