import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continuousTraits } from '#modules/measurement/traits';
import type { JobTemplate } from '../templates/template-priorities.ts';
import { buildDraft } from './draft-job.ts';
import { listWords } from './find-trait-words.ts';
import { traitWords, wordsOfNoTrait } from './trait-words.ts';

const buildTemplate = (onet_code: string, title: string): JobTemplate => ({
  onet_code,
  title,
  description: `What ${title} do.`,
  trait_priorities: {
    pressure_response: 0.9,
    empathic_attunement: 0.8,
    accountability: 0.7,
    decision_mode: 0.6,
  },
});
const templates = [
  buildTemplate('29-1141.00', 'Registered Nurses'),
  buildTemplate('13-2011.00', 'Accountants and Auditors'),
  buildTemplate('13-1011.00', 'Agents and Business Managers of Artists, Performers, and Athletes'),
  buildTemplate('25-1081.00', 'Education Teachers, Postsecondary'),
  buildTemplate('35-2012.00', 'Cooks, Except Fast Food'),
  buildTemplate('35-2013.00', 'Cooks, Including Private Household'),
  buildTemplate('33-9092.00', 'Firemen'),
];
const readDraft = (text: string, title?: string) => buildDraft({ title, text, fields: {} }, templates);
const readReasons = (text: string) =>
  readDraft(text).reasons.map(({ trait_name, words }) => [trait_name, ...words]);

test('each priority names the words that speak for it, and more expressions are a higher one', () => {
  const text =
    'You keep calm in Emergencies and under pressure. You work in a team, and care about accuracy.';
  const { trait_priorities, reasons, finding } = readDraft(text);
  expect(trait_priorities).toEqual({
    pressure_response: 0.8,
    structure_preference: 0.5,
    collaborative_orientation: 0.5,
  });
  expect(reasons[0]).toEqual({
    trait_name: 'pressure_response',
    words: ['calm', 'Emergencies', 'under pressure'],
    by_occupation: false,
  });
  expect(finding).toBe('proposed');
});

test('the occupation confirms what the text names, and fills up to three', () => {
  const { trait_priorities, reasons, occupation } = readDraft(
    'You are calm.',
    'Senior Registered Nurse, night shift',
  );
  expect(occupation).toMatchObject({ words: 'Registered Nurse', template: { onet_code: '29-1141.00' } });
  expect(trait_priorities).toEqual({
    pressure_response: 0.65,
    empathic_attunement: 0.8,
    accountability: 0.7,
  });
  expect(reasons.map(({ by_occupation }) => by_occupation)).toEqual([true, true, true]);
});

test('an occupation is found only where the title names the whole of it', () => {
  const find = (title: string) => readDraft('The text.', title).occupation?.template.onet_code;
  expect(find('Accountant')).toBe('13-2011.00');
  expect(find('Fireman (m/f/d)')).toBe('33-9092.00');
  for (const title of [
    'Real estate agent',
    'Special education teacher',
    'Cook',
    'Assistant to registered nurses',
    'Driver and accountant',
    'Nurse',
  ])
    expect([title, find(title)]).toEqual([title, undefined]);
});

test('words that are denied, or that say something about the employer, propose nothing', () => {
  expect(readReasons('There is no overtime under pressure, and the work is not repetitive.')).toEqual([]);
  expect(readReasons('It is not only analytical but also about the data integrity of our systems.')).toEqual([
    ['analytical_depth', 'analytical'],
  ]);
  expect(readReasons('For a confidential discussion see our privacy policy.')).toEqual([]);
});

test('a text in another language proposes nothing, even with English words in it', () => {
  for (const text of [
    'Wir suchen für unser Team eine Person mit Integrity und Leadership, die in der Klinik arbeitet.',
    'Nous cherchons une personne calm et creative pour notre équipe à Paris, avec leadership et empathy.',
    'Buscamos una persona con integrity y leadership para nuestro equipo en el hospital de la ciudad.',
    'Wij zoeken voor ons team in de kliniek een persoon met integrity en leadership.',
    'Szukamy osoby do pracy w zespole, która jest calm oraz creative, na stanowisko w klinice.',
    '我们正在寻找 calm 的护士 加入 我们 的 团队 under pressure',
    'Мы ищем медсестру calm в нашу команду под давлением',
  ])
    expect([text, readDraft(text, 'Registered Nurse')]).toMatchObject([
      text,
      { finding: 'not_english', trait_priorities: {}, occupation: undefined },
    ]);
});

test('an English text that names nothing says so, and a long one ends after a sentence', () => {
  expect(readDraft('We are a hospital in the city.')).toMatchObject({
    finding: 'nothing_found',
    reasons: [],
  });
  const long = readDraft('We are a hospital in the city. '.repeat(300));
  expect([long.is_shortened, long.outcome_description!.endsWith('city.')]).toEqual([true, true]);
  expect(long.outcome_description!.length).toBeLessThanOrEqual(5_000);
});

test('any text leads to at most five priorities, each with a reason that is in the text, and always to the same', () => {
  const expressions = Object.values(traitWords)
    .flat()
    .map((entry) => entry.replaceAll('*', ''));
  const words = fc.constantFrom(...expressions, ...wordsOfNoTrait, 'no', 'the', 'and', '.', '\n', '’');
  fc.assert(
    fc.property(
      fc.array(words).map((all) => all.join(' ')),
      (text) => {
        const { reasons, trait_priorities } = readDraft(text);
        expect(Object.keys(trait_priorities)).toEqual(reasons.map(({ trait_name }) => trait_name));
        expect(reasons.length).toBeLessThanOrEqual(5);
        for (const { words: found } of reasons) for (const each of found) expect(text).toContain(each);
        for (const priority of Object.values(trait_priorities)) expect(priority).toBeGreaterThan(0);
        expect(readDraft(text)).toEqual(readDraft(text));
      },
    ),
  );
});

test('each expression stands once in the list, in small letters, and a trait has enough of them', () => {
  const all = [...continuousTraits.flatMap((code) => traitWords[code]), ...wordsOfNoTrait];
  expect(new Set(all).size).toBe(all.length);
  for (const entry of all)
    expect(
      listWords(entry)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(entry.replace('*', ''));
  for (const code of continuousTraits) expect(traitWords[code].length).toBeGreaterThanOrEqual(7);
});
