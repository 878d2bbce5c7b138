import type { JobConstraints, RemotePolicy } from '../field-schemas.ts';
import {
  readAmount,
  readProperty,
  readReference,
  readText,
  readTitle,
  readYearlySalary,
} from './posted-values.ts';

/** What a JobPosting says about a job besides its text. Whatever cannot be read for certain is left out. */
export type PostedFields = {
  readonly occupation_code?: string;
  readonly remote_policy?: RemotePolicy;
  readonly constraints?: JobConstraints;
  readonly salary_min?: number;
  readonly salary_max?: number;
  readonly salary_currency?: string;
};

/** A job as somebody has published it. */
export type Posting = {
  /** What its publisher calls it: the same for every version of a posting. */
  readonly reference?: string | undefined;
  readonly title: string | undefined;
  readonly text: string;
  readonly fields: PostedFields;
};

type Values = Readonly<Record<string, unknown>>;

/** The properties of a JobPosting that are about the work, in the order in which they are read. */
const textProperties = [
  'description',
  'responsibilities',
  'qualifications',
  'skills',
  'experienceRequirements',
  'educationRequirements',
];

/** Reads a JobPosting (https://schema.org/JobPosting, and what search engines ask of it). */
export function readJobPosting(posting: object): Posting {
  const values = posting as Values;
  const texts = new Set(textProperties.map((name) => readText(values[name])));
  const { identifier } = values;
  return {
    reference: readReference(readProperty(identifier, 'value') ?? identifier) ?? readReference(values['url']),
    title: readTitle(values['title'] ?? values['name']),
    text: [...texts].filter((text) => text !== '').join('\n\n'),
    fields: readFields(values),
  };
}

function readFields(values: Values): PostedFields {
  const occupation_code = /\b\d{2}-\d{4}\.\d{2}\b/.exec(readText(values['occupationalCategory']))?.[0];
  const isRemote = readText(values['jobLocationType']) === 'TELECOMMUTE';
  const constraints = readConstraints(values);
  return {
    ...(occupation_code !== undefined && { occupation_code }),
    ...(isRemote && { remote_policy: 'remote' as const }),
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...readSalary(values['baseSalary']),
  };
}

/** The categories of a credential that search engines know, and the least level of education that each is. */
export const credentialCategories: Readonly<Record<string, JobConstraints['education_level_min']>> = {
  'high school': 'secondary',
  'professional certificate': 'certificate',
  'associate degree': 'diploma',
  'bachelor degree': 'bachelors',
  'postgraduate degree': 'masters',
};

/** Reads what a person must have. Where the work is does not say where a person must live; for work from afar, a posting names the countries. */
function readConstraints(values: Values): JobConstraints {
  const months = readAmount(readProperty(values['experienceRequirements'], 'monthsOfExperience')) ?? 0;
  const years = Math.floor(months / 12);
  const category = readProperty(values['educationRequirements'], 'credentialCategory');
  const education = typeof category === 'string' ? credentialCategories[category.toLowerCase()] : undefined;
  const location_countries = readCountries(values['applicantLocationRequirements']);
  return {
    ...(location_countries.length > 0 && { location_countries }),
    ...(years > 0 && years <= 80 && { years_experience_min: years }),
    ...(education && { education_level_min: education }),
  };
}

const countries_max = 50;

/** Reads countries that are named by their code. If one is not, nothing is read, because the others alone would be a wrong condition. */
function readCountries(value: unknown): readonly string[] {
  const names = [value]
    .flat()
    .filter((each) => each !== undefined)
    .map((each) => readProperty(each, 'name'));
  const areCodes = names.every((name) => typeof name === 'string' && /^[A-Z]{2}$/.test(name));
  return areCodes && names.length <= countries_max ? [...new Set(names as string[])] : [];
}

/** Reads a salary a year. Others would have to be converted by hours that the posting does not say. */
function readSalary(value: unknown): ReturnType<typeof readYearlySalary> {
  const amount = readProperty(value, 'value');
  if (readProperty(amount, 'unitText') !== 'YEAR') return {};
  const single = readProperty(amount, 'value');
  return readYearlySalary(readProperty(value, 'currency'), {
    from: readProperty(amount, 'minValue') ?? single,
    to: readProperty(amount, 'maxValue') ?? single,
  });
}
