import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { startVolunteer } from '#test/modules/volunteers.ts';
import { exportBank } from '../banks/export-bank.ts';
import { importBank } from '../banks/import-bank.ts';
import { scoreAnswers, type ScoredPerson } from '../banks/score-answers.ts';
import { addStatements } from '../banks/add-statements.ts';
import { calibrateItems } from './calibrate-items.ts';
import { takeUpStatements } from './take-up-statements.ts';
import { useParameters } from './use-parameters.ts';

const app = await startApp();
const { platform } = app;
const write = await createFileWriter();

/** The small bank without the last two statements of each scale, and with them as new ones. */
const isNew = (line: string) => /^(calm|order)_[78],/.test(line);
const [header, ...rows] = smallBankCsv.split('\n');
const earlierCsv = [header, ...rows.filter((row) => !isNew(row))].join('\n');
const seededCsv = [`${header},status`, ...rows.map((row) => `${row},${isNew(row) ? 'seeded' : ''}`)].join(
  '\n',
);
const answers = simulateAnswers({ people: 1_500, seed: 3 }).csv;
/** Other people, half a standard deviation above the population of the version. */
const later = simulateAnswers({ people: 1_500, seed: 4, shift: 0.5 }).csv;

const importCsv = async (content: string) => {
  app.clock.advance(1_000);
  return importBank(platform, { file: await write('bank.csv', content), name: 'small' });
};
const readScores = async (version: string, csv: string): Promise<readonly ScoredPerson[]> => {
  const scored: ScoredPerson[] = [];
  for await (const each of scoreAnswers(platform, { bank: 'small', version, csv }, quiet)) scored.push(each);
  return scored;
};

let known: string;
let seeded: string;
let csv: string;
let laterCsv: string;

beforeAll(async () => {
  csv = await write('answers.csv', answers);
  laterCsv = await write('later.csv', later);
  await importCsv(earlierCsv);
  known = (await calibrateItems(platform, { bank: 'small', csv }, quiet)).version!;
  await importCsv(seededCsv);
  seeded = (await addStatements(platform, { bank: 'small', version: known })).version;
});

const takeUp = (input: Readonly<Record<string, string>>) =>
  takeUpStatements(platform, { bank: 'small', version: seeded, csv: laterCsv, ...input }, quiet);

describe('new statements', () => {
  it('of one scale are calibrated from a file with answers to all scales', async () => {
    const oneScale = [
      `${header},status`,
      ...rows.map((row) => `${row},${isNew(row) && row.startsWith('calm') ? 'seeded' : ''}`),
    ].filter((row) => !isNew(row) || row.startsWith('calm'));
    await importCsv(oneScale.join('\n'));
    const { version } = await addStatements(platform, { bank: 'small', version: known });
    const { statements } = await takeUp({ version });
    expect(statements.map(({ item_id }) => item_id)).toEqual(['calm_7', 'calm_8']);
    await importCsv(seededCsv);
  });

  it('count nothing: everybody has the same scores as before', async () => {
    const [before, after] = [await readScores(known, csv), await readScores(seeded, csv)];
    expect(after.slice(0, 100).map(({ traits }) => traits)).toEqual(
      before.slice(0, 100).map(({ traits }) => traits),
    );
  });

  it('are calibrated onto the scale of the others, although other people answer', async () => {
    const { statements, version, taken_up } = await takeUp({});
    expect([version, taken_up]).toEqual([null, []]);
    expect(statements.map(({ item_id }) => item_id).toSorted()).toEqual([
      'calm_7',
      'calm_8',
      'order_7',
      'order_8',
    ]);
    const truths = {
      7: { discrimination: 2.1, first: -1.6 + 2.5 / 6 },
      8: { discrimination: 2.25, first: -1.6 + 3.5 / 6 },
    };
    for (const { item_id, discrimination, thresholds, anchors, standard_errors } of statements) {
      const truth = truths[Number(item_id.at(-1)) as 7 | 8];
      expect(anchors).toBe(6);
      expect(Math.abs(thresholds[0]! - truth.first)).toBeLessThan(0.2);
      expect(Math.abs(discrimination - truth.discrimination)).toBeLessThan(0.35);
      expect(standard_errors.discrimination).toBeGreaterThan(0);
    }
  });

  it('count in the version that takes them up, and the parameters of the others stay', async () => {
    const { version, is_new, taken_up } = await takeUp({ statements: 'calm_7, order_8' });
    expect([is_new, taken_up]).toEqual([true, ['calm_7', 'order_8']]);
    const before = await exportBank(platform, { bank: 'small', version: seeded });
    const after = await exportBank(platform, { bank: 'small', version: version! });
    const listOthers = (parameters: typeof before.parameters) =>
      Object.entries(parameters.items).filter(([id]) => !taken_up.includes(id));
    expect(listOthers(after.parameters)).toEqual(listOthers(before.parameters));
    expect(after.items.filter((each) => each.seeded).map(({ item_id }) => item_id)).toEqual([
      'calm_8',
      'order_7',
    ]);
    const mean = (people: readonly ScoredPerson[]) =>
      people.reduce((sum, { traits }) => sum + traits[0]!.sd, 0) / people.length;
    expect(mean(await readScores(version!, csv))).toBeLessThan(mean(await readScores(seeded, csv)));
    expect((await takeUp({ statements: 'calm_7,order_8' })).is_new).toBe(false);
  });

  it('are asked of volunteers, every tenth item, and of no member', async () => {
    const map = await write('map.csv', 'scale,trait\ncalm,pressure_response\norder,autonomy_drive\n');
    await useParameters(platform, { bank: 'small', version: seeded, map });
    const texts: string[] = [];
    for (let person = 0; person < 4; person++) {
      let body = await startVolunteer(app);
      while (body.next_item) {
        texts.push(`${body.answered} ${body.next_item.text}`);
        app.clock.advance(5_000);
        const { item_id } = body.next_item;
        body = (
          await app.request('POST', `/volunteers/${body.code}/answers`, { body: { item_id, option: 1 } })
        ).body;
      }
    }
    const fresh = texts.filter((text) => /_[78]\.$/.test(text));
    expect(fresh).toHaveLength(4);
    expect(fresh.every((text) => text.startsWith('9 '))).toBe(true);
    const asked = texts.filter((text) => !/_[78]\.$/.test(text));
    expect(asked.length).toBeGreaterThan(30);
  });

  it('are refused unless they are marked, known and answered', async () => {
    await expect(takeUp({ statements: 'calm_1' })).rejects.toThrow('"calm_1" is no new statement');
    await expect(takeUp({ answers: 'public' })).rejects.toThrow('name one source of answers');
    await expect(takeUp({ version: known })).rejects.toThrow('has no new statements');
    const sparse = later.split('\n').map((line, index) => {
      const cells = line.split(',').map((cell, column) => (column === 7 ? '' : cell));
      return index <= 60 ? line : cells.join();
    });
    await expect(
      takeUp({ csv: await write('sparse.csv', sparse.join('\n')), statements: 'calm_7' }),
    ).rejects.toThrow('calm_7 has 60 answers, but 100 are needed');
    await importCsv(smallBankCsv);
    await expect(addStatements(platform, { bank: 'small', version: known })).rejects.toThrow(
      'calm_7 of "small" is new: give it the status seeded',
    );
    await importCsv(seededCsv.replace('"I am, calm_1."', '"I was, calm_1."'));
    await expect(addStatements(platform, { bank: 'small', version: known })).rejects.toThrow(
      'calm_1 of "small" has changed',
    );
    await expect(addStatements(platform, { bank: 'tessera', version: 'mvp20-2.correlated' })).rejects.toThrow(
      'nothing was added to the bank "tessera"',
    );
  });
});
