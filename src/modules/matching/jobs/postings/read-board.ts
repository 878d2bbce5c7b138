import type { RemotePolicy } from '../field-schemas.ts';
import type { PostedFields, Posting } from './job-posting.ts';
import { readProperty, readReference, readText, readTitle, readYearlySalary } from './posted-values.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the jobs of a public board, as Greenhouse (`GET /v1/boards/{token}/jobs?content=true`), Lever (`GET /v0/postings/{site}?mode=json`) and Ashby (`GET /posting-api/job-board/{name}`) publish them.
 *
 * @returns undefined for anything else, even if only one of the jobs is none.
 */
export function readBoard(value: unknown): readonly Posting[] | undefined {
  const jobs: unknown = Array.isArray(value) ? value : readProperty(value, 'jobs');
  if (!Array.isArray(jobs)) return undefined;
  const read = jobs.filter(isListed).map(Array.isArray(value) ? readLeverJob : readOtherJob);
  return read.some((posting) => posting === undefined) ? undefined : (read as readonly Posting[]);
}

/** Ashby also publishes jobs that its board does not list. */
function isListed(job: unknown): boolean {
  return readProperty(job, 'isListed') !== false;
}

function readLeverJob(job: unknown): Posting | undefined {
  const values = toValues(job);
  if (typeof values['text'] !== 'string') return undefined;
  const lists = [values['lists']].flat().map((list) => {
    const [heading, content] = [readProperty(list, 'text'), readProperty(list, 'content')];
    return [heading, content].filter((part) => typeof part === 'string').join('\n<br>');
  });
  const { salaryRange } = values;
  const isYearly = readProperty(salaryRange, 'interval') === 'per-year-salary';
  return buildPosting(values['text'], {
    id: values['id'],
    texts: [values['description'] ?? values['descriptionPlain'], ...lists, values['additional']],
    workplace: values['workplaceType'],
    salary: isYearly
      ? readYearlySalary(readProperty(salaryRange, 'currency'), {
          from: readProperty(salaryRange, 'min'),
          to: readProperty(salaryRange, 'max'),
        })
      : {},
  });
}

function readOtherJob(job: unknown): Posting | undefined {
  const values = toValues(job);
  if (typeof values['title'] !== 'string') return undefined;
  const { title, id } = values;
  if ('jobUrl' in values) return readAshbyJob(title, values);
  // Greenhouse says in words where the work is done, which are not read.
  if (!('absolute_url' in values)) return undefined;
  return buildPosting(title, { id, texts: [values['content']], workplace: undefined, salary: {} });
}

function readAshbyJob(title: string, values: Values): Posting {
  const { id, isRemote, workplaceType, compensation } = values;
  const components = [readProperty(compensation, 'summaryComponents')].flat();
  const salary = components.find(
    (each) =>
      readProperty(each, 'compensationType') === 'Salary' && readProperty(each, 'interval') === '1 YEAR',
  );
  return buildPosting(title, {
    id,
    texts: [values['descriptionHtml'] ?? values['descriptionPlain']],
    workplace: workplaceType ?? (isRemote === true ? 'Remote' : undefined),
    salary: readYearlySalary(readProperty(salary, 'currencyCode'), {
      from: readProperty(salary, 'minValue'),
      to: readProperty(salary, 'maxValue'),
    }),
  });
}

type Read = {
  readonly id: unknown;
  /** The parts of the text, as HTML. */
  readonly texts: readonly unknown[];
  readonly workplace: unknown;
  readonly salary: PostedFields;
};

function buildPosting(written: string, { id, texts, workplace, salary }: Read): Posting {
  const remote_policy = readWorkplace(workplace);
  return {
    reference: readReference(id),
    title: readTitle(written),
    text: texts
      .map(readText)
      .filter((text) => text !== '')
      .join('\n\n'),
    fields: { ...(remote_policy && { remote_policy }), ...salary },
  };
}

/** The places of work by their names without hyphens in small letters. */
const workplaces: Readonly<Record<string, RemotePolicy>> = {
  remote: 'remote',
  hybrid: 'hybrid',
  onsite: 'onsite',
};

function readWorkplace(value: unknown): RemotePolicy | undefined {
  const name = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '') : '';
  return Object.hasOwn(workplaces, name) ? workplaces[name] : undefined;
}

function toValues(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {};
}
