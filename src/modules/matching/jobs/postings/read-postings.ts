import { readHtml } from './html-text.ts';
import { readBoard } from './read-board.ts';
import { readJobPosting, type Posting } from './job-posting.ts';

/** What a document can be. `job_posting`: the JobPosting of schema.org, as JSON-LD or in the HTML of a page. `text`: a text, whose HTML is left out. */
export const postingFormats = ['job_posting', 'text'] as const;

export type PostingFormat = (typeof postingFormats)[number];

/** How many values of a JSON-LD document are looked at. */
const values_max = 20_000;

/**
 * Reads the jobs of a document. Without a format, it is searched for a JobPosting, and otherwise read as a text. This is the one place that reads what other services publish about a job.
 *
 * @returns no job if the document has none of this format.
 */
export function readPostings(document: string, format: PostingFormat | undefined): readonly Posting[] {
  if (format === 'text') return readText(document);
  const found = findJobPostings(document);
  return found.length > 0 || format === 'job_posting' ? found : readText(document);
}

/**
 * Reads the jobs that a server publishes: those of a board as JSON, or each JobPosting of a document.
 *
 * @returns undefined if the document is neither. A board without jobs has none.
 */
export function readPublished(document: string): readonly Posting[] | undefined {
  const board = isJson(document) ? readBoard(parseJson(document)) : undefined;
  const found = board ?? findJobPostings(document);
  return board || found.length > 0 ? found : undefined;
}

function isJson(document: string): boolean {
  const start = document.trimStart()[0];
  return start === '{' || start === '[';
}

function findJobPostings(document: string): readonly Posting[] {
  const sources = isJson(document) ? [document] : readHtml(document).json_ld;
  return sources.flatMap((source) => listJobPostings(parseJson(source))).map(readJobPosting);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lists the objects of the type JobPosting, however deep, in the order of a walk that reads each level before the next. */
function listJobPostings(value: unknown): readonly object[] {
  const waiting: unknown[] = [value];
  const found: object[] = [];
  for (let index = 0; index < waiting.length && index < values_max; index++) {
    const each = waiting[index];
    if (typeof each !== 'object' || each === null) continue;
    if (isJobPosting(each)) found.push(each);
    else waiting.push(...(Object.values(each) as unknown[]).slice(0, values_max));
  }
  return found;
}

function isJobPosting(value: object): boolean {
  const types = '@type' in value ? [value['@type']].flat() : [];
  return types.some((type) => typeof type === 'string' && /(?:^|[/:])JobPosting$/.test(type));
}

const title_characters_max = 120;

/** The first line of a text is its title, if it is short, is no sentence, and more follows. */
function readText(document: string): readonly Posting[] {
  const { text } = readHtml(document);
  if (text === '') return [];
  const [first = '', ...rest] = text.split('\n');
  const body = rest.join('\n').trim();
  const hasTitle = body !== '' && first.length <= title_characters_max && !/[.!?:]$/.test(first);
  return [hasTitle ? { title: first, text: body, fields: {} } : { title: undefined, text, fields: {} }];
}
