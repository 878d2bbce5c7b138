import { randomUUID } from 'node:crypto';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet } from '#test/modules/banks.ts';
import { listGradedItems } from '#test/modules/items.ts';
import { ownTranslation, translatedOptions } from '#test/modules/own-translation.ts';
import { loadPopulation } from '../../../../demo/load-population.ts';
import { addStatements } from '../banks/add-statements.ts';
import { exportBank } from '../banks/export-bank.ts';
import { importBank } from '../banks/import-bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { isGraded } from '../items/item.ts';
import { readOwnForm } from '../items/tessera-form.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { simulateStatementOption } from '../measurement/simulated-member.ts';
import { loadItemBank } from '../parameters/parameters-in-use.ts';
import { addLanguage } from './add-language.ts';
import { calibrateItems } from './calibrate-items.ts';
import { useParameters } from './use-parameters.ts';

const app = await startApp({ TESSERA_VOLUNTEERS: 'on' });
const { platform } = app;
const write = await createFileWriter();
const bank = 'tessera';
const importJson = async (content: unknown) => {
  app.clock.advance(1_000);
  return importBank(platform, { file: await write('own.json', JSON.stringify(content)), name: bank });
};
const addTranslations = () => addStatements(platform, { bank, version: itemBank.parameter_version });
const load = (version: string, language: string | null = null) =>
  loadItemBank(platform, platform.database, version, language);

let incomplete: string;
let version: string;
beforeAll(async () => {
  await importJson({ items: ownTranslation.items });
  incomplete = (await addTranslations()).version;
  await importJson({ items: [], situations: ownTranslation.situations });
  ({ version } = await addTranslations());
});

test('our own bank is offered in a language once every statement and every situation has its texts', async () => {
  expect(listBankLanguages(await load(incomplete))).toEqual(['en']);
  expect(listBankLanguages(await load(version))).toEqual(['en', 'de']);
  const exported = await exportBank(platform, { bank, version });
  expect(exported.situations).toEqual(ownTranslation.situations);
  expect(exported.items[0]!.text).toEqual(ownTranslation.items[0]!.text);
});

test('situations may come as CSV too: a row for each, and one for each of its options', async () => {
  const { item_id, options: ways } = readOwnForm().situations[0]!;
  const rows = [
    `${item_id},,Une situation`,
    ...ways.map(({ value }, index) => `${item_id},${value},Choix ${index + 1}`),
  ];
  const importRows = async (...added: readonly string[]) => {
    const file = await write('situations.csv', ['item_id,value,text:fr', ...added].join('\n'));
    return importBank(platform, { file, name: bank });
  };
  await expect(importRows(`${item_id},nonsense,Choix`)).rejects.toThrow(
    'line 2, column value: "nonsense" is no option of this situation',
  );
  await expect(importRows(rows[1]!, rows[1]!)).rejects.toThrow('line 3, column value:');
  app.clock.advance(1_000);
  expect(await importRows(...rows)).toMatchObject({ is_new: true });
  const { situations: stored } = await exportBank(platform, {
    bank,
    version: (await addTranslations()).version,
  });
  expect(stored![0]!.text).toMatchObject({ de: expect.stringMatching(/^DE /), fr: 'Une situation' });
});

test('in another language a situation says less of a way of acting, and a statement less of its trait', async () => {
  const [own, german] = [await load(version), await load(version, 'de')];
  expect(german.provisional).toBe(true);
  for (const [index, { choice, text }] of german.scenarios.entries()) {
    const before = own.scenarios[index]!;
    expect(text).toBe(`DE ${before.text}`);
    expect(choice.popularity).toEqual(before.choice.popularity);
    expect(choice.norm_error).toBeCloseTo(Math.hypot(before.choice.norm_error, 0.5));
  }
  expect(german.errors.shared.location).toBeGreaterThan(own.errors.shared.location);
});

test('a member answers the whole assessment in the language, situations too, and is measured', async () => {
  await useParameters(platform, { bank, version });
  await app.drainQueue();
  const { token, member_id } = await registerMeasurableMember(app);
  const start = await app.request('POST', '/members/me/assessment', { token, body: { language: 'de-CH' } });
  expect(start.body).toMatchObject({ language: 'de', languages: ['de', 'en'] });
  const read: { readonly text: string; readonly options: readonly string[] }[] = [];
  const ended = await answerItems(
    app,
    token,
    ({ stage }) => stage !== 'complete',
    (item, answered) => {
      read.push(item as unknown as (typeof read)[number]);
      return answered % 4;
    },
  );
  expect(ended.stage).toBe('complete');
  expect(read.filter(({ text }) => !text.startsWith('DE '))).toEqual([]);
  const ways = read.filter(({ options: shown }) => shown[0] !== translatedOptions[0]);
  expect(ways.length).toBeGreaterThanOrEqual(6);
  expect(ways.every(({ options: shown }) => shown.every((each) => each.startsWith('DE ')))).toBe(true);
  const stored = await app.sql.one(sql<{ language: string; provisional: boolean }>`
    select assessments.language, trait_vectors.provisional from assessments
    join trait_vectors on trait_vectors.member_id = assessments.member_id and assessment_id = assessments.id
    where assessments.member_id = ${member_id}`);
  expect(stored).toEqual({ language: 'de', provisional: true });
});

/** Adds complete answers of people to two traits. In German nearly everybody answers one statement a step higher. */
const asked = [...listGradedItems('persistence'), ...listGradedItems('discretion')];
const otherwise = asked[0]!.id;
const random = createSeededRandom(9);

function simulateOptions(language: string): readonly number[] {
  const places = { persistence: drawStandardNormal(random), discretion: drawStandardNormal(random) };
  return asked.map((item) => {
    const option = simulateStatementOption(item, places[item.trait as keyof typeof places], random);
    return language === 'de' && item.id === otherwise ? Math.min(4, option + 1) : option;
  });
}

const ids = asked.map(({ id }) => id);
const people = [...Array<string>(350).fill('en'), ...Array<string>(250).fill('de')];

async function insertMembers() {
  await loadPopulation(platform, { members: '640', jobs: '0', seed: '3' }, quiet);
  const members = await app.sql.list(sql<{ id: string }>`
    select id from members where exists (select from granted_consents where granted_consents.member_id = members.id
      and consent_type = 'assessment_data') and not exists (select from assessments where member_id = members.id) order by id`);
  expect(members.length).toBeGreaterThan(people.length);
  for (const [index, language] of people.entries())
    await app.sql.run(sql`
      insert into assessments (id, member_id, item_bank_version, parameter_version, language, started_at, completed_at, item_ids, options)
      values (${randomUUID()}, ${members[index]!.id}, 'mvp20-2', ${itemBank.parameter_version}, ${language}, ${app.clock.now()},
        ${app.clock.now()}, ${ids}::text[], ${simulateOptions(language)}::smallint[])`);
}

async function insertVolunteers() {
  for (const language of people) {
    const given = simulateOptions(language);
    await app.sql.run(sql`
      insert into volunteers (id, code_hash, consent_version, item_bank_version, parameter_version, language, asked_at, started_at,
        completed_at, item_ids, options, response_times_ms)
      values (gen_random_uuid(), decode(md5(random()::text), 'hex'), '1.0', 'mvp20-2', ${itemBank.parameter_version}, ${language},
        ${app.clock.now()}, ${app.clock.now()}, ${app.clock.now()}, ${ids}::text[], ${given}::smallint[], ${given}::integer[])`);
  }
}

const expected = {
  language: 'de',
  own: [{ item_id: otherwise }],
  alike: expect.arrayContaining(ids.slice(1, 6)),
};

test('answers of members and of volunteers, from before the language too, show what works otherwise', async () => {
  await expect(
    addLanguage(platform, { bank, version, language: 'de', answers: 'public' }, quiet),
  ).rejects.toThrow(
    'the answers of volunteers: respondents of both de and en are needed, but there are 0 and 0',
  );
  await insertMembers();
  await insertVolunteers();
  const fromMembers = await addLanguage(
    platform,
    { bank, version, language: 'de', answers: 'members' },
    quiet,
  );
  // The member of the test before is one more, unless the answers have a signal.
  expect(fromMembers).toMatchObject({ ...expected, respondents: { compared_with: 350 } });
  const fromVolunteers = await addLanguage(
    platform,
    { bank, version, language: 'de', answers: 'public' },
    quiet,
  );
  expect(fromVolunteers).toMatchObject({
    ...expected,
    respondents: { language: 250, compared_with: 350 },
  });
  const german = await load(fromVolunteers.version, 'de');
  const known = german.itemsById.get(ids[3]!)!;
  const own = (await load(version)).itemsById.get(ids[3]!)!;
  expect(isGraded(known) && isGraded(own) && known.standard_errors).toEqual(
    isGraded(own) && own.standard_errors,
  );
});

test('a calibration of our own bank reads answers in English alone, and says how many others there are', async () => {
  const members = await calibrateItems(platform, {}, quiet);
  expect(members.respondents).toBe(350);
  expect(members.left_out.languages).toBeGreaterThanOrEqual(250);
  const volunteers = await calibrateItems(platform, { answers: 'public' }, quiet);
  expect([volunteers.respondents, volunteers.left_out.languages]).toEqual([350, 250]);
});

test.each([
  ['two sources', { csv: 'answers.csv', answers: 'public' }],
  ['no source', {}],
  ['an unknown source', { answers: 'everybody' }],
])('refuses %s', async (_, source) => {
  await expect(addLanguage(platform, { bank, version, language: 'de', ...source }, quiet)).rejects.toThrow(
    'name one source of answers: --csv <file>, --answers public or --answers members',
  );
});
