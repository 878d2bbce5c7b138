import { writeXlsxStream } from 'hucre/xlsx';
import { formatCellText } from '#lib/text/format-cell-text.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listFields } from './collect-personal-data.ts';

/** The longest text that a cell of a workbook can have, in UTF-16 units. Programs refuse or cut longer ones. */
export const cell_characters_max = 32_767;

/** The media type of a workbook for Excel and LibreOffice (Office Open XML). */
export const workbook_type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Writes all sections as one table with a row for each field of each record. Every text is a text, so none is computed as a formula. A value that
 * is longer than a cell goes on in the next row, under the same section, record and field.
 */
export function writeDataWorkbook(sections: readonly PersonalDataRows[]): AsyncIterable<Uint8Array> {
  return writeXlsxStream(listRows(sections), {
    name: 'Data',
    columns: [
      { header: 'section', width: 32 },
      { header: 'record', width: 8 },
      { header: 'field', width: 28 },
      { header: 'value', width: 80 },
    ],
    freezePane: { rows: 1 },
  });
}

function* listRows(sections: readonly PersonalDataRows[]): Generator<(string | number)[], void> {
  for (const [section, record, field, value] of listFields(sections))
    for (const part of listParts(value)) yield [section, record, field, part];
}

function listParts(value: unknown): readonly (string | number)[] {
  if (typeof value === 'number') return [value];
  const parts = cutAtCharacters(formatValue(value)).map(formatCellText);
  return parts.length === 0 ? [''] : parts;
}

/** Cuts before the text is escaped, so that no escape is cut, and not within a character of two UTF-16 units. */
function cutAtCharacters(text: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += parts.at(-1)!.length) {
    const end = start + cell_characters_max - 1;
    const isCutWithin = end < text.length && /[\udc00-\udfff]/.test(text[end]!);
    parts.push(text.slice(start, isCutWithin ? end - 1 : end));
  }
  return parts;
}

/** Formats times as ISO 8601, objects and lists as JSON, and absent values as an empty text, as in CSV. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
