import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsv } from './csv.ts';

const formatTable = (columns: readonly string[], rows: readonly (readonly unknown[])[]) =>
  [...formatCsv(columns, rows)].join('');
const readTable = (csv: string) => parse(csv, { record_delimiter: '\r\n' });

test('writes the header first, ends lines with CRLF, and quotes cells with commas, quotes or line breaks', () => {
  expect(formatTable(['a', 'b'], [['x,y', 'says "hi"\n']])).toBe('a,b\r\n"x,y","says ""hi""\n"\r\n');
});

test('writes only the header of a table without rows', () => {
  expect(formatTable(['a'], [])).toBe('a\r\n');
});

test('formats absent values, times, booleans, objects and numbers', () => {
  const row = [null, undefined, new Date('2026-03-02T09:00:00Z'), false, { a: [1] }, -1.5, ''];
  expect(formatTable(['x'], [row])).toBe('x\r\n,,2026-03-02T09:00:00.000Z,false,"{""a"":[1]}",-1.5,\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"!A1', '＝1+1'])(
  'prevents a spreadsheet from executing %j',
  (formula) => {
    expect(readTable(formatTable(['x'], [[formula]]))[1]).toEqual([`'${formula}`]);
  },
);

test('any table can be read back, and no cell starts a formula', () => {
  const cells = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 }), {
    maxLength: 1_200,
  });
  fc.assert(
    fc.property(cells, (rows) => {
      const result = readTable(formatTable(['a', 'b'], rows)).slice(1);
      const expected = rows.filter((row) => row.some((each) => each !== '') || row.length > 1);
      expect(result).toEqual(
        expected.map((row) => row.map((each) => (/^[=+\-@\t\r＝＋－＠]/.test(each) ? `'${each}` : each))),
      );
    }),
    { numRuns: 50 },
  );
});
