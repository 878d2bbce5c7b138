import path from 'node:path';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { readAnswerTable } from '../banks/answer-table.ts';
import { listAnswerRanges, type BankVersion } from '../banks/bank-version.ts';
import { createScorers, type ScoredPerson } from '../banks/score-answers.ts';
import { computeValidity, type CriterionReport } from './validity.ts';

/** What a file of answers says about a version: how reliably it measures these people, and what goes together with their scores. */
export type RespondentReport = {
  readonly file: string;
  readonly people: number;
  /** Left out because of a signal of careless answers. */
  readonly careless: number;
  /** The share of the variance of the scores that is not error, by scale. */
  readonly reliabilities: readonly { readonly scale: string; readonly reliability: number }[];
  readonly criteria: readonly CriterionReport[];
};

/**
 * Scores the respondents of a file with a version, and compares their scores with other columns of it.
 *
 * @throws OperatorError for a file that cannot be read, or a column that is not there or has something else than numbers.
 */
export async function scoreRespondents(
  { form, items }: BankVersion,
  { csv, columns }: { readonly csv: string; readonly columns: readonly string[] },
  output: ProgressOutput,
): Promise<RespondentReport> {
  const table = await readAnswerTable(csv, listAnswerRanges(form), { numbers: columns });
  const scorers = createScorers(csv, items, table.languages, undefined);
  const drawProgress = createProgressBar('scoring', output);
  const scored = table.people.map((person, row) => {
    drawProgress(row + 1, table.people.length);
    return scorers.get(table.languages[row]!)!(person, table.listAnswers(row));
  });
  const answered = [...scored.keys()].filter((row) => scored[row]!.asked > 0);
  const careful = answered.filter((row) => scored[row]!.quality_flags.length === 0);
  const scores = careful.map((row) => scored[row]!.traits.map(({ mean }) => mean));
  const criteria = columns.map((name) => {
    const values = table.numbers.get(name)!;
    return [name, careful.map((row) => values[row]!)] as const;
  });
  return {
    file: path.basename(csv),
    people: careful.length,
    careless: answered.length - careful.length,
    reliabilities: computeReliabilities(
      items.traits,
      careful.map((row) => scored[row]!.traits),
    ),
    criteria: computeValidity(items.traits, scores, new Map(criteria)),
  };
}

/** The variance of the scores, as a share of it and of the mean error variance (Green and others 1984, J Educ Meas 21). */
function computeReliabilities(
  scales: readonly string[],
  people: readonly ScoredPerson['traits'][],
): RespondentReport['reliabilities'] {
  return scales.map((scale, slot) => {
    const count = Math.max(1, people.length);
    const mean = people.reduce((sum, each) => sum + each[slot]!.mean, 0) / count;
    const variance = people.reduce((sum, each) => sum + (each[slot]!.mean - mean) ** 2, 0) / count;
    const error = people.reduce((sum, each) => sum + each[slot]!.sd ** 2, 0) / count;
    return { scale, reliability: variance === 0 ? 0 : variance / (variance + error) };
  });
}
