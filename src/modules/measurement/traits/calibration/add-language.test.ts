import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import {
  bilingualBankCsv,
  createFileWriter,
  germanOptions,
  quiet,
  simulateAnswers,
  smallBankCsv,
} from '#test/modules/banks.ts';
import { answerForScience, startVolunteer } from '#test/modules/volunteers.ts';
import { exportBank } from '../banks/export-bank.ts';
import { importBank } from '../banks/import-bank.ts';
import { addStatements } from '../banks/add-statements.ts';
import { scoreAnswers } from '../banks/score-answers.ts';
import { itemBank } from '../items/item-bank.ts';
import { addLanguage } from './add-language.ts';
import { calibrateItems } from './calibrate-items.ts';
import { useParameters } from './use-parameters.ts';

const write = await createFileWriter();
const app = await startApp();
const { platform } = app;
await importBank(platform, { file: await write('bank.csv', bilingualBankCsv), name: 'small' });
const english = simulateAnswers({ people: 600, seed: 11 }).csv;
const german = simulateAnswers({ people: 400, seed: 12, shift: 0.4 }).csv;
const map = await write('map.csv', 'scale,trait\ncalm,pressure_response\norder,autonomy_drive\n');

/** Joins answers with their language. In German, `calm_1` is answered one step higher by nearly everybody: its translation says less. */
function joinLanguages(mark = (language: string) => language): string {
  const [header, ...first] = english.split('\n');
  const [, ...second] = german.split('\n');
  const calm = header!.split(',').indexOf('calm_1');
  const move = (line: string) => {
    const cells = line.split(',');
    return cells.with(calm, String(Math.min(5, Number(cells[calm]) + 1))).join();
  };
  return [
    `${header},language`,
    ...first.map((line) => `${line},${mark('en')}`),
    ...second.map((line, index) => `d${index}${move(line).slice(line.indexOf(','))},${mark('de')}`),
  ].join('\n');
}

const csv = await write('answers.csv', joinLanguages());
const calibrated = await calibrateItems(platform, { csv, bank: 'small' }, quiet);
const version = calibrated.version!;
const added = await addLanguage(platform, { bank: 'small', version, csv, language: 'de' }, quiet);

async function listScores(named: string, file: string) {
  const scores = [];
  for await (const each of scoreAnswers(platform, { bank: 'small', version: named, csv: file }, quiet))
    scores.push(each);
  return scores;
}

test('a calibration is of one language, and says how many answers in another it left out', async () => {
  expect([calibrated.respondents, calibrated.left_out]).toEqual([
    600,
    { careless: 0, columns: 0, languages: 400 },
  ]);
  const other = await calibrateItems(platform, { csv, bank: 'small', language: 'de' }, quiet);
  expect([other.respondents, other.left_out.languages]).toEqual([400, 600]);
  const exported = await exportBank(platform, { bank: 'small', version: other.version! });
  expect(exported.parameters.language).toBe('de');
});

test('a statement that works otherwise in a language gets its own parameters, and the others retain theirs', () => {
  expect(added).toMatchObject({
    language: 'de',
    respondents: { language: 400, compared_with: 600 },
    open: [],
  });
  expect(added.own.map(({ item_id }) => item_id)).toEqual(['calm_1']);
  expect(added.alike).toHaveLength(15);
  const before = calibrated.traits[0]!.items[0]!;
  // The thresholds are reached by people with less of the trait: one step of answers is about 0.9 standard deviations here.
  const moved = before.thresholds.map((value, index) => value - added.own[0]!.thresholds[index]!);
  expect(moved[1]!).toBeGreaterThan(0.5);
  expect(moved[2]!).toBeGreaterThan(0.5);
});

test('until a translation was compared its scores carry wider bounds, and afterwards those of the language', async () => {
  const [header, ...lines] = joinLanguages().split('\n');
  const few = await write('few.csv', [header, ...lines.slice(-40)].join('\n'));
  const [untested, compared] = [await listScores(version, few), await listScores(added.version, few)];
  // A signal of careless answers widens bounds for another reason.
  const careful = untested.flatMap(({ quality_flags, traits }, index) => {
    const other = compared[index]!;
    return [...quality_flags, ...other.quality_flags].length > 0
      ? []
      : [{ before: traits, after: other.traits }];
  });
  expect(careful.length).toBeGreaterThan(20);
  const average = (which: 'before' | 'after') =>
    careful.reduce((sum, each) => sum + each[which][0]!.sd, 0) / careful.length;
  expect(average('before')).toBeGreaterThan(average('after') * 1.1);
  const inEnglish = await write('english.csv', [header, ...lines.slice(0, 40)].join('\n'));
  expect(await listScores(added.version, inEnglish)).toEqual(await listScores(version, inEnglish));
});

test('a version knows its languages on another installation too', async () => {
  const exported = await exportBank(platform, { bank: 'small', version: added.version });
  const other = await startApp();
  const file = await write('export.json', JSON.stringify(exported));
  expect(await importBank(other.platform, { file, name: 'small' })).toMatchObject({ version: added.version });
  const again = await exportBank(other.platform, { bank: 'small', version: added.version });
  expect(again).toEqual(exported);
});

test('a member is asked in the preferred language if the bank has it, and never in two', async () => {
  await useParameters(platform, { bank: 'small', version, map });
  await app.drainQueue();
  const { token, member_id } = await registerMeasurableMember(app);
  const start = async (body: object) =>
    (await app.request('POST', '/members/me/assessment', { token, body })).body;
  const begun = await start({ language: 'de-AT' });
  expect(begun).toMatchObject({ language: 'de', languages: ['de', 'en'] });
  expect(begun.next_item).toMatchObject({
    text: expect.stringMatching(/^Ich bin /),
    options: [...germanOptions],
  });
  expect((await start({ language: 'en' })).next_item.text).toMatch(/^I am/);
  expect((await start({ language: 'fr' })).language).toBe('en');
  expect((await start({ language: 'de' })).language).toBe('de');
  const path = '/members/me/assessment/answers';
  const answer = { item_id: begun.next_item.item_id, option: 3 };
  const { body: answered } = await app.request('POST', path, { token, body: answer });
  expect(answered).toMatchObject({ language: 'de', languages: ['de'] });
  // After the first answer the language stays.
  expect((await start({ language: 'en' })).next_item.text).toMatch(/^Ich bin/);
  const ended = await answerItems(app, token, ({ stage }) => stage !== 'complete');
  expect(ended.stage).toBe('complete');
  const rows = await app.sql.list(sql<{ language: string; provisional: boolean }>`
    select assessments.language, trait_vectors.provisional from assessments
    join trait_vectors on trait_vectors.member_id = assessments.member_id and assessment_id = assessments.id
    where assessments.member_id = ${member_id}`);
  expect(rows).toEqual([{ language: 'de', provisional: true }]);
});

test('stored answers in a language are scored again with what is known of it', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  await app.request('POST', '/members/me/assessment', { token, body: { language: 'de' } });
  const agree = ({ text }: { readonly text: string }) => (Number(/_(\d)/.exec(text)![1]) % 2 === 1 ? 3 : 1);
  await answerItems(
    app,
    token,
    ({ stage }) => stage !== 'complete',
    (item) => agree(item as unknown as { text: string }),
  );
  const read = async () => (await app.request('GET', '/members/me/traits', { token })).body;
  const measureWidth = ({
    traits,
  }: {
    traits: { trait_name: string; lower_bound: number; upper_bound: number }[];
  }) => {
    const { lower_bound, upper_bound } = traits.find((each) => each.trait_name === 'pressure_response')!;
    return upper_bound - lower_bound;
  };
  const before = await read();
  expect(before.provisional).toBe(true);
  await useParameters(platform, { bank: 'small', version: added.version, map });
  await app.drainQueue();
  const after = await read();
  expect(after.provisional).toBe(false);
  expect(measureWidth(after)).toBeLessThan(measureWidth(before));
  const { language } = await app.sql.one(sql<{ language: string }>`
    select language from assessments where member_id = ${member_id}`);
  expect(language).toBe('de');
});

test('a visitor and a volunteer are asked in their language, and calibrations keep the languages apart', async () => {
  const { body: terms } = await app.request('GET', '/volunteers');
  expect(terms.languages).toEqual(['en', 'de']);
  const { body: mirror } = await app.request('POST', '/first-mirror', { body: { language: 'de' } });
  expect(mirror).toMatchObject({ language: 'de', next_item: { text: expect.stringMatching(/^Ich bin/) } });
  const { body: next } = await app.request('POST', '/first-mirror', {
    body: { mirror: mirror.mirror, option: 1 },
  });
  expect(next).toMatchObject({ language: 'de', next_item: { options: [...germanOptions] } });
  const { body: begun } = await app.request('POST', '/volunteers', {
    body: { agreed_version: terms.version, language: 'de' },
  });
  expect(begun).toMatchObject({ language: 'de', next_item: { text: expect.stringMatching(/^Ich bin/) } });
  await answerForScience(app, begun);
  await answerForScience(app, await startVolunteer(app));
  const languages = await app.sql.list(sql<{ language: string }>`
    select language from volunteers where completed_at is not null order by language`);
  expect(languages).toEqual([{ language: 'de' }, { language: 'en' }]);
});

test('what cannot be read as a whole in a language is neither put into use nor asked in it', async () => {
  await importBank(platform, { file: await write('half.csv', smallBankCsv), name: 'half' });
  const half = (await calibrateItems(platform, { csv: await write('en.csv', english), bank: 'half' }, quiet))
    .version!;
  // German has texts, and no words for its options.
  await useParameters(platform, { bank: 'half', version: half, map });
  const { token } = await registerMeasurableMember(app);
  const { body } = await app.request('POST', '/members/me/assessment', { token, body: { language: 'de' } });
  expect(body).toMatchObject({ language: 'en', languages: ['en'] });
  const lacking = await addLanguage(
    platform,
    { bank: 'half', version: half, csv, language: 'de' },
    quiet,
  ).catch((error: unknown) => (error as Error).message);
  expect(lacking).toMatch(/not every statement of this version has its text and its options in de/);

  const wordless = bilingualBankCsv.replace('"I am, calm_3."', '');
  await importBank(platform, { file: await write('wordless.csv', wordless), name: 'wordless' });
  const missing = (
    await calibrateItems(platform, { csv: await write('en.csv', english), bank: 'wordless' }, quiet)
  ).version!;
  await expect(useParameters(platform, { bank: 'wordless', version: missing, map })).rejects.toThrow(
    'the statement calm_3 of "wordless" cannot be asked in en: import it with text:en',
  );
  await useParameters(platform, { bank: 'tessera', version: itemBank.parameter_version });
});

test('a bank gains a language without a calibration', async () => {
  await importBank(platform, { file: await write('one.csv', smallBankCsv), name: 'one' });
  const first = (await calibrateItems(platform, { csv: await write('en.csv', english), bank: 'one' }, quiet))
    .version!;
  await expect(addStatements(platform, { bank: 'one', version: first })).rejects.toThrow('no new languages');
  await importBank(platform, { file: await write('two.csv', bilingualBankCsv), name: 'one' });
  const seeded = await addStatements(platform, { bank: 'one', version: first });
  expect(seeded).toMatchObject({ seeded: [], is_new: true });
  const result = await addLanguage(
    platform,
    { bank: 'one', version: seeded.version, csv, language: 'de' },
    quiet,
  );
  expect(result.own.map(({ item_id }) => item_id)).toEqual(['calm_1']);
});

test.each([
  ['the language of the parameters', { language: 'en' }, 'en is the language of the parameters'],
  ['a language that the bank does not have', { language: 'fr' }, 'its options in fr'],
  [
    'our own bank without a translation',
    { bank: 'tessera', version: itemBank.parameter_version },
    'not every statement of this version has its text and its options in de',
  ],
  ['an unknown version', { version: 'small.1' }, 'has no version "small.1"'],
])('refuses %s', async (_, input, line) => {
  const refused = addLanguage(platform, { bank: 'small', version, csv, language: 'de', ...input }, quiet);
  await expect(refused).rejects.toThrow(line);
});

test('refuses a file with too few answers, or with a language that does not exist', async () => {
  const run = async (name: string, content: string) =>
    addLanguage(platform, { bank: 'small', version, language: 'de', csv: await write(name, content) }, quiet);
  const lines = joinLanguages().split('\n');
  await expect(run('few.csv', lines.slice(0, 700).join('\n'))).rejects.toThrow(
    'no statement has 200 answers in one language and 500 in both; there are 99 people with de and 600 others',
  );
  await expect(run('none.csv', lines.slice(0, 601).join('\n'))).rejects.toThrow('there are 0 and 600');
  const wrong = joinLanguages((language) => (language === 'de' ? 'xx' : 'en'));
  await expect(run('wrong.csv', wrong)).rejects.toThrow(
    'line 602, column language: "xx" is not the code of a language',
  );
  const unknown = joinLanguages((language) => (language === 'de' ? 'fr' : 'en'));
  const scores = listScores(version, await write('unknown.csv', unknown));
  await expect(scores).rejects.toThrow('not every statement of the bank has its text and its options in fr');
});
