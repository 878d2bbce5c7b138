import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { english } from '../items/languages.ts';
import { listBankLanguages, translateBank } from '../items/translate-bank.ts';
import { hasAskedEnemy } from '../measurement/answer-weights.ts';
import { computeAnswerQuality, type QualityFlag } from '../measurement/answer-quality.ts';
import { discountVector } from '../measurement/discount.ts';
import { chooseNextItem, stoppingRule } from '../measurement/next-item.ts';
import { addParameterErrors } from '../measurement/parameter-errors.ts';
import { computePosterior } from '../measurement/posterior.ts';
import { bound_distance } from '../measurement/trait-words.ts';
import { readAnswerTable } from './answer-table.ts';
import { listAnswerRanges, loadBankVersion } from './bank-version.ts';

/** The scores of a respondent, in standard deviations of the population of the version. */
export type ScoredPerson = {
  readonly person: string;
  /** The number of answers that count. */
  readonly asked: number;
  readonly asked_items: readonly string[];
  readonly traits: readonly {
    readonly trait: string;
    readonly mean: number;
    readonly sd: number;
    /** The 95 % bounds. */
    readonly lower: number;
    readonly upper: number;
  }[];
  readonly quality_flags: readonly QualityFlag[];
};

/**
 * Scores each respondent of a file with a version of a bank, as the service scores an assessment: with the errors of the parameters, and with answers that say
 * little discounted. With `most`, statements are chosen one after the other as the service would ask them, until it would end or `most` are asked; what
 * the respondent has not answered is not asked. The column `language` says in which language a respondent read the statements; without it, in that of the
 * parameters. The whole file is checked before the first score.
 *
 * @throws OperatorError for an unknown bank or version, or a file that cannot be read.
 */
export async function* scoreAnswers(
  platform: Pick<Platform, 'database' | 'memory'>,
  input: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): AsyncGenerator<ScoredPerson> {
  const most = readMost(input['most']);
  const version = await loadBankVersion(platform, input);
  const { people, languages, missing, listAnswers } = await readAnswerTable(
    input['csv'] ?? '',
    listAnswerRanges(version.form),
  );
  const scorers = createScorers(input['csv'] ?? '', version.items, languages, most);
  if (missing.cells + missing.columns > 0)
    output.write(
      `missing: ${missing.cells} answers, ${missing.respondents} respondents without any, ${missing.columns} statements without a column\n`,
    );
  const drawProgress = createProgressBar('scoring', output);
  for (const [row, person] of people.entries()) {
    yield scorers.get(languages[row]!)!(person, listAnswers(row));
    drawProgress(row + 1, people.length);
  }
}

/** Scores a respondent. */
export type Scorer = (person: string, answers: readonly Answer[]) => ScoredPerson;

/** Creates what scores the respondents of each language of a file. @throws OperatorError for a language in which the bank does not have all statements. */
export function createScorers(
  file: string,
  bank: ItemBank<string>,
  languages: readonly string[],
  most: number | undefined,
): ReadonlyMap<string, Scorer> {
  const offered = listBankLanguages(bank);
  const createScorer = (items: ItemBank<string>): Scorer => {
    const ask = most === undefined ? undefined : createAsker(items, most);
    return (person, answers) => scorePerson(person, ask ? ask(answers, person) : answers, items);
  };
  const named = [...new Set(languages)].map((language): [string, Scorer] => {
    if (language === '' || language === (bank.language ?? english)) return [language, createScorer(bank)];
    if (!offered.includes(language))
      throw new OperatorError(
        `${file}, column language: not every statement of the bank has its text and its options in ${language}`,
      );
    return [language, createScorer(translateBank(bank, language))];
  });
  return new Map(named);
}

/** Reads a number of statements. @throws OperatorError if it is none. */
export function readMost(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new OperatorError('--most must be a whole number from 1 to 9999');
  return Number(text);
}

/** Returns a function that chooses among the answers of a respondent those to the statements that the service would ask. */
export function createAsker(
  items: ItemBank<string>,
  most_items: number,
): (answers: readonly Answer[], person: string) => readonly Answer[] {
  const rule = { ...stoppingRule, most_items };
  // Situations have no place in a file: no option of theirs is a number.
  const bank = { ...items, scenarios: [] };
  return (answers, person) => {
    const known = new Map(answers.map((answer) => [answer.item_id, answer]));
    const mayAsk = ({ id }: { readonly id: string }, asked: ReadonlySet<string>) =>
      known.has(id) && !hasAskedEnemy(id, asked, items);
    const given: Answer[] = [];
    const choose = () => chooseNextItem(given, person, bank, { rule, mayAsk });
    for (let item = choose(); item !== undefined; item = choose()) given.push(known.get(item.id)!);
    return given;
  };
}

/** Measures a respondent. */
export function scorePerson(
  person: string,
  answers: readonly Answer[],
  bank: ItemBank<string>,
): ScoredPerson {
  const posterior = computePosterior(answers, bank);
  const { flags, trust } = computeAnswerQuality(answers, posterior.mean, bank);
  const { mean, variance } = discountVector(addParameterErrors(posterior, answers, bank), trust);
  return {
    person,
    asked: answers.length,
    asked_items: answers.map(({ item_id }) => item_id),
    traits: bank.traits.map((trait, slot) => {
      const sd = Math.sqrt(variance[slot]!);
      const margin = bound_distance * sd;
      return { trait, mean: mean[slot]!, sd, lower: mean[slot]! - margin, upper: mean[slot]! + margin };
    }),
    quality_flags: flags,
  };
}
