import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsv } from './csv.ts';

const text = (columns: readonly string[], rows: readonly (readonly unknown[])[]) =>
  [...formatCsv(columns, rows)].join('');
const read = (csv: string) => parse(csv, { record_delimiter: '\r\n' });

test('the header comes first, lines end with CRLF, and what has commas, quotes or line breaks is quoted', () => {
  expect(text(['a', 'b'], [['x,y', 'says "hi"\n']])).toBe('a,b\r\n"x,y","says ""hi""\n"\r\n');
});

test('a table without rows is its header', () => {
  expect(text(['a'], [])).toBe('a\r\n');
});

test('absent values, times, flags and things with parts are told apart from nothing', () => {
  const row = [null, undefined, new Date('2026-03-02T09:00:00Z'), false, { a: [1] }, -1.5, ''];
  expect(text(['x'], [row])).toBe('x\r\n,,2026-03-02T09:00:00.000Z,false,"{""a"":[1]}",-1.5,\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"!A1', '＝1+1'])(
  'a spreadsheet would not run %j',
  (formula) => {
    expect(read(text(['x'], [[formula]]))[1]).toEqual([`'${formula}`]);
  },
);

test('whatever is written is read back, with no cell that begins a formula', () => {
  const cells = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 }), {
    maxLength: 1_200,
  });
  fc.assert(
    fc.property(cells, (rows) => {
      const back = read(text(['a', 'b'], rows)).slice(1);
      const kept = rows.filter((row) => row.some((each) => each !== '') || row.length > 1);
      expect(back).toEqual(
        kept.map((row) => row.map((each) => (/^[=+\-@\t\r＝＋－＠]/.test(each) ? `'${each}` : each))),
      );
    }),
    { numRuns: 50 },
  );
});
