import { open, type FileHandle } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { OperatorError } from '#platform/command-line.ts';

/** A row of the file, and the number of the line where it ends, counted from 1. */
export type CsvRow = { readonly cells: readonly string[]; readonly line: number };

const limits = {
  file_bytes: 500_000_000,
  line_characters: 100_000,
  batch_lines: 500,
  row_lines: 5_000,
} as const;

/**
 * Reads the rows of a CSV file that are not empty, the header first, in batches, so that a large file needs little memory. Cells may be quoted
 * (RFC 4180) and separated by commas, semicolons or tabs, as spreadsheets write them.
 *
 * @throws OperatorError that names the file and the line that cannot be read.
 */
export async function* readCsvRows(file: string): AsyncGenerator<readonly CsvRow[]> {
  let [delimiter, isQuoted, first]: [string | undefined, boolean, number] = [undefined, false, 1];
  let batch: string[] = [];
  for await (const line of readLines(file)) {
    delimiter ??= chooseDelimiter(line);
    batch.push(line);
    if (countQuotes(line) % 2 === 1) isQuoted = !isQuoted;
    if (batch.length < limits.batch_lines || (isQuoted && batch.length < limits.row_lines)) continue;
    yield parseRows(file, { lines: batch, first, delimiter });
    first += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield parseRows(file, { lines: batch, first, delimiter: delimiter ?? ',' });
}

/** A row by the names of its columns, and the place that errors name. */
export type NamedRow = { readonly cells: Readonly<Record<string, string>>; readonly where: string };

/**
 * Reads the rows of a small CSV file by the names of its columns, of which some are required.
 *
 * @throws OperatorError for a file that cannot be read, a column that is lacking or there twice, or a row that is not as long as the first one.
 */
export async function* readNamedRows(file: string, required: readonly string[]): AsyncGenerator<NamedRow> {
  let header: readonly string[] | undefined;
  for await (const batch of readCsvRows(file))
    for (const { cells, line } of batch) {
      if (header === undefined) {
        header = cells;
        requireColumns(`${file}, line ${line}`, header, required);
        continue;
      }
      if (cells.length !== header.length)
        throw new OperatorError(
          `${file}, line ${line} has ${cells.length} cells, but the first line has ${header.length}`,
        );
      const named = header.map((name, column) => [name, cells[column]!] as const);
      yield { cells: Object.fromEntries(named), where: `${file}, line ${line}` };
    }
}

function requireColumns(where: string, header: readonly string[], required: readonly string[]): void {
  const lacking = required.find((name) => !header.includes(name));
  if (lacking !== undefined) throw new OperatorError(`${where}: there is no column ${lacking}`);
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) < index);
  if (twice !== undefined)
    throw new OperatorError(`${where}: the column "${twice.slice(0, 40)}" is there twice`);
}

/**
 * Reads the lines of a text file in UTF-8, without the mark that a spreadsheet puts before the first one.
 *
 * @throws OperatorError for a file that cannot be read or is no such text.
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  try {
    await using handle = await open(file);
    const { size, isFile } = await describeFile(handle);
    if (!isFile) throw new OperatorError(`${file} is not a file: a device or a pipe may have no end`);
    if (size > limits.file_bytes)
      throw new OperatorError(`${file} is larger than ${limits.file_bytes / 1e6} MB`);
    let count = 0;
    for await (const line of handle.readLines({ encoding: 'utf8' })) {
      count++;
      if (line.length > limits.line_characters)
        throw new OperatorError(`${file}, line ${count} is longer than ${limits.line_characters} characters`);
      requireText(file, line, count);
      yield count === 1 ? line.replace(/^\uFEFF/, '') : line;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined || error instanceof CsvError
      ? error
      : new OperatorError(`${file} cannot be read (${code})`);
  }
}

/** A folder fails when it is read; a device or a pipe could go on for ever. */
async function describeFile(
  handle: FileHandle,
): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const found = await handle.stat();
  return { size: found.size, isFile: found.isFile() || found.isDirectory() };
}

/** A spreadsheet saves its own format, or another encoding, unless its user chooses UTF-8. */
function requireText(file: string, line: string, count: number): void {
  if (count === 1 && line.startsWith('PK\u0003\u0004'))
    throw new OperatorError(`${file} is a workbook. Save it as CSV in UTF-8`);
  if (/[\0\ufffd]/.test(line))
    throw new OperatorError(`${file}, line ${count} is not text in UTF-8. Save it as CSV in UTF-8`);
}

type Batch = { readonly lines: readonly string[]; readonly first: number; readonly delimiter: string };

function parseRows(file: string, { lines, first, delimiter }: Batch): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(lines.join('\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: readonly string[], { lines }) => void rows.push({ cells, line: first - 1 + lines }),
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser reports the line where it stopped, which is the end of the file if a quotation mark is not closed.
    const last = (rows.at(-1)?.line ?? first - 1) - first + 1;
    const line = first + lines.findIndex((text, index) => index >= last && text.trim() !== '');
    throw new OperatorError(
      `${file}, line ${line}: a quotation mark is not closed, or it is inside a cell that is not quoted`,
    );
  }
}

/** Spreadsheets write semicolons where the comma is the decimal mark, and tabs when cells are copied. The header shows which. */
function chooseDelimiter(header: string): string {
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]!.mark;
}

function countQuotes(line: string): number {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count++;
  return count;
}
