import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { readAnswersCsv } from './answers-csv.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tessera-answers-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function readCsv(csv: string | Buffer, key?: string) {
  const [file, keyFile] = [path.join(dir, 'answers.csv'), path.join(dir, 'answers.key')];
  await writeFile(file, csv);
  if (key !== undefined) await writeFile(keyFile, key);
  return readAnswersCsv(file, key === undefined ? undefined : keyFile);
}

describe('answers to our own statements', () => {
  test('are in the columns named after them; blanks, other columns and empty lines are ignored', async () => {
    const csv = '\uFEFF"name","sincerity_01",sincerity_02\r\nAda, 4 ,NA\r\n\r\nBob,,\r\nEve,0,3\r\n';
    const { bank, answerSets, ignored_columns } = await readCsv(csv);
    expect(bank.version).toBe('mvp20-2');
    expect(ignored_columns).toBe(1);
    expect(answerSets).toEqual([
      [{ item_id: 'sincerity_01', option: 4 }],
      [
        { item_id: 'sincerity_01', option: 0 },
        { item_id: 'sincerity_02', option: 3 },
      ],
    ]);
  });
});

test.each([';', '\t'])('a spreadsheet may separate the cells by %j', async (mark) => {
  const csv = `\uFEFF"remark",sincerity_01,sincerity_02\n"a, b",4,3\n`;
  const { answerSets } = await readCsv(csv.replace(/,(?! )/g, mark));
  expect(answerSets.flat().map(({ option }) => option)).toEqual([4, 3]);
});

test.each<[string, Buffer, RegExp]>([
  ['a workbook', Buffer.from('PK\u0003\u0004\u0014\0'), /is a workbook/],
  ['UTF-16', Buffer.from('\ufeffsincerity_01\n4\n', 'utf16le'), /is not text in UTF-8/],
])('names the cause if the file is %s', async (_, bytes, cause) => {
  await expect(readCsv(bytes)).rejects.toThrow(cause);
});

test('accepts commas, line breaks and quotation marks in a quoted cell, and counts the lines correctly', async () => {
  const csv = 'remark,sincerity_01\n"a, ""b""\nc",4\n"d",1\n';
  const { answerSets } = await readCsv(csv);
  expect(answerSets.flat().map(({ option }) => option)).toEqual([4, 1]);
  await expect(readCsv(`${csv}e,often\n`)).rejects.toThrow(/line 5, column sincerity_01: "often"/);
});

describe('answers to another questionnaire', () => {
  test('are counted from the lowest of their scale, and the key says which items are reversed', async () => {
    const { bank, answerSets } = await readCsv(
      'id,A1,A2,B1,B2\n1,1,6,0,2\n2,3,,1,0\n',
      '# comment\n\na: -A1 A2\nb: B1 B2',
    );
    expect(bank.traits).toEqual(['a', 'b']);
    expect(
      bank.graded.map(({ id, trait, reversed, thresholds }) => [id, trait, reversed, thresholds.length]),
    ).toEqual([
      ['A1', 'a', true, 5],
      ['A2', 'a', undefined, 5],
      ['B1', 'b', undefined, 2],
      ['B2', 'b', undefined, 2],
    ]);
    expect(answerSets.map((answers) => answers.map(({ option }) => option))).toEqual([
      [0, 5, 0, 2],
      [2, 1, 0],
    ]);
  });
});

describe('rejects with one line', () => {
  const own = 'sincerity_01,sincerity_02';
  test.each([
    [
      'a cell that is not a number',
      `${own}\n1,2\n1,often\n`,
      undefined,
      /line 3, column sincerity_02: "often"/,
    ],
    ['a fraction', `${own}\n1.5,2\n`, undefined, /line 2, column sincerity_01: "1\.5"/],
    ['a line of another length', `${own}\n1\n`, undefined, /line 2 has 1 cells, but the first line has 2/],
    [
      'an option that statements do not have',
      `${own}\n1,5\n`,
      undefined,
      /options of sincerity_02 are 0 to 4, not 5/,
    ],
    ['a negative option', `${own}\n-1,2\n`, undefined, /not -1/],
    [
      'a quotation mark that is not closed',
      `${own}\n1,2\n\n1,"3\n1,4\n`,
      undefined,
      /line 4: a quotation mark is not/,
    ],
    ['text after a quoted cell', `${own}\n"1"é,2\n`, undefined, /line 2: a quotation mark/],
    [
      'a quotation mark in an unquoted cell',
      `${own},x\né,2,3\n1,2,5" tall\n`,
      undefined,
      /line 3: a quotation mark/,
    ],
    [
      'a column name that appears twice',
      'sincerity_01,sincerity_01\n1,1\n',
      undefined,
      /line 1: a column name appears twice/,
    ],
    ['no column of ours', 'A1,A2\n1,2\n', undefined, /no column has the name of a statement/],
    ['an empty file', '', undefined, /no column has the name of a statement/],
    [
      'too many columns',
      Array.from({ length: 2001 }, (_, index) => `c${index}`).join(),
      undefined,
      /more than 2000 columns/,
    ],
    ['a line that is too long', `${own}\n${'1'.repeat(100_001)}`, undefined, /line 2 is longer than 100000/],
    ['a key without items', 'A1,A2\n1,2\n', 'a:', /answers\.key, line 1: expected/],
    ['a key without a colon', 'A1,A2\n1,2\n', 'a A1 A2', /line 1: expected/],
    ['an empty key', 'A1,A2\n1,2\n', '\n', /must name 1 to 100 scales/],
    ['a key with an item twice', 'A1,A2\n1,2\n', 'a: A1 -A1', /names a scale or an item twice/],
    [
      'a key with a scale twice',
      'A1,A2,A3,A4\n1,2,1,2\n',
      'a: A1 A2\na: A3 A4',
      /names a scale or an item twice/,
    ],
    ['an item that the file does not have', 'A1,A2\n1,2\n', 'a: A1 A3', /has no column A3/],
    ['answers that are all the same', 'A1,A2\n2,2\n', 'a: A1 A2', /answers to a are all the same/],
    ['too many steps', 'A1,A2\n0,10\n', 'a: A1 A2', /from 0 to 10, but a scale may have at most 10 steps/],
  ])('%s', async (_, csv, key, line) => {
    const reading = readCsv(csv, key);
    await expect(reading).rejects.toBeInstanceOf(OperatorError);
    await expect(reading).rejects.toThrow(line);
  });

  test('a file that does not exist, and a directory', async () => {
    await expect(readAnswersCsv(path.join(dir, 'nowhere.csv'), undefined)).rejects.toThrow(
      /nowhere\.csv cannot be read \(ENOENT\)/,
    );
    await writeFile(path.join(dir, 'answers.csv'), 'A1,A2\n1,2\n');
    await expect(readAnswersCsv(path.join(dir, 'answers.csv'), dir)).rejects.toThrow(
      /cannot be read \(EISDIR\)/,
    );
  });
});
