import { writeXlsxStream } from 'hucre/xlsx';
import type { ShortlistedMatch } from '#modules/matching';
import { columns } from './columns.ts';

type Pages = AsyncIterable<readonly ShortlistedMatch[]>;

/**
 * Writes matches as a workbook for Excel and LibreOffice (Office Open XML) while they are read: dates are dates, the header stays in view and
 * filters. Every other cell is text, so a title such as `=1+1` is shown and not computed.
 */
export function writeMatchesWorkbook(pages: Pages): AsyncIterable<Uint8Array> {
  return writeXlsxStream(listRows(pages), {
    name: 'Matches',
    columns: columns.map(({ header, width, is_date, is_free_text }) => ({
      header,
      width,
      ...(is_date && { numFmt: 'yyyy-mm-dd' }),
      // Without it, the lines of a text are drawn over those of the next row.
      ...(is_free_text && { style: { alignment: { wrapText: true } } }),
    })),
    freezePane: { rows: 1 },
  });
}

async function* listRows(pages: Pages): AsyncGenerator<(string | Date)[], void> {
  for await (const page of pages) for (const match of page) yield columns.map(({ read }) => read(match));
}
