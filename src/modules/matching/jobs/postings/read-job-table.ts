import { educationLevels } from '#modules/people/members';
import { createFaultsRefusal, readTable, type TableFault, type TableRow } from '#lib/read-table.ts';
import { remotePolicies } from '../field-schemas.ts';
import type { PostedFields, Posting } from './job-posting.ts';
import { draft_text_max, draft_title_max } from './draft-job.ts';
import { reference_characters_max, salary_max_units } from './posted-values.ts';

const columns = [
  'title',
  'outcome_description',
  'external_ref',
  'occupation_code',
  'remote_policy',
  'location_countries',
  'years_experience_min',
  'education_level_min',
  'salary_min',
  'salary_max',
  'salary_currency',
] as const;

type Column = (typeof columns)[number];
type Row = TableRow<Column>;
type Check = readonly [isGood: (cell: string) => boolean, reason: string];

/** A text of a job, whose letters have up to four bytes, and its other cells. */
const bounds = { rows_max: 50, row_bytes_max: 30_000 } as const;

const isAtMost = (length: number): Check => [
  (cell) => cell.length <= length && !cell.includes('\0'),
  `must have at most ${length} characters, and no NUL`,
];
const isOneOf = (values: readonly string[]): Check => [
  (cell) => values.includes(cell),
  `must be one of ${values.join(', ')}`,
];
const isWhole = (most: number): Check => [
  (cell) => /^\d{1,10}$/.test(cell) && Number(cell) <= most,
  `must be a whole number from 0 to ${most}`,
];
const salary = isWhole(salary_max_units);

const checks: Readonly<Record<Column, Check>> = {
  title: isAtMost(draft_title_max),
  outcome_description: isAtMost(draft_text_max),
  external_ref: isAtMost(reference_characters_max),
  occupation_code: [(cell) => /^\d{2}-\d{4}\.\d{2}$/.test(cell), 'must be an O*NET code such as 29-1141.00'],
  remote_policy: isOneOf(remotePolicies),
  location_countries: [
    (cell) => listCodes(cell).length <= 50 && listCodes(cell).every((code) => /^[A-Z]{2}$/.test(code)),
    'must be at most 50 codes of ISO 3166-1 with spaces between them, such as AU NZ',
  ],
  years_experience_min: isWhole(80),
  education_level_min: isOneOf(educationLevels),
  salary_min: salary,
  salary_max: salary,
  salary_currency: [(cell) => /^[A-Z]{3}$/.test(cell), 'must be an ISO 4217 code such as AUD'],
};

/**
 * Reads a table of jobs. A row is a job, and its columns are the fields of a job.
 *
 * @throws Refusal like {@link readTable}; `table_faulty`, which names the line and the column of every fault.
 */
export function readJobTable(csv: string): readonly Posting[] {
  const { header, rows, faults } = readTable(csv, { columns, ...bounds });
  const missing = (['title', 'outcome_description'] as const)
    .filter((column) => !header.includes(column))
    .map((column) => ({ line: 1, column, reason: 'must be among the columns' }));
  const all = [
    ...faults,
    ...missing,
    ...rows.flatMap((row) => findFaults(row, missing)),
    ...findRepeated(rows),
  ];
  if (all.length > 0) throw createFaultsRefusal(all, 'read');
  return rows.map(({ cells }) => ({
    reference: cells.external_ref,
    title: cells.title,
    text: cells.outcome_description ?? '',
    fields: readFields(cells),
  }));
}

/** @param missing The columns that the table lacks, which is one fault and not one of each row. */
function findFaults({ line, cells }: Row, missing: readonly TableFault[]): readonly TableFault[] {
  const empty = (['title', 'outcome_description'] as const)
    .filter((column) => cells[column] === undefined && missing.every((fault) => fault.column !== column))
    .map((column) => ({ line, column, reason: 'must be filled in' }));
  const wrong = columns.flatMap((column) => {
    const cell = cells[column];
    const [isGood, reason] = checks[column];
    return cell === undefined || isGood(cell) ? [] : [{ line, column, reason }];
  });
  const { salary_min, salary_max, salary_currency } = cells;
  if (salary_min !== undefined && salary_max !== undefined && Number(salary_min) > Number(salary_max))
    wrong.push({ line, column: 'salary_max', reason: 'must not be below salary_min' });
  if ((salary_min ?? salary_max) !== undefined && salary_currency === undefined)
    wrong.push({ line, column: 'salary_currency', reason: 'must be filled in with a salary' });
  return [...empty, ...wrong];
}

function findRepeated(rows: readonly Row[]): readonly TableFault[] {
  const seen = new Map<string, number>();
  return rows.flatMap(({ line, cells: { external_ref } }) => {
    if (external_ref === undefined) return [];
    const first = seen.get(external_ref);
    if (first === undefined) seen.set(external_ref, line);
    return first === undefined ? [] : [{ line, column: 'external_ref', reason: `is that of line ${first}` }];
  });
}

function readFields(cells: Row['cells']): PostedFields {
  const { occupation_code, salary_currency, location_countries = '' } = cells;
  const countries = [...new Set(listCodes(location_countries))];
  const constraints = {
    ...(countries.length > 0 && { location_countries: countries }),
    ...readNumber('years_experience_min', cells),
    ...pickWord('education_level_min', educationLevels, cells),
  };
  return {
    ...(occupation_code !== undefined && { occupation_code }),
    ...pickWord('remote_policy', remotePolicies, cells),
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...readNumber('salary_min', cells),
    ...readNumber('salary_max', cells),
    ...((cells.salary_min ?? cells.salary_max) !== undefined && salary_currency && { salary_currency }),
  };
}

function listCodes(cell: string): readonly string[] {
  return cell.split(/[\s,;]+/).filter((code) => code !== '');
}

function readNumber<Name extends Column>(
  name: Name,
  cells: Row['cells'],
): { readonly [Key in Name]?: number } {
  const cell = cells[name];
  return (cell === undefined ? {} : { [name]: Number(cell) }) as { readonly [Key in Name]?: number };
}

function pickWord<Name extends Column, Word extends string>(
  name: Name,
  words: readonly Word[],
  cells: Row['cells'],
): { readonly [Key in Name]?: Word } {
  const word = words.find((each) => each === cells[name]);
  return (word === undefined ? {} : { [name]: word }) as { readonly [Key in Name]?: Word };
}
