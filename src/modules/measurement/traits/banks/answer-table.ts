import { OperatorError } from '#platform/command-line.ts';
import type { Answer } from '../items/item.ts';
import { isLanguageCode } from '../items/languages.ts';
import type { AnswerRange } from './bank-version.ts';
import { readCsvRows, type CsvRow } from './csv-rows.ts';

/** The answers of a file: a byte for each, so that 200,000 respondents to 135 statements need 27 MB. */
export type AnswerTable = {
  /** What the column `person` has, or the number of the respondent if the file has no such column. */
  readonly people: readonly string[];
  /** What another column has, if it was asked for. */
  readonly groups: readonly string[];
  /** The values of columns of numbers that were asked for; NaN where a cell is empty. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  /** The language in which each respondent read the statements, of the column `language`; empty if it is not said. */
  readonly languages: readonly string[];
  /** The statements in the order of the file's columns. */
  readonly item_ids: readonly string[];
  readonly missing: MissingAnswers;
  /** The columns that are neither `person` nor a statement. */
  readonly ignored_columns: number;
  /** Lists the answers of a respondent in the order of the columns. `option` counts from 0. */
  readonly listAnswers: (row: number) => readonly Answer[];
};

export type MissingAnswers = {
  /** Empty cells in the columns of statements. */
  readonly cells: number;
  /** Respondents without any answer. They have a result, and say nothing. */
  readonly respondents: number;
  /** Statements of the bank that have no column. */
  readonly columns: number;
};

const tableLimits = {
  respondents: 500_000,
  columns: 5_000,
  bytes: 400_000_000,
  characters: 1_000,
} as const;

const missing = 255;

const language_column = 'language';

/**
 * Reads the answers to the statements of a bank. The first line names the columns; `person`, `language` and the columns of statements are read, others
 * are ignored. An empty cell or `NA` is no answer.
 *
 * @throws OperatorError that names the line and the column of the first error.
 */
export async function readAnswerTable(
  file: string,
  ranges: readonly AnswerRange[],
  others: OtherColumns = {},
): Promise<AnswerTable> {
  let columns: Columns | undefined;
  const rows: Uint8Array[] = [];
  const [people, groups, languages]: [string[], string[], string[]] = [[], [], []];
  const seen = new Set<string>();
  const numbers = new Map<string, number[]>();
  for await (const batch of readCsvRows(file))
    for (const row of batch) {
      if (columns === undefined) {
        columns = findColumns(file, row, ranges, others);
        for (const { name } of columns.numbers) numbers.set(name, []);
        continue;
      }
      const person = readPerson(file, row, columns, rows.length);
      if (seen.has(person))
        throw new OperatorError(
          `${file}, line ${row.line}, column person: "${person.slice(0, 40)}" is there twice`,
        );
      seen.add(person);
      people.push(person);
      groups.push(columns.group === undefined ? '' : (row.cells[columns.group] ?? ''));
      languages.push(readLanguage(file, row, columns));
      for (const { name, column } of columns.numbers)
        numbers.get(name)!.push(readNumber(row.cells[column]!, `${file}, line ${row.line}, column ${name}`));
      rows.push(readOptions(file, row, columns));
      requireSize(file, rows.length, columns.items.length);
    }
  if (columns === undefined || rows.length === 0) throw new OperatorError(`${file} has no respondents`);
  return buildTable(columns, { rows, people, groups, numbers, languages, statements: ranges.length });
}

/** Columns that are read beside the statements: one that names groups, and those that have numbers. */
type OtherColumns = { readonly group?: string; readonly numbers?: readonly string[] };

type Columns = {
  readonly width: number;
  readonly person: number;
  readonly group: number | undefined;
  readonly language: number | undefined;
  readonly numbers: readonly { readonly name: string; readonly column: number }[];
  readonly items: readonly (AnswerRange & { readonly column: number })[];
};

function findColumns(
  file: string,
  { cells, line }: CsvRow,
  ranges: readonly AnswerRange[],
  { group: groupColumn, numbers = [] }: OtherColumns,
): Columns {
  if (cells.length > tableLimits.columns)
    throw new OperatorError(`${file} has more than ${tableLimits.columns} columns`);
  const known = new Map(ranges.map((range) => [range.id, range]));
  const named = new Set(['person', language_column, groupColumn, ...numbers]);
  const read = cells.filter((name) => known.has(name) || named.has(name));
  const twice = read.find((name, index) => read.indexOf(name) < index);
  if (twice !== undefined)
    throw new OperatorError(`${file}, line ${line}: the column "${twice.slice(0, 40)}" is there twice`);
  const items = cells.flatMap((name, column) => {
    const range = known.get(name);
    return range ? [{ ...range, column }] : [];
  });
  if (items.length === 0)
    throw new OperatorError(`${file}, line ${line}: no column has the name of a statement of the bank`);
  const group = groupColumn === undefined ? -1 : cells.indexOf(groupColumn);
  if (groupColumn !== undefined && group < 0)
    throw new OperatorError(`${file}, line ${line}: there is no column "${groupColumn.slice(0, 40)}"`);
  const lacking = numbers.find((name) => !cells.includes(name));
  if (lacking !== undefined)
    throw new OperatorError(`${file}, line ${line}: there is no column "${lacking.slice(0, 40)}"`);
  const statement = numbers.find((name) => known.has(name));
  if (statement !== undefined)
    throw new OperatorError(`${file}, line ${line}: the column "${statement.slice(0, 40)}" is a statement`);
  return {
    width: cells.length,
    person: cells.indexOf('person'),
    group: group < 0 ? undefined : group,
    numbers: numbers.map((name) => ({ name, column: cells.indexOf(name) })),
    language: cells.includes(language_column) ? cells.indexOf(language_column) : undefined,
    items,
  };
}

function readPerson(
  file: string,
  { cells, line }: CsvRow,
  { width, person }: Columns,
  before: number,
): string {
  if (cells.length !== width)
    throw new OperatorError(
      `${file}, line ${line} has ${cells.length} cells, but the first line has ${width}`,
    );
  if (person < 0) return String(before + 1);
  const name = cells[person]!;
  if (name === '' || name.length > tableLimits.characters)
    throw new OperatorError(
      `${file}, line ${line}, column person: a person has 1 to ${tableLimits.characters} characters`,
    );
  return name;
}

function readLanguage(file: string, { cells, line }: CsvRow, { language }: Columns): string {
  const code = language === undefined ? '' : cells[language]!;
  if (code === '' || code === 'NA') return '';
  if (!isLanguageCode(code))
    throw new OperatorError(
      `${file}, line ${line}, column ${language_column}: "${code.slice(0, 40)}" is not the code of a language, such as de or pt-BR`,
    );
  return code;
}

function readNumber(cell: string, where: string): number {
  if (cell === '' || cell === 'NA') return Number.NaN;
  const value = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new OperatorError(
    `${where}: "${cell.slice(0, 40)}" is not a number, written with a point; --group compares groups`,
  );
}

function readOptions(file: string, { cells, line }: CsvRow, { items }: Columns): Uint8Array {
  const options = new Uint8Array(items.length).fill(missing);
  for (let place = 0; place < items.length; place++) {
    const { id, column, lowest, highest } = items[place]!;
    const cell = cells[column]!;
    if (cell === '' || cell === 'NA') continue;
    const value = /^\d{1,2}(\.0+)?$/.test(cell) ? Number(cell) : Number.NaN;
    if (!(value >= lowest && value <= highest))
      throw new OperatorError(
        `${file}, line ${line}, column ${id}: "${cell.slice(0, 40)}" is not a whole number from ${lowest} to ${highest}`,
      );
    options[place] = value - lowest;
  }
  return options;
}

function requireSize(file: string, respondents: number, columns: number): void {
  if (respondents <= tableLimits.respondents && respondents * columns <= tableLimits.bytes) return;
  throw new OperatorError(
    `${file} has more than ${Math.min(tableLimits.respondents, Math.floor(tableLimits.bytes / columns))} respondents`,
  );
}

function buildTable(
  { items, width, person, language }: Columns,
  {
    rows,
    people,
    groups,
    numbers,
    languages,
    statements,
  }: {
    readonly rows: readonly Uint8Array[];
    readonly people: readonly string[];
    readonly groups: readonly string[];
    readonly numbers: AnswerTable['numbers'];
    readonly languages: readonly string[];
    readonly statements: number;
  },
): AnswerTable {
  const counts = rows.map((row) => row.reduce((count, option) => count + (option === missing ? 0 : 1), 0));
  const given = counts.reduce((sum, count) => sum + count, 0);
  return {
    people,
    groups,
    numbers,
    languages,
    item_ids: items.map(({ id }) => id),
    missing: {
      cells: rows.length * items.length - given,
      respondents: counts.filter((count) => count === 0).length,
      columns: statements - items.length,
    },
    ignored_columns: width - items.length - (person < 0 ? 0 : 1) - (language === undefined ? 0 : 1),
    listAnswers: (row) =>
      Array.from(rows[row]!, (option, place) => ({ item_id: items[place]!.id, option })).filter(
        ({ option }) => option !== missing,
      ),
  };
}
