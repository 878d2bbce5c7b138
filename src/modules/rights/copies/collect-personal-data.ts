import { formatCsv } from '#lib/csv.ts';
import { findMemberAccounts } from '#modules/auth';
import type { Reader } from '#platform/database/database.ts';
import type { PersonalDataRows, PersonalData } from '#platform/personal-data.ts';

/** Everything that is held about a member, by sections such as `members.member`. Ask inside one snapshot, so that the parts fit. */
export async function collectPersonalData(
  personalData: PersonalData,
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const accounts = await findMemberAccounts(db, member_id);
  const sections: PersonalDataRows[] = [];
  for (const [module, holder] of Object.entries(personalData)) {
    const held = await holder.exportPersonalData(db, member_id, accounts);
    sections.push(...held.map(({ name, rows }) => ({ name: `${module}.${name}`, rows })));
  }
  return sections.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** All sections in one table of four columns, one line for each field of each record. */
export function formatLongCsv(sections: readonly PersonalDataRows[]): Generator<string, void> {
  return formatCsv(['section', 'record', 'field', 'value'], listFields(sections));
}

function* listFields(sections: readonly PersonalDataRows[]): Generator<readonly unknown[], void> {
  for (const { name, rows } of sections)
    for (const [index, row] of rows.entries())
      for (const [field, value] of Object.entries(row)) yield [name, index + 1, field, value];
}

/** One section as a table of its own, with a column for each field. */
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

/** All sections as one JSON document, one record a line. */
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
