import { buffer } from 'node:stream/consumers';
import readWorkbook from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { cell_characters_max, writeDataWorkbook } from './write-data-workbook.ts';

async function readValues(value: unknown): Promise<readonly unknown[]> {
  const sections = [{ name: 'members.member', rows: [{ value }] }];
  const [sheet] = await readWorkbook(await buffer(writeDataWorkbook(sections)));
  return sheet!.data.slice(1).map((row) => row[3]);
}

test('numbers stay numbers, times are ISO 8601, lists are JSON, and no text is a formula', async () => {
  expect(await readValues(0.25)).toEqual([0.25]);
  expect(await readValues(new Date('2026-03-02T09:00:00Z'))).toEqual(['2026-03-02T09:00:00.000Z']);
  expect(await readValues(['a', 1])).toEqual(['["a",1]']);
  expect(await readValues('=HYPERLINK("x")')).toEqual(['=HYPERLINK("x")']);
  expect(await readValues(null)).toEqual([null]);
});

test.each([
  ['letters', 'a'.repeat(70_000)],
  ['characters of two units', `a${'😀'.repeat(40_000)}`],
  ['texts that look like escapes', '_x000D_'.repeat(20_000)],
  ['an escape across the border', `${'a'.repeat(cell_characters_max - 3)}_x000D_b`],
])(
  'a value of %s that is longer than a cell goes on in the next row, and nothing is lost',
  async (_, text) => {
    const parts = await readValues(text);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(String(part).length).toBeLessThanOrEqual(cell_characters_max);
    // Compared as a truth, because a difference would be printed in full.
    expect(parts.join('') === text).toBe(true);
  },
);
