import { CsvError, parse } from 'csv-parse/sync';
import { readOutsideValue } from '#lib/outside-values.ts';
import { createFieldRefusal } from '#lib/refusal.ts';

/** The columns of a table of attestations. A person is in one of the first two; `person` has a name, which helps to fill in the table, and is not read. */
export const columns = [
  'match_id',
  'member_id',
  'credential_type',
  'achievement',
  'statement',
  'job_title',
  'expiry_days',
  'person',
] as const;

export type Column = (typeof columns)[number];

/** A row by its columns, without those that are empty, and the number of the line on which it ends, counted from 1. */
export type TableRow = { readonly line: number; readonly cells: Readonly<Partial<Record<Column, string>>> };

/** A fault of a table, and where it is. The header is line 1. */
export type TableFault = { readonly line: number; readonly column: string; readonly reason: string };

const rows_max = 500;

/**
 * Reads a table of attestations: cells separated by commas, semicolons or tabs, as spreadsheets write them, the names of the columns first.
 *
 * @returns the rows that are not empty, and the faults of the header and of rows that are too long.
 * @throws Refusal `field_invalid` for text that is no such table, or for more than 500 rows.
 */
export function readRows(csv: string): {
  readonly rows: readonly TableRow[];
  readonly faults: readonly TableFault[];
} {
  const [header, ...records] = parseTable(csv);
  if (!header || records.length === 0) throw createTableRefusal('must have a header and at least one row');
  if (records.length > rows_max) throw createTableRefusal(`must have at most ${rows_max} rows`);
  const names = header.cells.map((name) => name.toLowerCase());
  const faults = [
    ...findHeaderFaults(names),
    ...records
      .filter(({ cells }) => cells.length > names.length)
      .map(({ line }) => ({ line, column: String(names.length + 1), reason: 'has no name in the header' })),
  ];
  const rows = records.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(
      cells.flatMap((cell, index) =>
        cell === '' ? [] : [[names[index] ?? '', readOutsideValue('id', cell)] as const],
      ),
    ),
  }));
  return { rows, faults };
}

type Parsed = { readonly cells: readonly string[]; readonly line: number };

function parseTable(csv: string): readonly Parsed[] {
  const parsed: Parsed[] = [];
  try {
    parse(csv, {
      bom: true,
      delimiter: chooseDelimiter(csv),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      max_record_size: 20_000,
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

function findHeaderFaults(names: readonly string[]): readonly TableFault[] {
  const known: readonly string[] = columns;
  const faults = names.flatMap((column, index) => {
    if (!known.includes(column)) return [{ line: 1, column, reason: `is not one of ${columns.join(', ')}` }];
    return names.indexOf(column) < index ? [{ line: 1, column, reason: 'appears twice' }] : [];
  });
  return names.includes('match_id') || names.includes('member_id')
    ? faults
    : [...faults, { line: 1, column: 'match_id', reason: 'or member_id must be among the columns' }];
}

function createTableRefusal(reason: string) {
  return createFieldRefusal('field_invalid', '/csv', reason);
}
