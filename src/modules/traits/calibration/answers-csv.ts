import { CsvError, parse } from 'csv-parse/sync';
import { open } from 'node:fs/promises';
import { indexBank, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer, GradedItem } from '../items/item.ts';
import { OperatorError } from '#platform/command-line.ts';

export type CsvAnswers = {
  readonly bank: ItemBank<string>;
  readonly people: readonly (readonly Answer[])[];
  /** Columns that no item is called after. */
  readonly columns_passed_over: number;
};

/** What one file may hold. */
const csvLimits = {
  rows: 100_000,
  columns: 2_000,
  line_characters: 100_000,
  categories: 10,
  scales: 100,
} as const;

/**
 * Reads people's answers from a CSV file: the first line names the columns, every other line is a person, an empty cell or `NA` is no
 * answer. Cells may be quoted (RFC 4180).
 *
 * Without a key the columns are the statements of our own bank, and an answer is the index of the option as shown, 0 to 4. With a key file
 * they are another questionnaire's: each line `scale: item -item …` names a scale and its items, a minus for the reverse-keyed; the
 * answers are whole numbers, and the lowest and the highest of a scale are its ends.
 *
 * @throws OperatorError naming the file and the line that cannot be read.
 */
export async function readAnswersCsv(file: string, keyFile: string | undefined): Promise<CsvAnswers> {
  const scales = keyFile === undefined ? undefined : await readKey(keyFile);
  const [first, ...rows] = parseRows(file, await readLines(file));
  const header = first?.cells ?? [''];
  if (header.length > csvLimits.columns)
    throw new OperatorError(`${file} has more than ${csvLimits.columns} columns`);
  if (new Set(header).size < header.length)
    throw new OperatorError(`${file}, line ${first?.line ?? 1}: a column is there twice`);
  const wanted =
    scales?.flatMap(({ items }) => items.map(({ id }) => id)) ?? itemBank.graded.map(({ id }) => id);
  const columns = wanted.flatMap((id) => (header.includes(id) ? [{ id, column: header.indexOf(id) }] : []));
  const missing = wanted.find((id) => !header.includes(id));
  if (scales && missing !== undefined)
    throw new OperatorError(`${file} has no column ${missing}, which the key names`);
  if (columns.length === 0)
    throw new OperatorError(
      `${file}, line ${first?.line ?? 1}: no column is called after a statement of ${itemBank.version}`,
    );
  const people = parseAnswers(file, rows, header.length, columns);
  const columns_passed_over = header.length - columns.length;
  if (!scales) return { bank: itemBank, people: checkOptions(file, people), columns_passed_over };
  return { ...applyKey(scales, people), columns_passed_over };
}

type KeyedScale = {
  readonly name: string;
  readonly items: readonly { readonly id: string; readonly reversed: boolean }[];
};

async function readKey(file: string): Promise<readonly KeyedScale[]> {
  const scales = (await readLines(file)).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [name = '', items = '', more] = line.split(':').map((part) => part.trim());
    const words = items.split(/\s+/).filter((word) => word !== '');
    if (name === '' || words.length < 2 || more !== undefined)
      throw new OperatorError(
        `${file}, line ${index + 1}: expected "scale: item -item …" with two items or more`,
      );
    return [
      { name, items: words.map((word) => ({ id: word.replace(/^-/, ''), reversed: word.startsWith('-') })) },
    ];
  });
  const ids = scales.flatMap(({ items }) => items.map(({ id }) => id));
  if (scales.length === 0 || scales.length > csvLimits.scales)
    throw new OperatorError(`${file} must name 1 to ${csvLimits.scales} scales`);
  if (new Set(ids).size < ids.length || new Set(scales.map(({ name }) => name)).size < scales.length)
    throw new OperatorError(`${file} names a scale or an item twice`);
  return scales;
}

async function readLines(file: string): Promise<readonly string[]> {
  try {
    await using handle = await open(file);
    const lines: string[] = [];
    for await (const line of handle.readLines({ encoding: 'utf8' })) {
      if (line.length > csvLimits.line_characters)
        throw new OperatorError(
          `${file}, line ${lines.length + 1} is longer than ${csvLimits.line_characters} characters`,
        );
      lines.push(lines.length === 0 ? line.replace(/^\uFEFF/, '') : line);
      if (lines.length > csvLimits.rows + 1)
        throw new OperatorError(`${file} has more than ${csvLimits.rows} people`);
    }
    return lines;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new OperatorError(`${file} cannot be read (${code})`);
  }
}

/** A row of the file, and the line where it ends, counted from 1. */
type CsvRow = { readonly cells: readonly string[]; readonly line: number };

/** The rows that are not empty, the header first. */
function parseRows(file: string, lines: readonly string[]): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(lines.join('\n'), {
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: readonly string[], { lines }) => void rows.push({ cells, line: lines }),
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser names the line where it stopped, which for a mark that is not closed is the end of the file.
    const read = rows.at(-1)?.line ?? 0;
    const line = lines.findIndex((text, index) => index >= read && text.trim() !== '') + 1;
    throw new OperatorError(
      `${file}, line ${line}: a quotation mark is not closed, or it is inside a cell that is not quoted`,
    );
  }
}

function parseAnswers(
  file: string,
  rows: readonly CsvRow[],
  width: number,
  columns: readonly { readonly id: string; readonly column: number }[],
): readonly (readonly Answer[])[] {
  return rows.flatMap(({ cells, line }) => {
    const where = `${file}, line ${line}`;
    if (cells.length !== width)
      throw new OperatorError(`${where} has ${cells.length} cells, and the first line ${width}`);
    const answers = columns.flatMap(({ id, column }) => {
      const cell = cells[column]!;
      if (cell === '' || cell === 'NA') return [];
      if (!/^-?\d{1,6}$/.test(cell))
        throw new OperatorError(`${where}, column ${id}: "${cell.slice(0, 40)}" is no whole number`);
      return [{ item_id: id, option: Number(cell) }];
    });
    return answers.length === 0 ? [] : [answers];
  });
}

function checkOptions(file: string, people: readonly (readonly Answer[])[]): readonly (readonly Answer[])[] {
  const wrong = people.flat().find(({ option }) => option < 0 || option > 4);
  if (wrong)
    throw new OperatorError(`${file}: the options of ${wrong.item_id} are 0 to 4, not ${wrong.option}`);
  return people;
}

/** A bank of the key's scales, and the answers as indices from each scale's lowest. */
function applyKey(
  scales: readonly KeyedScale[],
  people: readonly (readonly Answer[])[],
): { readonly bank: ItemBank<string>; readonly people: readonly (readonly Answer[])[] } {
  const lowest = new Map<string, number>();
  const graded = scales.flatMap(({ name, items }) => {
    const ids = new Set(items.map(({ id }) => id));
    let [low, high] = [Infinity, -Infinity];
    for (const answers of people)
      for (const { item_id, option } of answers)
        if (ids.has(item_id)) [low, high] = [Math.min(low, option), Math.max(high, option)];
    if (!(high > low)) throw new OperatorError(`the answers to ${name} are all the same`);
    if (high - low >= csvLimits.categories)
      throw new OperatorError(
        `the answers to ${name} are from ${low} to ${high}: at most ${csvLimits.categories} steps can be read`,
      );
    for (const { id } of items) lowest.set(id, low);
    return items.map((item) => buildKeyedItem(name, item, high - low));
  });
  const names = scales.map(({ name }) => name);
  return {
    bank: indexBank({
      version: 'key',
      parameter_version: 'key',
      provisional: true,
      traits: names,
      families: new Map(names.map((name) => [name, name])),
      covariance: names.map((row) => names.map((column) => (row === column ? 1 : 0))),
      graded,
      scenarios: [],
    }),
    people: people.map((answers) =>
      answers.map(({ item_id, option }) => ({ item_id, option: option - lowest.get(item_id)! })),
    ),
  };
}

/** Before any answer: a discrimination that questionnaires usually have, and thresholds evenly over the middle of the population. */
function buildKeyedItem(
  trait: string,
  { id, reversed }: { readonly id: string; readonly reversed: boolean },
  steps: number,
): GradedItem<string> {
  return {
    id,
    trait,
    text: id,
    ...(reversed && { reversed: true as const }),
    discrimination: 1.3,
    thresholds: Array.from({ length: steps }, (_, index) => (4 * (index + 0.5)) / steps - 2),
  };
}
