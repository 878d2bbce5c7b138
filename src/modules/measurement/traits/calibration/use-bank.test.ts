import { expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { answerAllItems, answerItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { deleteBank } from '../banks/delete-bank.ts';
import { exportBank } from '../banks/export-bank.ts';
import { importBank } from '../banks/import-bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { collectStoredAnswers, calibrateItems } from './calibrate-items.ts';
import { formatVersions, listVersions, useParameters } from './use-parameters.ts';

const write = await createFileWriter();
const app = await startApp();
const { platform } = app;
await importBank(platform, { file: await write('bank.csv', smallBankCsv), name: 'small' });
const csv = await write('answers.csv', simulateAnswers({ people: 600, seed: 1 }).csv);
const version = (await calibrateItems(platform, { csv, bank: 'small' }, quiet)).version!;
const map = await write('map.csv', 'scale,trait,sign\ncalm,pressure_response,\norder,autonomy_drive,-\n');

const use = (more: Readonly<Record<string, string>>) =>
  useParameters(platform, { bank: 'small', version, ...more });
const useOurs = () => useParameters(platform, { bank: 'tessera', version: itemBank.parameter_version });
const readTraits = async (token: string) =>
  (await app.request('GET', '/members/me/traits', { token })).body.traits as readonly {
    readonly trait_name: string;
    readonly score: number;
    readonly certainty: string;
    readonly lower_bound: number;
    readonly upper_bound: number;
  }[];

/** Answers like somebody who agrees with every statement about the scales `calm` and `order`, as far as its key says. */
function answerHigh({ text }: { readonly text: string }): number {
  const number = Number(/_(\d)/.exec(text)![1]);
  return number % 2 === 1 ? 4 : 0;
}

test('members are asked the statements of the bank in use, and results from others stay as they are', async () => {
  const before = await registerMeasurableMember(app);
  await answerAllItems(app, before.token);
  const earlier = await readTraits(before.token);
  const change = await use({ map });
  expect(change).toMatchObject({ before: itemBank.parameter_version, provisional: false });
  await app.drainQueue();

  expect(await readTraits(before.token)).toEqual(earlier);
  const member = await registerMeasurableMember(app);
  const started = await app.request('POST', '/members/me/assessment', { token: member.token, body: {} });
  expect(started.body.next_item).toMatchObject({
    text: expect.stringMatching(/^I am, (calm|order)_\d\.$/),
    options: ['Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree'],
  });
  expect(started.body.progress.estimated_total).toBe(12);
  const ended = await answerItems(
    app,
    member.token,
    ({ stage }) => stage !== 'complete',
    (item) => answerHigh(item as unknown as Parameters<typeof answerHigh>[0]),
  );
  expect(ended.progress.answered).toBe(12);
  const traits = new Map((await readTraits(member.token)).map((trait) => [trait.trait_name, trait]));
  expect(traits.get('pressure_response')!.score).toBeGreaterThan(0.9);
  expect(traits.get('autonomy_drive')!.score).toBeLessThan(0.1);
  const asked = new Set(['pressure_response', 'autonomy_drive']);
  const others = [...traits.values()].filter(({ trait_name }) => !asked.has(trait_name));
  const isOpen = (trait: (typeof others)[number]) =>
    trait.certainty === 'open' && trait.lower_bound < 0.03 && trait.upper_bound > 0.97;
  expect(others.filter((trait) => !isOpen(trait))).toEqual([]);
  const archetype = await app.request('GET', '/members/me/archetype', { token: member.token });
  expect(archetype.status).toBe(200);

  const rows = await app.sql.list(
    sql<{
      parameter_version: string;
    }>`select parameter_version from trait_vectors where member_id = ${member.member_id}`,
  );
  expect(rows).toEqual([{ parameter_version: change.in_use }]);
  expect(formatVersions(await listVersions(platform))[change.in_use]).toMatch(/^in use, of the bank small, /);
  expect((await collectStoredAnswers(platform)).answerSets).toHaveLength(1);
  expect((await exportBank(platform, { bank: 'small', version: change.in_use })).parameters.map).toEqual({
    calm: { trait: 'pressure_response', sign: '+' },
    order: { trait: 'autonomy_drive', sign: '-' },
  });

  expect(await useOurs()).toMatchObject({ in_use: itemBank.parameter_version, before: change.in_use });
  await app.drainQueue();
  expect(new Map((await readTraits(member.token)).map((trait) => [trait.trait_name, trait]))).toEqual(traits);
  expect(await readTraits(before.token)).toEqual(earlier);
  expect(await use({ version: change.in_use })).toMatchObject({ in_use: change.in_use });
  await useOurs();
});

test.each([
  [
    'an unknown trait',
    'scale,trait\ncalm,kindness\n',
    'line 2, column trait: "kindness" is not a trait on a scale',
  ],
  [
    'a trait of situations',
    'scale,trait\ncalm,decision_mode\n',
    'line 2, column trait: "decision_mode" is not a trait on a scale',
  ],
  [
    'two scales onto one trait',
    'scale,trait\ncalm,sincerity\norder,sincerity\n',
    'line 3, column trait: "sincerity" is measured by "calm" already',
  ],
  [
    'a scale that the version lacks',
    'scale,trait\njoy,sincerity\n',
    'line 2, column scale: "joy" is no scale of this version',
  ],
  [
    'a scale twice',
    'scale,trait\ncalm,sincerity\ncalm,persistence\n',
    'line 3, column scale: "calm" is there twice',
  ],
  ['an unknown sign', 'scale,trait,sign\ncalm,sincerity,x\n', 'line 2, column sign: "x" is neither + nor -'],
  ['no column trait', 'scale\ncalm\n', 'line 1: there is no column trait'],
  ['no trait', 'scale,trait\ncalm,\n', 'names no trait'],
])('refuses a map with %s, and changes nothing', async (_, content, line) => {
  const count = sql<{ count: number }>`select count(*) from item_parameter_versions`;
  const before = [await app.sql.count(count), (await listVersions(platform)).in_use];
  const refused = use({ map: await write('wrong.csv', content) });
  await expect(refused).rejects.toThrow(line);
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
  expect([await app.sql.count(count), (await listVersions(platform)).in_use]).toEqual(before);
});

test('refuses a bank without traits and without a map, unknown ones, and a map for our own bank', async () => {
  await expect(use({})).rejects.toThrow('name no trait; --map says');
  await expect(use({ bank: 'gone' })).rejects.toThrow('the bank "gone" does not exist');
  await expect(use({ version: 'x' })).rejects.toThrow('has no version "x"');
  await expect(use({ bank: 'tessera' })).rejects.toThrow('does not exist');
  await expect(useParameters(platform, { bank: 'tessera', version: 'x', map })).rejects.toThrow(
    '--map is for imported banks',
  );
});

test('traits in the file of a bank are its map', async () => {
  const [header, ...rows] = smallBankCsv.split('\n');
  const named = [
    `${header},trait`,
    ...rows.map((row) => `${row},${row.startsWith('calm') ? 'persistence' : ''}`),
  ];
  await importBank(platform, { file: await write('named.csv', named.join('\n')), name: 'named' });
  const calibrated = await calibrateItems(platform, { csv, bank: 'named' }, quiet);
  const { in_use } = await useParameters(platform, { bank: 'named', version: calibrated.version! });
  const { parameters } = await exportBank(platform, { bank: 'named', version: in_use });
  expect(parameters.map).toEqual({ calm: { trait: 'persistence', sign: '+' } });
  await useOurs();
});

test('a version that is or was in use is not deleted; others are, and a bank with them', async () => {
  const { in_use } = await use({ map });
  await expect(deleteBank(platform, { bank: 'small', version: in_use })).rejects.toThrow('is in use;');
  await useOurs();
  await expect(deleteBank(platform, { bank: 'small', version: in_use })).rejects.toThrow('was in use');
  await expect(deleteBank(platform, { bank: 'small' })).rejects.toThrow('was in use');
  await expect(
    app.sql.run(sql`delete from item_parameter_versions where version = ${in_use}`),
  ).rejects.toThrow(/append-only/);
  expect(await deleteBank(platform, { bank: 'small', version })).toEqual({
    bank: 'small',
    versions: 1,
    statements: false,
  });
  await expect(deleteBank(platform, { bank: 'small', version })).rejects.toThrow('has no version');
  await expect(deleteBank(platform, { bank: 'tessera' })).rejects.toThrow('part of the program');
  await importBank(platform, { file: await write('bank.csv', smallBankCsv), name: 'spare' });
  await calibrateItems(platform, { csv, bank: 'spare' }, quiet);
  expect(await deleteBank(platform, { bank: 'spare' })).toEqual({
    bank: 'spare',
    versions: 1,
    statements: true,
  });
  await expect(deleteBank(platform, { bank: 'spare' })).rejects.toThrow('the bank "spare" does not exist');
});
