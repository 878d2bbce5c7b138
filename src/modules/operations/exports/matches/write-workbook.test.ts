import fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { formatCellText } from '#lib/text/format-cell-text.ts';
import type { ShortlistedMatch } from '#modules/matching/matches';
import { writeMatchesWorkbook } from './write-workbook.ts';

const buildMatch = (job_title: string): ShortlistedMatch => ({
  id: '0b5a6d4e-8f21-8c3a-9d70-1f2e3d4c5b6a',
  member_id: '0b5a6d4e-8f21-8aa0-b1c2-d3e4f5061728',
  job_id: '0b5a6d4e-8f21-8c3a-8000-000000000000',
  job_title,
  match_quality: 'strong',
  match_status: 'pending_review',
  provisional: false,
  computed_at: new Date('2026-03-02'),
  note: null,
  labels: [],
});

/** Writes a workbook with a row for each title, and reads the titles with another library. */
async function readTitles(titles: readonly string[]): Promise<readonly unknown[]> {
  async function* listPages() {
    yield titles.map(buildMatch);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeMatchesWorkbook(listPages())) chunks.push(chunk);
  const [sheet] = await readWorkbook(Buffer.concat(chunks));
  return sheet!.data.slice(1).map((row) => row[1]);
}

test('texts that look like formulas, numbers, dates or markup are read as they were written', async () => {
  const titles = [
    '=1+1',
    '=HYPERLINK("https://evil.example","Ärzte; +1")',
    `=cmd|' /C calc'!A0`,
    '+1',
    '-2',
    '@SUM(1)',
    '＝1+1',
    `'=1`,
    '0123',
    '1e5',
    '2026-03-02',
    'TRUE',
    '<b>&amp;</b>',
    ']]>',
    '漢字 😀',
  ];
  expect(await readTitles(titles)).toEqual(titles);
});

test('line breaks and control characters become spaces, and no character damages the file', async () => {
  const titles = [
    'line one\r\n=1+1',
    'a\u0001b\u0008\u001fc',
    'y\ufffe\uffffx',
    'a\u2028b\u0085c',
    'a\ud800b',
  ];
  expect(await readTitles(titles)).toEqual(['line one =1+1', 'a b c', 'y x', 'a b c', 'a\ufffdb']);
});

test('every text is written with characters that XML permits, and none is read as the number of another', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // Section 2.2 of XML 1.0, without the three that are line breaks and tabs.
      expect(formatCellText(text)).toMatch(/^[\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u);
    }),
  );
  expect(formatCellText('_x000D_ and _X004a_')).toBe('_x005F_x000D_ and _x005F_X004a_');
  expect(formatCellText('_x00_ and x000D_')).toBe('_x00_ and x000D_');
});
