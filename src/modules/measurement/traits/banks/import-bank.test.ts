import { expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';
import { builtInBanks, itemBank } from '../items/item-bank.ts';
import { exportBank, summariseExport } from './export-bank.ts';
import { importBank } from './import-bank.ts';
import { scoreAnswers } from './score-answers.ts';

const write = await createFileWriter();
const app = await startApp();
const { platform } = app;
const file = await write('bank.csv', smallBankCsv);
const csv = await write('answers.csv', simulateAnswers({ people: 300, seed: 1 }).csv);

async function listScores(on: typeof platform, input: Readonly<Record<string, string>>) {
  const scores = [];
  for await (const each of scoreAnswers(on, input, quiet)) scores.push(each);
  return scores;
}

test('an export gives the same scores on another installation, to 1e-9, and the same name', async () => {
  const imported = await importBank(platform, { file, name: 'small' });
  expect(imported).toEqual({ bank: 'small', items: 16, scales: 2, version: null, is_new: true });
  expect(await importBank(platform, { file, name: 'small' })).toMatchObject({ is_new: false });
  const { version } = await calibrateItems(platform, { csv, bank: 'small' }, quiet);
  const exported = await exportBank(platform, { bank: 'small', version: version! });
  expect(exported.norms).toMatchObject({ size: 300, source: 'answers.csv' });
  expect(summariseExport(exported)).toMatchObject({ items: 16, scales: 2, parameters: 16 });
  expect(exported.items[0]!.text).toEqual({ en: 'I am, calm_1.', de: 'Ich bin calm_1.' });

  const other = await startApp();
  const json = await write('export.json', JSON.stringify(exported));
  expect(await importBank(other.platform, { file: json, name: 'small' })).toMatchObject({
    version,
    is_new: true,
  });
  expect(await importBank(other.platform, { file: json, name: 'small' })).toMatchObject({ is_new: false });
  const input = { bank: 'small', version: version!, csv };
  const [before, after] = [await listScores(platform, input), await listScores(other.platform, input)];
  expect(before).toHaveLength(300);
  for (const [index, { traits }] of before.entries())
    for (const [slot, { mean, sd }] of traits.entries()) {
      expect(Math.abs(after[index]!.traits[slot]!.mean - mean)).toBeLessThan(1e-9);
      expect(Math.abs(after[index]!.traits[slot]!.sd - sd)).toBeLessThan(1e-9);
    }
  expect(await exportBank(other.platform, { bank: 'small', version: version! })).toEqual(exported);
});

test('an export of a version with decisions about statements gives the same scores and the same name elsewhere', async () => {
  await importBank(platform, { file, name: 'small' });
  const { version } = await calibrateItems(platform, { csv, bank: 'small' }, quiet);
  const undecided = await exportBank(platform, { bank: 'small', version: version! });
  const decisions = {
    weights: { calm_1: 0, calm_2: 0.5 },
    pairs: [{ items: ['order_1', 'order_2'], correlation: 0.4, is_asked_together: false }],
  };
  const decided = { ...undecided, parameters: { ...undecided.parameters, decisions } };
  const json = await write('decided.json', JSON.stringify(decided));
  const imported = await importBank(platform, { file: json, name: 'small' });
  const input = { bank: 'small', version: imported.version!, csv };
  const exported = await exportBank(platform, input);
  expect(exported.parameters.decisions).toEqual(decisions);
  const other = await startApp();
  const again = await write('again.json', JSON.stringify(exported));
  expect(await importBank(other.platform, { file: again, name: 'small' })).toMatchObject(imported);
  const scores = await listScores(platform, input);
  expect(await listScores(other.platform, input)).toEqual(scores);
  expect(scores).not.toEqual(await listScores(platform, { ...input, version: version! }));
  const [asked] = await listScores(platform, { ...input, most: '16' });
  expect(asked!.asked_items).not.toContain('calm_1');
  expect(asked!.asked_items.filter((id) => id === 'order_1' || id === 'order_2').length).toBeLessThan(2);
});

test('our own statements can be exported, and are imported under another name with their parameters', async () => {
  const { parameter_version } = itemBank;
  const exported = await exportBank(platform, { bank: 'tessera', version: parameter_version });
  expect([exported.items.length, exported.scales.length]).toEqual([288, 18]);
  const json = await write('own.json', JSON.stringify(exported));
  const copy = await importBank(platform, { file: json, name: 'copy' });
  const own = await write('own.csv', 'sincerity_01,sincerity_02,discretion_03\n0,4,2\n3,3,1\n');
  const scores = await listScores(platform, { bank: 'tessera', version: parameter_version, csv: own });
  expect(await listScores(platform, { bank: 'copy', version: copy.version!, csv: own })).toEqual(scores);
});

test('the same bank may come as JSON', async () => {
  const items = ['a', 'b', 'c'].map((item_id) => ({
    item_id,
    scale: 's',
    sign: '-',
    options: ['No', 'Yes'],
    text: { en: 'x' },
  }));
  for (const [name, content] of Object.entries({
    list: items,
    object: { items, scales: [{ scale: 's', trait: 'sincerity' }] },
  })) {
    const json = await write('list.json', JSON.stringify(content));
    expect(await importBank(platform, { file: json, name })).toMatchObject({ items: 3, scales: 1 });
  }
});

const [header, ...rows] = smallBankCsv.split('\n');
const exportable = { provisional: true, respondents: 0, norms: null };
const buildEntry = (item_id: string) => ({ item_id, scale: 's', sign: '+', options: 2 });
const three = ['a', 'b', 'c'].map(buildEntry);
const own = { discrimination: 1, thresholds: [0] };
const parameters = {
  items: { a: own, b: own, c: own },
  correlations: [[1]],
  shared_errors: { location: 0, log_discrimination: 0 },
  item_errors: { location: 0, log_discrimination: 0 },
};

test.each<[string, string, string | Uint8Array, RegExp]>([
  [
    'a statement twice',
    'x.csv',
    [header, ...rows, rows[0]].join('\n'),
    /x\.csv, line 18, column item_id: "calm_1" is there twice/,
  ],
  ['an unknown sign', 'x.csv', smallBankCsv.replace(',-,', ',~,'), /line 3, column sign: "~" is neither/],
  [
    'options that differ',
    'x.csv',
    smallBankCsv.replace(',-,5', ',-,7'),
    /line 3, column options: "7" differs from "5"/,
  ],
  [
    'a scale with two statements',
    'x.csv',
    [header, ...rows.slice(0, 10)].join('\n'),
    /"order" has 2 statements/,
  ],
  [
    'half a file',
    'x.csv',
    smallBankCsv.slice(0, -10).replace(/[^\n]*$/, 'order_8,order'),
    /line 17 has 2 cells, but the first line has 6/,
  ],
  ['no column sign', 'x.csv', 'item_id,scale,options\na,b,5\n', /line 1: there is no column sign/],
  [
    'a column twice',
    'x.csv',
    'item_id,scale,sign,options,sign\n',
    /line 1: the column "sign" is there twice/,
  ],
  [
    'another encoding',
    'x.csv',
    Buffer.from('item_id,scale,sign,options,text:de\na,b,+,5,f\xfcr\n', 'latin1'),
    /line 2 is not text in UTF-8/,
  ],
  ['half of JSON', 'x.json', '{"items": [', /x\.json is not complete JSON/],
  ['JSON in another encoding', 'x.json', Buffer.from('["\xfc"]', 'latin1'), /is not text in UTF-8/],
  ['JSON without statements', 'x.json', '{}', /has no list "items"/],
  ['an entry that is none', 'x.json', '[1]', /item 1 is not an object/],
  [
    'parameters without correlations',
    'x.json',
    JSON.stringify({ items: three, ...exportable, parameters: { ...parameters, correlations: [[2]] } }),
    /\/parameters\/correlations/,
  ],
  [
    'a statement without parameters',
    'x.json',
    JSON.stringify({ items: three, ...exportable, parameters: { ...parameters, items: { a: own } } }),
    /\/parameters\/items\/b/,
  ],
  [
    'decisions about statements that are none',
    'x.json',
    JSON.stringify({
      items: three,
      ...exportable,
      parameters: { ...parameters, decisions: { weights: { z: 0 }, pairs: [] } },
    }),
    /\/parameters\/decisions: "z" is no statement/,
  ],
  [
    'a map of a scale that is none',
    'x.json',
    JSON.stringify({
      items: three,
      ...exportable,
      parameters: { ...parameters, map: { t: { trait: 'sincerity', sign: '+' } } },
    }),
    /\/parameters\/map, column scale: "t" is no scale/,
  ],
  ['parameters of another form', 'x.json', JSON.stringify({ items: three, parameters }), /x\.json, \//],
])('refuses %s and stores nothing', async (_, name, content, line) => {
  const before = await app.sql.list(sql`select bank from item_banks`);
  const refused = importBank(platform, { file: await write(name, content), name: 'refused' });
  await expect(refused).rejects.toThrow(line);
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
  expect(await app.sql.list(sql`select bank from item_banks`)).toEqual(before);
});

test('refuses names that are none, and unknown banks and versions', async () => {
  await expect(importBank(platform, { file, name: 'a b' })).rejects.toThrow('--name must be');
  await expect(importBank(platform, { file: '/nowhere.json', name: 'x' })).rejects.toThrow(
    'cannot be read (ENOENT)',
  );
  await expect(exportBank(platform, { bank: 'gone', version: 'x' })).rejects.toThrow(
    'the bank "gone" does not exist',
  );
  await expect(exportBank(platform, { bank: 'small', version: 'x' })).rejects.toThrow('has no version "x"');
  await expect(calibrateItems(platform, { bank: 'small' }, quiet)).rejects.toThrow(
    '--bank needs --csv with answers',
  );
  await expect(calibrateItems(platform, { bank: 'gone', csv }, quiet)).rejects.toThrow('does not exist');
});

test('what is stored never changes, and versions of other banks are not those of our own', async () => {
  await expect(app.sql.run(sql`delete from item_banks`)).rejects.toThrow(/append-only/);
  const { versions } = await import('../calibration/use-parameters.ts').then(({ listVersions }) =>
    listVersions({ database: app.sql }),
  );
  expect(versions.map(({ version }) => version)).toEqual([...builtInBanks.keys()]);
});
