// The control characters contain the line breaks. XML cannot contain the last two (section 2.2): the file would be damaged.
const unprintable = /[\p{Cc}\u2028\u2029\ufffe\uffff]+/gu;
/** What a workbook reads as a character of that number (ECMA-376 part 1, ST_Xstring). */
const escapeSequence = /_(?=x[0-9a-f]{4}_)/gi;

/**
 * Formats a text for a cell: in one line, because programs draw further lines over the next row, and without characters that a workbook cannot
 * contain or would read as others.
 */
export function formatCellText(text: string): string {
  return text.toWellFormed().replace(unprintable, ' ').replace(escapeSequence, '_x005F_');
}
