import { formatCsv } from '#lib/csv.ts';
import { findMemberAccounts } from '#modules/access/accounts';
import type { Reader } from '#platform/database/database.ts';
import type { PersonalDataRows, PersonalData } from '#platform/personal-data.ts';

/** Collects all data about a member in sections such as `members.member`. Use one database snapshot, so that the sections are consistent. */
export async function collectPersonalData(
  personalData: PersonalData,
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const accounts = await findMemberAccounts(db, member_id);
  const sections: PersonalDataRows[] = [];
  for (const [module, holder] of Object.entries(personalData)) {
    const tables = await holder.exportPersonalData(db, member_id, accounts);
    sections.push(...tables.map(({ name, rows }) => ({ name: `${module}.${name}`, rows })));
  }
  return sections.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Formats all sections as one table of four columns, with a line for each field of each record. */
export function formatLongCsv(sections: readonly PersonalDataRows[]): Generator<string, void> {
  return formatCsv(['section', 'record', 'field', 'value'], listFields(sections));
}

/** Lists every field of every record: section, number of the record, field, value. */
export function* listFields(
  sections: readonly PersonalDataRows[],
): Generator<readonly [section: string, record: number, field: string, value: unknown], void> {
  for (const { name, rows } of sections)
    for (const [index, row] of rows.entries())
      for (const [field, value] of Object.entries(row)) yield [name, index + 1, field, value];
}

/** Formats one section as a table with a column for each field. */
export function formatWideCsv({ rows }: PersonalDataRows): Generator<string, void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return formatCsv(columns, listRows(rows, columns));
}

function* listRows(
  rows: PersonalDataRows['rows'],
  columns: readonly string[],
): Generator<readonly unknown[], void> {
  for (const row of rows) yield columns.map((column) => row[column]);
}

/** Formats all sections as one JSON document with one record a line. */
export function* formatJson(
  sections: readonly PersonalDataRows[],
  { member_id, exported_at }: { readonly member_id: string; readonly exported_at: Date },
): Generator<string, void> {
  yield `{\n  "member_id": ${JSON.stringify(member_id)},\n  "exported_at": ${JSON.stringify(exported_at)},\n  "data": {`;
  for (const [place, { name, rows }] of sections.entries()) {
    yield `${place === 0 ? '' : ','}\n    ${JSON.stringify(name)}: [`;
    for (const [index, row] of rows.entries())
      yield `${index === 0 ? '' : ','}\n      ${JSON.stringify(row)}`;
    yield rows.length === 0 ? ']' : '\n    ]';
  }
  yield '\n  }\n}\n';
}
