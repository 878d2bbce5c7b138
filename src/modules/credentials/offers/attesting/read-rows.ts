import { readOutsideValue } from '#lib/outside-values.ts';
import { readTable, type TableFault, type TableRow } from '#lib/read-table.ts';

/** The columns of a table of attestations. A person is in one of the first two; `person` has a name, which helps to fill in the table, and is not read. */
const columns = [
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

export type AttestationRow = TableRow<Column>;

const bounds = { rows_max: 500, row_bytes_max: 20_000 } as const;

/**
 * Reads a table of attestations.
 *
 * @throws Refusal like {@link readTable}.
 */
export function readRows(csv: string): {
  readonly rows: readonly AttestationRow[];
  readonly faults: readonly TableFault[];
} {
  const { header, rows, faults } = readTable(csv, { columns, ...bounds });
  const namesPeople = header.includes('match_id') || header.includes('member_id');
  const missing = { line: 1, column: 'match_id', reason: 'or member_id must be among the columns' };
  return { rows: rows.map(readIds), faults: namesPeople ? faults : [...faults, missing] };
}

/** Ids have one spelling, wherever they are. */
function readIds({ line, cells }: AttestationRow): AttestationRow {
  const read = Object.entries(cells).map(([column, cell]) => [column, readOutsideValue('id', cell)]);
  return { line, cells: Object.fromEntries(read) as AttestationRow['cells'] };
}
