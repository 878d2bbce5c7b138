import { CsvError, parse } from 'csv-parse/sync';
import { createFieldRefusal, Refusal } from './refusal.ts';

/** A row by its columns, without those that are empty, and the number of the line on which it ends, counted from 1. */
export type TableRow<Column extends string> = {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
};

/** A fault of a table, and where it is. The header is line 1. */
export type TableFault = { readonly line: number; readonly column: string; readonly reason: string };

/** What a table may have. */
type TableForm<Column extends string> = {
  readonly columns: readonly Column[];
  readonly rows_max: number;
  /** The longest row, in bytes. */
  readonly row_bytes_max: number;
};

/**
 * Reads a table that a spreadsheet has written: CSV (RFC 4180) with cells separated by commas, semicolons or tabs, and the names of the columns first.
 *
 * @returns the rows that are not empty, the columns of the header, and the faults of the header and of rows that are too long.
 * @throws Refusal `field_invalid` of the field `csv` for text that is no such table, or for too many rows.
 */
export function readTable<const Column extends string>(
  csv: string,
  { columns, rows_max, row_bytes_max }: TableForm<Column>,
): {
  readonly header: readonly string[];
  readonly rows: readonly TableRow<Column>[];
  readonly faults: readonly TableFault[];
} {
  const [first, ...records] = parseTable(csv, row_bytes_max);
  if (!first || records.length === 0) throw createTableRefusal('must have a header and at least one row');
  if (records.length > rows_max) throw createTableRefusal(`must have at most ${rows_max} rows`);
  const header = first.cells.map((name) => name.toLowerCase());
  const faults = [
    ...findHeaderFaults(header, columns),
    ...records
      .filter(({ cells }) => cells.length > header.length)
      .map(({ line }) => ({ line, column: String(header.length + 1), reason: 'has no name in the header' })),
  ];
  const rows = records.map(({ line, cells }) => {
    const filled = cells.flatMap((cell, index) => (cell === '' ? [] : [[header[index] ?? '', cell]]));
    return { line, cells: Object.fromEntries(filled) as TableRow<Column>['cells'] };
  });
  return { header, rows, faults };
}

type Parsed = { readonly cells: readonly string[]; readonly line: number };

function parseTable(csv: string, max_record_size: number): readonly Parsed[] {
  const parsed: Parsed[] = [];
  try {
    parse(csv, {
      bom: true,
      delimiter: chooseDelimiter(csv),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      max_record_size,
      on_record: (cells: readonly string[], { lines }) => void parsed.push({ cells, line: lines }),
    });
    return parsed;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createTableRefusal(
      `cannot be read after line ${parsed.at(-1)?.line ?? 0}: a quotation mark is not closed, or is inside a cell that is not quoted`,
    );
  }
}

function chooseDelimiter(csv: string): string {
  const [first = ''] = csv.split('\n', 1);
  return [',', ';', '\t'].toSorted((one, other) => first.split(other).length - first.split(one).length)[0]!;
}

function findHeaderFaults(header: readonly string[], columns: readonly string[]): readonly TableFault[] {
  return header.flatMap((column, index) => {
    if (!columns.includes(column))
      return [{ line: 1, column, reason: `is not one of ${columns.join(', ')}` }];
    return header.indexOf(column) < index ? [{ line: 1, column, reason: 'appears twice' }] : [];
  });
}

function createTableRefusal(reason: string): Refusal {
  return createFieldRefusal('field_invalid', '/csv', reason);
}

/**
 * Creates the refusal of a table with faults, which names the line and the column of each in the order of lines.
 *
 * @param undone What did not happen, such as “offered”.
 */
export function createFaultsRefusal(faults: readonly TableFault[], undone: string): Refusal {
  const sorted = faults.toSorted((one, other) => one.line - other.line);
  return new Refusal('table_faulty', {
    detail: `The table has ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}, and nothing was ${undone}.`,
    errors: sorted.map(({ line, column, reason }) => ({
      pointer: '/csv',
      reason: `line ${line}, column ${column}: ${reason}`,
    })),
  });
}
