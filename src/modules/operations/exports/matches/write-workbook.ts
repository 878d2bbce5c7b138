import { writeXlsxStream } from 'hucre/xlsx';
import type { ShortlistedMatch } from '#modules/matching/matches';
import { columns } from './format-matches.ts';

type Pages = AsyncIterable<readonly ShortlistedMatch[]>;

/**
 * Writes matches as a workbook for Excel and LibreOffice (Office Open XML) while they are read: dates are dates, the header stays in view and
 * filters. Every other cell is text, so a title such as `=1+1` is shown and not computed. The first page is read before the first part is produced.
 */
export async function* writeMatchesWorkbook(pages: Pages): AsyncGenerator<Uint8Array, void> {
  const reading = pages[Symbol.asyncIterator]();
  try {
    yield* writeRows(listRows(await reading.next(), reading));
  } finally {
    await reading.return?.();
  }
}

function writeRows(rows: AsyncIterable<(string | Date)[]>): AsyncIterable<Uint8Array> {
  return writeXlsxStream(rows, {
    name: 'Matches',
    columns: columns.map(({ header, width, is_date }) => ({
      header,
      width,
      ...(is_date && { numFmt: 'yyyy-mm-dd' }),
    })),
    freezePane: { rows: 1 },
  });
}

async function* listRows(
  first: IteratorResult<readonly ShortlistedMatch[]>,
  reading: AsyncIterator<readonly ShortlistedMatch[]>,
): AsyncGenerator<(string | Date)[], void> {
  for (let page = first; page.done !== true; page = await reading.next())
    for (const match of page.value)
      yield columns.map(({ read, is_free_text }) =>
        is_free_text ? formatCellText(String(read(match))) : read(match),
      );
}

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
