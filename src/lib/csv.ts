import { stringify } from 'csv-stringify/sync';

const rows_per_chunk = 500;

/**
 * Writes a table as CSV (RFC 4180) in chunks, the header first. Spreadsheets execute a cell that begins with `=`, `+`, `-`, `@`, a tab or a
 * carriage return as a formula, even if an unknown user wrote it, so such text gets a leading apostrophe. Numbers stay numbers.
 */
export function* formatCsv(
  columns: readonly string[],
  rows: Iterable<readonly unknown[]>,
): Generator<string, void> {
  yield formatRows([columns]);
  let chunk: (readonly unknown[])[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < rows_per_chunk) continue;
    yield formatRows(chunk);
    chunk = [];
  }
  if (chunk.length > 0) yield formatRows(chunk);
}

function formatRows(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map(formatCell)),
    { escape_formulas: true, record_delimiter: 'windows' },
  );
}

/** Formats times as ISO 8601, objects and lists as JSON, and absent values as an empty cell. */
function formatCell(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}
