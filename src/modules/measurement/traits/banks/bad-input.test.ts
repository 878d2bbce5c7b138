import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';
import { useParameters } from '../calibration/use-parameters.ts';
import { compareGroups } from './compare-groups.ts';
import { exportBank } from './export-bank.ts';
import { importBank } from './import-bank.ts';
import { linkForms } from './link-forms.ts';
import { scoreAnswers } from './score-answers.ts';

const app = await startApp();
const write = await createFileWriter();
const { platform } = app;
const file = await write('bank.csv', smallBankCsv);
await importBank(platform, { file, name: 'small' });
await importBank(platform, { file, name: 'twin' });
const { csv } = simulateAnswers({ people: 120, seed: 1 });
const answers = await write('answers.csv', csv);
const calibrate = async (bank: string, content: string | Uint8Array, more = {}) =>
  calibrateItems(platform, { bank, csv: await write('calibrated.csv', content), ...more }, quiet);
const version = (await calibrate('small', csv)).version!;
const other = (await calibrate('twin', csv)).version!;
const exported = await exportBank(platform, { bank: 'small', version });
const { parameters } = exported;
const change = (more: object) => JSON.stringify({ ...exported, parameters: { ...parameters, ...more } });
const [header, ...rows] = smallBankCsv.split('\n');
const addColumns = (columns: string, cells: string) =>
  [`${header},${columns}`, ...rows.map((row) => `${row},${cells}`)].join('\n');

/** Expects a failure that the operator reads in one line, and that nothing has changed. */
async function expectLine(work: () => Promise<unknown>, line: RegExp | string): Promise<void> {
  const count = async () =>
    app.sql.one(sql<{ banks: string; versions: string }>`
      select (select count(*) from item_banks) as banks, (select count(*) from item_parameter_versions) as versions`);
  const before = await count();
  const error: unknown = await work().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toMatch(line);
  expect((error as Error).message).not.toMatch(/\p{Cc}/u);
  expect(await count()).toEqual(before);
}

describe('a bank is refused', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['UTF-16', Buffer.from(`\ufeff${smallBankCsv}`, 'utf16le'), /line 1 is not text in UTF-8/],
    ['a compressed file', gzipSync(smallBankCsv), /is not text in UTF-8/],
    [
      'a language that does not exist',
      smallBankCsv.replace('text:de', 'text:xx'),
      /line 2, column text:xx: this is not the code of a language/,
    ],
    [
      'words of a language in which there is no text',
      addColumns('options:fr', 'a|b|c|d|e'),
      /line 2, column options:fr: the statement has no text in this language/,
    ],
    [
      'words that are fewer than the options',
      addColumns('options:de', 'Nein|Ja'),
      /line 2, column options:de: 5 options with \| between them are needed/,
    ],
    ['an id that is a formula', smallBankCsv.replace('calm_1,', '=cmd|A1,'), /line 2, column item_id/],
    [
      'an id that is a column of answers',
      smallBankCsv.replace('calm_2,', 'person,'),
      /line 3, column item_id: "person" is the name of another column/,
    ],
    [
      'two ids that look the same',
      smallBankCsv.replace('calm_1,', 'é,').replace('calm_2,', 'e\u0301,'),
      /line 3, column item_id: "é" is there twice/,
    ],
    [
      'a text that turns its direction',
      smallBankCsv.replace('Ich bin calm_1.', 'Ich \u202enib'),
      /line 2, column text:de: the text has a line break or a character that nobody sees/,
    ],
    [
      'an option of 5,000 characters',
      smallBankCsv.replaceAll(',5,', `,${'x'.repeat(5_000)}|y,`),
      /line 2, column options: .* has a word of more than 100 characters/,
    ],
    [
      'a parameter that is NaN',
      addColumns('discrimination,threshold:1,threshold:2,threshold:3,threshold:4', 'NaN,-1,0,1,2'),
      /line 2, column discrimination: this is not a parameter/,
    ],
    [
      'a parameter in hexadecimal',
      addColumns('discrimination,threshold:1,threshold:2,threshold:3,threshold:4', '0x1,-1,0,1,2'),
      /line 2, column discrimination: this is not a parameter/,
    ],
    [
      '60,000 statements',
      [header, ...Array.from({ length: 60_000 }, () => rows[0])].join('\n'),
      /more than 2000/,
    ],
    [
      'a line of a megabyte',
      `${header}\n${'a'.repeat(1_000_000)}`,
      /line 2 is longer than 100000 characters/,
    ],
  ])('%s', async (_, content, line) => {
    await expectLine(
      async () => importBank(platform, { file: await write('x.csv', content), name: 'refused' }),
      line,
    );
  });

  it.each<[string, string, RegExp]>([
    ['an export that was written to half', change({}).slice(0, 2_000), /is not complete JSON/],
    ['NaN in JSON', '[{"item_id": NaN}]', /is not complete JSON/],
    [
      'a scale without statements',
      JSON.stringify({ ...exported, scales: [...exported.scales, { scale: 'joy', trait: null }] }),
      /\/scales: "joy" has no statements/,
    ],
    [
      'parameters of a statement that is none',
      change({ items: { ...parameters.items, other: { discrimination: 1, thresholds: [0] } } }),
      /\/parameters\/items: "other" is no statement of the file/,
    ],
    [
      'a standard error below zero',
      change({
        items: {
          ...parameters.items,
          calm_1: {
            ...parameters.items['calm_1'],
            standard_errors: { discrimination: -1, thresholds: [0, 0, 0, 0] },
          },
        },
      }),
      /\/parameters\/items\/calm_1\/standard_errors\/discrimination: must be >= 0/,
    ],
    ['parameters of a language without texts', change({ language: 'fr' }), /no statement has a text in "fr"/],
    [
      'a language that compares statements that are none',
      change({ languages: { de: { alike: ['zz'], items: {} } } }),
      /\/parameters\/languages\/de: "zz" is no statement/,
    ],
    [
      'a compared language that does not exist',
      change({ languages: { xx: { alike: [], items: {} } } }),
      /languages\/xx: this is not the code/,
    ],
  ])('%s', async (_, content, line) => {
    await expectLine(
      async () => importBank(platform, { file: await write('x.json', content), name: 'refused' }),
      line,
    );
  });

  it('a device, which has no end, and a folder', async () => {
    await expectLine(
      () => importBank(platform, { file: '/dev/zero', name: 'refused' }),
      /is not a file: a device or a pipe may have no end/,
    );
    await expectLine(
      () => importBank(platform, { file: '/tmp', name: 'refused' }),
      /cannot be read \(EISDIR\)/,
    );
  });
});

describe('answers are refused', () => {
  const replaceAnswer = (cell: string) => csv.replace(/p5,\d/, `p5,${cell}`);
  it.each<[string, string | Uint8Array, object, RegExp]>([
    ['NaN', replaceAnswer('NaN'), {}, /line 7, column calm_1: "NaN" is not a whole number from 1 to 5/],
    ['a formula', replaceAnswer('=1+1'), {}, /line 7, column calm_1: "=1\+1" is not a whole number/],
    ['digits of another script', replaceAnswer('３'), {}, /line 7, column calm_1: "３" is not/],
    ['half a number', replaceAnswer('2.5'), {}, /line 7, column calm_1: "2.5"/],
    ['a cell with a control', replaceAnswer('"3\r\u001b[2J"'), {}, /line 8, column calm_1: "3 \[2J" is not/],
    [
      'a file that was written to half',
      csv.slice(0, -7),
      {},
      /line 121 has 14 cells, but the first line has 17/,
    ],
    ['zeros that a crash left', `${csv}\0\0\0`, {}, /line 121 is not text in UTF-8/],
    ['a language that the bank lacks', csv, { language: 'fr' }, /--language fr: not every statement/],
    [
      'answers of another language alone',
      csv
        .split('\n')
        .map((line, index) => `${line},${index === 0 ? 'language' : 'de'}`)
        .join('\n'),
      {},
      /at least 100 respondents in en, but only 0 are available; 120 read the statements in another language/,
    ],
  ])('%s', async (_, content, more, line) => {
    await expectLine(() => calibrate('small', content, more), line);
  });
});

describe('what belongs to another bank is refused', () => {
  const missing = /the bank "small" has no version "twin\./;
  const score = async (input: Readonly<Record<string, string>>) => {
    for await (const each of scoreAnswers(
      platform,
      { bank: 'small', version: other, csv: answers, ...input },
      quiet,
    ))
      throw new Error(`${each.person} was scored`);
  };
  it('by every command that reads a version', async () => {
    const named = { bank: 'small', version: other };
    const anchors = await write('anchors.json', JSON.stringify(exported));
    const map = await write('map.csv', 'scale,trait\ncalm,sincerity\n');
    await expectLine(() => score({}), missing);
    await expectLine(() => score({ bank: 'tessera' }), /the bank "tessera" has no version/);
    await expectLine(() => exportBank(platform, named), missing);
    await expectLine(
      () => compareGroups(platform, { ...named, csv: answers, group: 'calm_1' }, quiet),
      missing,
    );
    await expectLine(() => linkForms(platform, { ...named, anchors }), missing);
    await expectLine(() => useParameters(platform, { ...named, map }), missing);
  });

  it('and so are half a map and half a file of anchors', async () => {
    const map = await write('map.csv', 'scale,trait,sign\ncalm\n');
    await expectLine(
      () => useParameters(platform, { bank: 'small', version, map }),
      /line 2 has 1 cells, but the first line has 3/,
    );
    const anchors = await write('anchors.csv', 'item_id,discrimination,threshold:1\ncalm_1,1\n');
    await expectLine(() => linkForms(platform, { bank: 'small', version, anchors }), /line 2 has 2 cells/);
  });
});
