import { OperatorError } from '#platform/command-line.ts';
import { readCsvRows, readLines, type CsvRow } from '../banks/csv-rows.ts';
import { indexBank, noErrors, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer, GradedItem } from '../items/item.ts';

export type CsvAnswers = {
  readonly bank: ItemBank<string>;
  /** The answers of each respondent who gave any. */
  readonly answerSets: readonly (readonly Answer[])[];
  /** The number of columns that do not have the name of an item. */
  readonly ignored_columns: number;
};

const csvLimits = {
  rows: 100_000,
  columns: 2_000,
  categories: 10,
  scales: 100,
} as const;

/**
 * Reads answers from a CSV file. The first line names the columns, every other line has the answers of one respondent, and an empty cell
 * or `NA` means no answer. Cells may be quoted (RFC 4180).
 *
 * Without a key the columns are the statements of our own bank, and an answer is the index of the option as shown, 0 to 4. With a key file
 * the columns belong to another questionnaire: each line `scale: item -item …` of the key names a scale and its items, with a minus for
 * reverse-keyed items. Its answers are whole numbers, and the lowest and highest answers to a scale define its ends.
 *
 * @throws OperatorError that names the file and the line that cannot be read.
 */
export async function readAnswersCsv(
  file: string,
  keyFile: string | undefined,
  own: ItemBank = itemBank,
): Promise<CsvAnswers> {
  const scales = keyFile === undefined ? undefined : await readKey(keyFile);
  const [first, ...rows] = await readRows(file);
  const header = first?.cells ?? [''];
  if (header.length > csvLimits.columns)
    throw new OperatorError(`${file} has more than ${csvLimits.columns} columns`);
  if (new Set(header).size < header.length)
    throw new OperatorError(`${file}, line ${first?.line ?? 1}: a column name appears twice`);
  const wanted = scales?.flatMap(({ items }) => items.map(({ id }) => id)) ?? own.graded.map(({ id }) => id);
  const columns = wanted.flatMap((id) => (header.includes(id) ? [{ id, column: header.indexOf(id) }] : []));
  const missing = wanted.find((id) => !header.includes(id));
  if (scales && missing !== undefined)
    throw new OperatorError(`${file} has no column ${missing}, but the key names it`);
  if (columns.length === 0)
    throw new OperatorError(
      `${file}, line ${first?.line ?? 1}: no column has the name of a statement of ${own.version}`,
    );
  const answerSets = parseAnswers(file, rows, header.length, columns);
  const ignored_columns = header.length - columns.length;
  if (scales) return { ...applyKey(scales, answerSets), ignored_columns };
  checkOptions(file, answerSets);
  return { bank: own, answerSets, ignored_columns };
}

type KeyedScale = {
  readonly name: string;
  readonly items: readonly { readonly id: string; readonly reversed: boolean }[];
};

async function readKey(file: string): Promise<readonly KeyedScale[]> {
  const lines: string[] = [];
  for await (const line of readLines(file)) lines.push(line);
  const scales = lines.flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [name = '', items = '', more] = line.split(':').map((part) => part.trim());
    const words = items.split(/\s+/).filter((word) => word !== '');
    if (name === '' || words.length < 2 || more !== undefined)
      throw new OperatorError(
        `${file}, line ${index + 1}: expected "scale: item -item …" with at least two items`,
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

/** Reads all rows of the answers, the header first. */
async function readRows(file: string): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const batch of readCsvRows(file)) {
    rows.push(...batch);
    if (rows.length > csvLimits.rows + 1)
      throw new OperatorError(`${file} has more than ${csvLimits.rows} respondents`);
  }
  return rows;
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
      throw new OperatorError(`${where} has ${cells.length} cells, but the first line has ${width}`);
    const answers = columns.flatMap(({ id, column }) => {
      const cell = cells[column]!;
      if (cell === '' || cell === 'NA') return [];
      if (!/^-?\d{1,6}$/.test(cell))
        throw new OperatorError(`${where}, column ${id}: "${cell.slice(0, 40)}" is not a whole number`);
      return [{ item_id: id, option: Number(cell) }];
    });
    return answers.length === 0 ? [] : [answers];
  });
}

function checkOptions(file: string, answerSets: readonly (readonly Answer[])[]): void {
  const wrong = answerSets.flat().find(({ option }) => option < 0 || option > 4);
  if (wrong)
    throw new OperatorError(`${file}: the options of ${wrong.item_id} are 0 to 4, not ${wrong.option}`);
}

/** Builds a bank of the key's scales, and counts the answers from the lowest answer to each scale. */
function applyKey(
  scales: readonly KeyedScale[],
  answerSets: readonly (readonly Answer[])[],
): { readonly bank: ItemBank<string>; readonly answerSets: readonly (readonly Answer[])[] } {
  const lowest = new Map<string, number>();
  const graded = scales.flatMap(({ name, items }) => {
    const ids = new Set(items.map(({ id }) => id));
    let [low, high] = [Infinity, -Infinity];
    for (const answers of answerSets)
      for (const { item_id, option } of answers)
        if (ids.has(item_id)) [low, high] = [Math.min(low, option), Math.max(high, option)];
    if (!(high > low)) throw new OperatorError(`the answers to ${name} are all the same`);
    if (high - low >= csvLimits.categories)
      throw new OperatorError(
        `the answers to ${name} range from ${low} to ${high}, but a scale may have at most ${csvLimits.categories} steps`,
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
      errors: noErrors,
    }),
    answerSets: answerSets.map((answers) =>
      answers.map(({ item_id, option }) => ({ item_id, option: option - lowest.get(item_id)! })),
    ),
  };
}

/** Builds an item with starting values: a usual discrimination, and thresholds evenly spaced over the middle of the population. */
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
