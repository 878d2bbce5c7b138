import { writeXlsxStream } from 'hucre/xlsx';
import { formatCellText } from '#lib/text/format-cell-text.ts';
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
