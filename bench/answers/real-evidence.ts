import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSeededRandom, drawBelow, type Random } from '@tessera/psychometrics/seeded-random';
import { readAnswersCsv } from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import { calibrateBank } from '../../src/modules/measurement/traits/calibration/calibrate-bank.ts';
import { replaceParameters } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import {
  computeAnswerEvidence,
  listStatementAnswers,
} from '../../src/modules/measurement/traits/measurement/person-fit.ts';
import { key } from '../fit/real-answers.ts';

/** The evidence of carelessness, per answer, of people who answered all 25 items, of their own options in random order, and of random options. */
export type RealEvidence = Readonly<Record<'real' | 'shuffled' | 'random', readonly number[]>>;

/** Calibrates the items with every second person and computes the evidence of the others. */
export async function measureRealEvidence(file: string): Promise<RealEvidence> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tessera-answers-'));
  try {
    const keyFile = path.join(dir, 'key');
    await writeFile(keyFile, key);
    const { bank, answerSets } = await readAnswersCsv(file, keyFile);
    const { parameters } = calibrateBank(
      bank,
      answerSets.filter((_, index) => index % 2 === 0),
    );
    const calibrated = replaceParameters(bank, 'calibrated', false, parameters);
    const measure = (answers: readonly Answer[]) =>
      computeAnswerEvidence(listStatementAnswers(answers, calibrated)).careless / answers.length;
    const others = answerSets.filter((answers, index) => index % 2 === 1 && answers.length === 25);
    const random = createSeededRandom(11);
    return {
      real: others.map(measure),
      shuffled: others.map((answers) => measure(shuffleOptions(answers, random))),
      random: others.map((answers) =>
        measure(answers.map((answer) => ({ ...answer, option: drawBelow(random, 6) }))),
      ),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Gives the answers the same options in another order (Fisher and Yates). */
function shuffleOptions(answers: readonly Answer[], random: Random): readonly Answer[] {
  const options = answers.map(({ option }) => option);
  for (let last = options.length - 1; last > 0; last--) {
    const other = drawBelow(random, last + 1);
    [options[last], options[other]] = [options[other]!, options[last]!];
  }
  return answers.map((answer, index) => ({ ...answer, option: options[index]! }));
}
