import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { isWorkStyleScale, workStyleLayouts, type WorkStyleScale } from './work-styles-crosswalk.ts';

/** The attribution that CC BY 4.0 requires wherever anything derived from the O*NET database is shown. */
export const onetAttribution =
  'This uses information from the O*NET database by the U.S. Department of Labor, Employment and Training Administration ' +
  '(USDOL/ETA), used under the CC BY 4.0 licence (https://creativecommons.org/licenses/by/4.0/). O*NET is a trademark of USDOL/ETA. ' +
  'Tessera has modified this information; USDOL/ETA has not approved, endorsed or tested the modifications.';

/** A whole text, or its lines one by one, such as those of `FileHandle.readLines()`. */
export type Lines = string | Iterable<string> | AsyncIterable<string>;

/** A row of `Occupation Data.txt`. */
export type Occupation = {
  readonly onet_code: string;
  readonly title: string;
  readonly description: string;
};

/** A row of `Work Styles.txt`: the rating on its scale, and its standard error in the same unit if one was published. */
export type WorkStyleRating = {
  readonly onet_code: string;
  readonly scale: WorkStyleScale;
  readonly work_style: string;
  readonly rating: number;
  readonly standard_error: number | undefined;
  readonly suppressed: boolean;
};

/** The file is not in the published format. `line` and `column` count from 1, as editors and spreadsheets do. */
export class OnetFormatError extends Error {
  readonly file: string;
  readonly line: number;
  readonly column: number;

  constructor(place: Place, reason: string) {
    super(`${place.file}, line ${place.line}, column ${place.column}: ${reason}`);
    this.name = 'OnetFormatError';
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
  }
}

/** Far above the published 1,110 occupations and 38,766 rows, yet low enough that an unsuitable file cannot exhaust the memory. */
export const onetLimits = { line_characters: 16_384, rows: 200_000 } as const;

/**
 * Reads `Occupation Data.txt` row by row: tab-separated UTF-8 with a header line. Columns are found by name, in any order; other columns
 * are ignored.
 *
 * @throws OnetFormatError
 */
export async function* readOccupations(
  lines: Lines,
  file = 'Occupation Data.txt',
): AsyncGenerator<Occupation> {
  for await (const row of readRows(lines, file, ['O*NET-SOC Code', 'Title', 'Description'])) {
    yield {
      onet_code: readCode(row),
      title: readText(row, 'Title'),
      description: readText(row, 'Description'),
    };
  }
}

/**
 * Reads the ratings of `Work Styles.txt` row by row, in either layout: the importance of 16 styles (scale `IM`) or the impact of 21 styles
 * (scale `WI`). Rows of other scales and rows without a value are skipped. Rows that O*NET recommends to suppress because of their low
 * precision are marked. The layout with impacts has no standard errors.
 *
 * @throws OnetFormatError, even for a style that the crosswalk does not contain, because skipping it would silently distort every priority,
 * and for a file that contains both scales.
 */
export async function* readWorkStyles(
  lines: Lines,
  file = 'Work Styles.txt',
): AsyncGenerator<WorkStyleRating> {
  let found: WorkStyleScale | undefined;
  for await (const row of readRows(lines, file, workStyleColumns)) {
    const scale = readCell(row, 'Scale ID');
    if (!isWorkStyleScale(scale)) continue;
    found ??= scale;
    if (scale !== found) throw createCellError(row, 'Scale ID', `must be ${found} in all rows of ratings`);
    const rating = readNumber(row, 'Data Value', ...workStyleLayouts[scale].range);
    if (rating === undefined) continue;
    yield {
      onet_code: readCode(row),
      scale,
      work_style: readWorkStyle(row, scale),
      rating,
      standard_error: hasColumn(row, 'Standard Error') ? readNumber(row, 'Standard Error', 0, 5) : undefined,
      suppressed: hasColumn(row, 'Recommend Suppress') && readCell(row, 'Recommend Suppress') === 'Y',
    };
  }
}

/** Collects all rows of a reader. {@link onetLimits} bounds their number. */
export async function collectRows<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

/** The columns that both layouts have. */
const workStyleColumns = ['O*NET-SOC Code', 'Element Name', 'Scale ID', 'Data Value'];

type Place = { readonly file: string; readonly line: number; readonly column: number };
type Header = { readonly places: ReadonlyMap<string, number>; readonly width: number };
type Row = Header & { readonly file: string; readonly line: number; readonly cells: readonly string[] };

async function* readRows(lines: Lines, file: string, columns: readonly string[]): AsyncGenerator<Row> {
  let header: Header | undefined;
  for await (const { record, info } of parseLines(limitLines(lines, file))) {
    const place = { file, line: info.lines, column: 1 };
    if (header === undefined) header = parseHeader(record, columns, place);
    else yield parseRow(record, header, place);
  }
  if (header === undefined) throw new OnetFormatError({ file, line: 1, column: 1 }, 'the file is empty');
}

/** Yields the lines. Throws if a line or the number of lines exceeds {@link onetLimits}. */
async function* limitLines(lines: Lines, file: string): AsyncGenerator<string> {
  let line = 0;
  for await (const text of typeof lines === 'string' ? lines.split('\n') : lines) {
    line += 1;
    const place = { file, line, column: 1 };
    if (text.length > onetLimits.line_characters) throw new OnetFormatError(place, 'the line is too long');
    if (line > onetLimits.rows) throw new OnetFormatError(place, 'the file has too many rows');
    yield `${text}\n`;
  }
}

type ParsedLine = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

/** Quotation marks have no meaning in O*NET's format. Rows of another width are accepted here so that {@link parseRow} can name the column. */
function parseLines(lines: AsyncIterable<string>): AsyncIterable<ParsedLine> {
  const parser = parse({
    bom: true,
    delimiter: '\t',
    escape: null,
    info: true,
    quote: null,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // An error while reading lines destroys the parser, which passes the error on to its reader.
  return pipeline(Readable.from(lines), parser, () => undefined);
}

function parseHeader(cells: readonly string[], columns: readonly string[], place: Place): Header {
  const names = cells.map((name) => name.trim());
  for (const column of columns) {
    if (names.includes(column)) continue;
    const columnNames = names.join(', ').slice(0, 200);
    throw new OnetFormatError(
      { ...place, column: findMisplacedColumn(names, columns) },
      `the header has no column "${column}" (found: ${columnNames})`,
    );
  }
  return { places: new Map(names.map((name, index) => [name, index])), width: cells.length };
}

/** Finds the column to report: the first heading that is not expected, or the position after the last one. */
function findMisplacedColumn(names: readonly string[], columns: readonly string[]): number {
  const index = names.findIndex((name) => !columns.includes(name));
  return (index === -1 ? names.length : index) + 1;
}

function parseRow(cells: readonly string[], header: Header, place: Place): Row {
  if (cells.length !== header.width) {
    throw new OnetFormatError(
      { ...place, column: Math.min(cells.length, header.width) + 1 },
      `the row has ${cells.length} columns, but the header has ${header.width}`,
    );
  }
  return { ...header, file: place.file, line: place.line, cells };
}

function hasColumn(row: Row, column: string): boolean {
  return row.places.has(column);
}

function readCell(row: Row, column: string): string {
  return row.cells[row.places.get(column)!]!.trim();
}

function createCellError(row: Row, column: string, reason: string): OnetFormatError {
  const place = { file: row.file, line: row.line, column: row.places.get(column)! + 1 };
  return new OnetFormatError(place, `"${column}" ${reason}, not "${readCell(row, column).slice(0, 60)}"`);
}

function readText(row: Row, column: string): string {
  const text = readCell(row, column);
  if (text === '') throw createCellError(row, column, 'must contain text');
  return text;
}

function readCode(row: Row): string {
  const code = readCell(row, 'O*NET-SOC Code');
  if (!/^\d{2}-\d{4}\.\d{2}$/.test(code))
    throw createCellError(row, 'O*NET-SOC Code', 'must look like 11-1011.00');
  return code;
}

function readWorkStyle(row: Row, scale: WorkStyleScale): string {
  const name = readCell(row, 'Element Name');
  const { crosswalk } = workStyleLayouts[scale];
  if (!crosswalk.has(name))
    throw createCellError(row, 'Element Name', `must be one of the ${crosswalk.size} work styles`);
  return name;
}

/** Reads a number within its range; undefined if O*NET publishes none, which it writes as `n/a`. */
function readNumber(row: Row, column: string, minimum: number, maximum: number): number | undefined {
  const text = readCell(row, column);
  if (text === '' || text === 'n/a') return undefined;
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw createCellError(row, column, `must be a number from ${minimum} to ${maximum} or n/a`);
}
