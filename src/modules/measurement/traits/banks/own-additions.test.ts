import { readFile } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { answerItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet } from '#test/modules/banks.ts';
import { answerForScience, startVolunteer } from '#test/modules/volunteers.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';
import { takeUpStatements } from '../calibration/take-up-statements.ts';
import { listVersions, useParameters } from '../calibration/use-parameters.ts';
import { itemBank } from '../items/item-bank.ts';
import { readOwnForm } from '../items/tessera-form.ts';
import { simulateMember, simulateOption, simulateStatementOption } from '../measurement/simulated-member.ts';
import { continuousTraits } from '../taxonomy.ts';
import { addStatements } from './add-statements.ts';
import { exportBank } from './export-bank.ts';
import { importBank } from './import-bank.ts';
import { scoreAnswers, type ScoredPerson } from './score-answers.ts';

const app = await startApp({ TESSERA_VOLUNTEERS: 'on' });
const { platform } = app;
const write = await createFileWriter();
const bank = 'tessera';
const base = itemBank.parameter_version;

const newCsv = `item_id,scale,sign,options,status,text:en
persistence_x1,persistence,+,0-4,seeded,I go on when others have stopped.
persistence_x2,persistence,-,0-4,seeded,I leave things half done.
`;
/** How the new statements really are: the first says much, and few agree. */
const truths = {
  persistence_x1: { discrimination: 2.2, thresholds: [-0.8, 0.1, 0.9, 1.7], reversed: false },
  persistence_x2: { discrimination: 1.1, thresholds: [-2.2, -1.2, -0.4, 0.8], reversed: true },
};

const importCsv = async (content: string, name = 'own.csv') => {
  app.clock.advance(1_000);
  return importBank(platform, { file: await write(name, content), name: bank });
};

/** Simulates people who answer everything that the bank asks, and the new statements. */
function simulateCsv(people: number, seed: number): string {
  const random = createSeededRandom(seed);
  const asked = itemBank.graded.filter(({ trait }) => trait === 'persistence' || trait === 'discretion');
  const rows = Array.from({ length: people }, (_, index) => {
    const person = simulateMember(random);
    const theta = person.traits[continuousTraits.indexOf('persistence')]!;
    const added = Object.entries(truths).map(([id, { reversed, ...truth }]) => {
      const item = { id, trait: 'persistence', text: '', ...truth };
      return simulateStatementOption(
        { ...item, ...(reversed && { reversed: true as const }) },
        theta,
        random,
      );
    });
    return [`p${index}`, ...asked.map((item) => simulateOption(person, item, random)), ...added];
  });
  return stringify([['person', ...asked.map(({ id }) => id), ...Object.keys(truths)], ...rows]);
}

const readScores = async (version: string, csv: string): Promise<readonly ScoredPerson[]> => {
  const scored: ScoredPerson[] = [];
  for await (const each of scoreAnswers(platform, { bank, version, csv }, quiet)) scored.push(each);
  return scored;
};

let csv: string;
let seeded: string;
let imported: Awaited<ReturnType<typeof importBank>>;

beforeAll(async () => {
  csv = await write('answers.csv', simulateCsv(400, 5));
  imported = await importCsv(newCsv);
  seeded = (await addStatements(platform, { bank, version: base })).version;
});

describe('new statements of our own bank', () => {
  it('are added by a file with nothing else, once', async () => {
    expect(imported).toEqual({
      bank,
      items: readOwnForm().statements.length + 2,
      scales: continuousTraits.length,
      version: null,
      is_new: true,
    });
    expect(await importCsv(newCsv)).toMatchObject({ is_new: false });
    const { items } = await exportBank(platform, { bank, version: seeded });
    expect(items.filter(({ seeded: isSeeded }) => isSeeded).map(({ item_id }) => item_id)).toEqual(
      Object.keys(truths),
    );
  });

  it('count nothing: everybody has the same scores as before', async () => {
    const known = await write('known.csv', (await readFirstLines(csv, 40)).join('\n'));
    const before = await readScores(base, known);
    expect((await readScores(seeded, known)).map(({ traits }) => traits)).toEqual(
      before.map(({ traits }) => traits),
    );
  });

  it('are asked of volunteers among the others, and of no member', async () => {
    await useParameters(platform, { bank, version: seeded });
    await app.drainQueue();
    const asked: string[] = [];
    let body = await startVolunteer(app);
    while (body.next_item) {
      asked.push(body.next_item.text);
      body = await answerForScience(app, body, body.answered + 1, (_, answered) => answered % 5);
    }
    const isNew = (text: string) => newCsv.includes(text);
    expect(asked.filter(isNew)).toHaveLength(2);
    expect(asked.length).toBeGreaterThan(40);
    const { token } = await registerMeasurableMember(app);
    await app.request('POST', '/members/me/assessment', { token });
    const read: string[] = [];
    await answerItems(
      app,
      token,
      ({ stage }) => stage !== 'complete',
      (item, answered) => {
        read.push((item as unknown as { text: string }).text);
        return answered % 5;
      },
    );
    expect(read.filter(isNew)).toEqual([]);
  });

  it('are calibrated against the others, taken up by a decision, asked, and part of the next calibration', async () => {
    const input = { bank, version: seeded, csv };
    const { statements } = await takeUpStatements(platform, input, quiet);
    for (const { item_id, discrimination, thresholds, anchors } of statements) {
      const truth = truths[item_id as keyof typeof truths];
      expect(anchors).toBe(12);
      expect(Math.abs(discrimination - truth.discrimination)).toBeLessThan(0.5);
      for (const [index, threshold] of thresholds.entries())
        expect(Math.abs(threshold - truth.thresholds[index]!)).toBeLessThan(0.45);
    }
    const taken = await takeUpStatements(platform, { ...input, statements: 'persistence_x1' }, quiet);
    const version = taken.version!;
    await useParameters(platform, { bank, version });
    await app.drainQueue();
    expect(await listVersions(platform)).toMatchObject({ in_use: version, listed: version });

    const calibrated = await calibrateItems(platform, { csv }, quiet);
    const { items } = calibrated.traits.find(({ trait }) => trait === 'persistence')!;
    expect(items.map(({ item_id }) => item_id)).toContain('persistence_x1');
    expect(items.map(({ item_id }) => item_id)).not.toContain('persistence_x2');
    await importCsv(`${newCsv}persistence_x3,persistence,+,0-4,seeded,I come back to it.\n`);
    await expect(addStatements(platform, { bank, version: seeded })).rejects.toThrow(
      'persistence_x1 of "tessera" was taken up since this version; name a version that counts it',
    );
    expect(await addStatements(platform, { bank, version })).toMatchObject({
      seeded: ['persistence_x2', 'persistence_x3'],
    });
    // The file that was imported first goes on to be the same bank.
    expect(await importCsv(newCsv)).toMatchObject({ is_new: false });
  });
});

async function readFirstLines(file: string, count: number): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').slice(0, count + 1);
}

test.each([
  [
    'a scale that is no trait',
    'new_1,calm,+,0-4,seeded,I am calm.',
    'line 2, column scale: "calm" is no scale',
  ],
  ['a new situation', 'decision_mode_99,decision_mode,,,,You choose.', 'situations can only gain languages'],
  [
    'a new statement that would count at once',
    'new_1,discretion,+,0-4,,I say little.',
    'column status: "new_1"',
  ],
  [
    'other options than those of the trait',
    'new_1,discretion,+,5,seeded,I say little.',
    'column options: "5" differs',
  ],
  [
    'a statement that changes',
    'discretion_01,discretion,+,0-4,,Another.',
    'line 2, column text:en: differs from what',
  ],
  [
    'a key that changes',
    'persistence_x1,persistence,-,0-4,seeded,',
    'line 2, column sign: differs from what',
  ],
  [
    'a statement twice',
    'new_1,discretion,+,0-4,seeded,I say little.\nnew_1,discretion,+,0-4,seeded,I say little.',
    'line 3, column item_id: "new_1" is there twice',
  ],
])('refuses %s, and stores nothing', async (_, row, message) => {
  const refused = importCsv(`item_id,scale,sign,options,status,text:en\n${row}\n`, 'refused.csv');
  await expect(refused).rejects.toThrow(message);
  expect(await importCsv(newCsv)).toMatchObject({ is_new: false });
});

test('refuses the parameters of a version under the name of our own bank', async () => {
  const file = await write(
    'export.json',
    JSON.stringify(await exportBank(platform, { bank, version: base })),
  );
  await expect(importBank(platform, { file, name: bank })).rejects.toThrow(
    'takes statements and languages only',
  );
});
