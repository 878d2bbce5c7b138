import { stringify } from 'csv-stringify/sync';

const rows_per_chunk = 500;

/**
 * Writes a table as CSV (RFC 4180) in chunks, the header first. Spreadsheets execute a cell that begins with `=`, `+`, `-`, `@`, a tab or a
 * carriage return as a formula, even if an unknown user wrote it, so such text gets a leading apostrophe. Numbers stay numbers. The same is
 * done after every line break, semicolon and tab inside a text, because some programs end a line at any line break, quoted or not, and
 * spreadsheets in many countries separate cells at semicolons.
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

// RFC 4180 has CRLF only, but many programs also end a row at a single CR or LF, or at the line breaks of Unicode.
const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;
const innerFormula = /([\n\v\f\r\u0085\u2028\u2029;\t])(?="*[=+\-@\t\r＝＋－＠])/g;

/** Writes one row of {@link formatCsv}, with its line break. For a table that is streamed, and whose rows share most of their text. */
export function formatCsvRow(cells: readonly unknown[]): string {
  return formatRows([cells]);
}

function formatRows(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map(formatCell)),
    { escape_formulas: true, record_delimiter: 'windows', quoted_match: lineBreak },
  );
}

/** Formats times as ISO 8601, objects and lists as JSON, and absent values as an empty cell. */
function formatCell(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return value;
  // JSON has no text for a value whose `toJSON` returns undefined.
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '');
  return text.replace(innerFormula, "$1'");
}
