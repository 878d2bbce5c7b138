import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { createFileWriter } from '#test/modules/banks.ts';
import { readAnswerTable } from './answer-table.ts';

const write = await createFileWriter();
const ranges = ['a', 'b', 'c'].map((id) => ({ id, lowest: 1, highest: 6 }));

async function read(content: string | Uint8Array, group?: string) {
  return readAnswerTable(await write('answers.csv', content), ranges, group === undefined ? {} : { group });
}

test('a column person comes back as it is, other columns are ignored, and empty cells are counted', async () => {
  const table = await read('\uFEFFperson;note;b;a;sex\r\n007;"x; ""y""";6;1;f\r\n\r\n008;z;;NA;m\r\n', 'sex');
  expect([table.people, table.groups, table.item_ids]).toEqual([
    ['007', '008'],
    ['f', 'm'],
    ['b', 'a'],
  ]);
  expect(table.listAnswers(0)).toEqual([
    { item_id: 'b', option: 5 },
    { item_id: 'a', option: 0 },
  ]);
  expect(table.listAnswers(1)).toEqual([]);
  expect([table.missing, table.ignored_columns]).toEqual([{ cells: 2, respondents: 1, columns: 1 }, 2]);
});

test('people without a column person are numbered, and whole numbers may be written with decimals', async () => {
  const table = await read('a,b,c\n1,2.0,3\n4,5,6\n');
  expect(table.people).toEqual(['1', '2']);
  expect(table.listAnswers(0).map(({ option }) => option)).toEqual([0, 1, 2]);
});

test('200,000 respondents are read in little memory', async () => {
  const rows = Array.from({ length: 200_000 }, (_, row) => `${(row % 6) + 1},,3`);
  const table = await read(`a,b,c\n${rows.join('\n')}`);
  expect(table.people).toHaveLength(200_000);
  expect(table.missing.cells).toBe(200_000);
  expect(table.listAnswers(199_999)).toEqual([
    { item_id: 'a', option: 1 },
    { item_id: 'c', option: 2 },
  ]);
});

test('whatever a spreadsheet writes is read back', async () => {
  const cell = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
  const row = fc.record({ note: fc.string({ unit: 'grapheme' }), a: cell, b: cell, c: cell });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      async (rows, delimiter, record_delimiter) => {
        const clean = rows.map((each) => ({
          ...each,
          note: each.note.replace(/[\0\ufffd\r\n\u2028\u2029]/g, ' '),
        }));
        const csv = stringify(clean, {
          header: true,
          bom: true,
          delimiter,
          record_delimiter,
          quoted_string: true,
        });
        const table = await read(csv);
        const given = clean.map(({ a, b, c }) =>
          Object.entries({ a, b, c }).flatMap(([item_id, value]) =>
            value === undefined ? [] : [{ item_id, option: value - 1 }],
          ),
        );
        expect(table.people.map((_, index) => table.listAnswers(index))).toEqual(given);
      },
    ),
    { numRuns: 50 },
  );
});

describe('refuses with one line', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'an answer above the range',
      'a,b\n1,2\n1,7\n',
      /line 3, column b: "7" is not a whole number from 1 to 6/,
    ],
    ['an answer below the range', 'a,b\n0,2\n', /line 2, column a: "0"/],
    ['a word', 'a,b\n1,often\n', /line 2, column b: "often"/],
    ['two rows of one person', 'person,a\nx,1\ny,2\nx,3\n', /line 4, column person: "x" is there twice/],
    ['a row without its person', 'person,a\n,1\n', /line 2, column person: a person has 1 to/],
    ['half a file', 'person,a,b\nx,1,2\ny,1', /line 3 has 2 cells, but the first line has 3/],
    ['a quotation mark that is not closed', 'person,a\nx,1\n"y,2\n', /line 3: a quotation mark/],
    ['a column twice', 'a,a\n1,1\n', /line 1: the column "a" is there twice/],
    ['no statement of the bank', 'x,y\n1,1\n', /line 1: no column has the name of a statement/],
    ['an empty file', '', /has no respondents/],
    ['a header alone', 'a,b\n', /has no respondents/],
    ['another encoding', Buffer.from('person,a\nM\xfcller,1\n', 'latin1'), /line 2 is not text in UTF-8/],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), /line 1 is not text in UTF-8/],
    ['a workbook', Buffer.from('PK\u0003\u0004'), /is a workbook/],
  ])('%s', async (_, content, line) => {
    await expect(read(content)).rejects.toThrow(line);
    await expect(read(content)).rejects.toBeInstanceOf(OperatorError);
  });

  test('a group column that is not there, and a file that is not there', async () => {
    await expect(read('a,b\n1,1\n', 'sex')).rejects.toThrow(/there is no column "sex"/);
    await expect(readAnswerTable('/nowhere.csv', ranges)).rejects.toThrow(
      '/nowhere.csv cannot be read (ENOENT)',
    );
  });
});
