import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { simulateStatementOption } from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { cleanUpAfterFile } from '../clean-up.ts';

/** Progress and remarks that a test does not look at. */
export const quiet = { write: () => true };

/** Creates a folder for the files of a test, and returns a function that writes one of them and returns its path. */
export async function createFileWriter(): Promise<
  (name: string, content: string | Uint8Array) => Promise<string>
> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tessera-bank-'));
  cleanUpAfterFile(() => rm(dir, { recursive: true, force: true }));
  return async (name, content) => {
    const file = path.join(dir, name);
    await writeFile(file, content);
    return file;
  };
}

/** The statements of a small bank: two scales of eight, every second one reversed, with answers from 1 to 5. */
const statements = ['calm', 'order'].flatMap((scale) =>
  Array.from({ length: 8 }, (_, index) => ({
    id: `${scale}_${index + 1}`,
    scale,
    sign: index % 2 === 0 ? '+' : '-',
    discrimination: 1.2 + 0.15 * index,
    thresholds: [-1.6, -0.6, 0.4, 1.4].map((threshold) => threshold + (index - 3.5) / 6),
  })),
);

export const smallBankCsv = [
  'item_id,scale,sign,options,text:en,text:de',
  ...statements.map(({ id, scale, sign }) => `${id},${scale},${sign},5,"I am, ${id}.",Ich bin ${id}.`),
].join('\n');

/** The options of the small bank in German. */
export const germanOptions = ['Nein', 'Eher nein', 'Teils, teils', 'Eher ja', 'Ja'] as const;

/** The small bank, which can be read as a whole in German too. */
export const bilingualBankCsv = smallBankCsv
  .split('\n')
  .map((line, index) => `${line},${index === 0 ? 'options:de' : `"${germanOptions.join('|')}"`}`)
  .join('\n');

type Simulation = {
  readonly people: number;
  readonly seed: number;
  /** How far the people are above the population of the bank. */
  readonly shift?: number;
};

/** Simulates answers to the small bank, with a column `person`, and returns them with the true positions on `calm`. */
export function simulateAnswers({ people, seed, shift = 0 }: Simulation): {
  readonly csv: string;
  readonly truths: readonly number[];
} {
  const random = createSeededRandom(seed);
  const rows = Array.from({ length: people }, (_, person) => {
    const [calm, order] = [drawStandardNormal(random) + shift, drawStandardNormal(random)];
    const options = statements.map((statement) => {
      const item = {
        ...statement,
        trait: statement.scale,
        text: '',
        ...(statement.sign === '-' && { reversed: true as const }),
      };
      return simulateStatementOption(item, statement.scale === 'calm' ? calm : order, random) + 1;
    });
    return { calm, line: [`p${person}`, ...options].join() };
  });
  const header = ['person', ...statements.map(({ id }) => id)].join();
  return { csv: [header, ...rows.map(({ line }) => line)].join('\n'), truths: rows.map(({ calm }) => calm) };
}
