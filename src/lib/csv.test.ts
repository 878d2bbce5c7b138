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

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '=cmd|"/c calc"!A1', '＝1+1'])(
  'prevents a spreadsheet from executing %j',
  (formula) => {
    expect(readTable(formatTable(['x'], [[formula]]))[1]).toEqual([`'${formula}`]);
  },
);

test.each(['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
  'quotes a cell with %j, and no line in it starts a formula',
  (lineBreak) => {
    const csv = formatTable(['x', 'y'], [['1', `a${lineBreak}=1+1${lineBreak}"@b`]]);
    expect(csv).toBe(`x,y\r\n1,"a${lineBreak}'=1+1${lineBreak}'""@b"\r\n`);
  },
);

test.each([';', '\t'])('starts no formula for a spreadsheet that separates cells at %j', (separator) => {
  expect(formatTable(['x'], [[`a${separator}=1+1`]])).toBe(`x\r\na${separator}'=1+1\r\n`);
});

test('any table can be read back, and no cell starts a formula', () => {
  const dangerous = fc.string({
    unit: fc.constantFrom('=', '-', '\t', '\r', '\n', ';', '"', ',', "'", 'a', '\u2028'),
  });
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), dangerous);
  const cells = fc.array(fc.array(anyText, { minLength: 2, maxLength: 2 }), {
    maxLength: 1_200,
  });
  fc.assert(
    fc.property(cells, (rows) => {
      const result = readTable(formatTable(['a', 'b'], rows)).slice(1);
      const expected = rows.filter((row) => row.some((each) => each !== '') || row.length > 1);
      // An apostrophe that this function added precedes a sign, or quotes and a sign.
      const removeApostrophes = (text: string) => text.replaceAll(/'(?="*[=+\-@\t\r＝＋－＠])/g, '');
      const stripTable = (table: readonly (readonly string[])[]) =>
        table.map((row) => row.map(removeApostrophes));
      expect(stripTable(result)).toEqual(stripTable(expected));
      for (const text of result.flat())
        expect(text).not.toMatch(/(?:^|[\n\v\f\r\u0085\u2028\u2029;\t])[=+\-@\t\r＝＋－＠]/);
    }),
    { numRuns: 50 },
  );
});
