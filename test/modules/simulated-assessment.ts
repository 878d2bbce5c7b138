import type { Random } from '@tessera/psychometrics/seeded-random';
import { cholesky, flattenRows } from '@tessera/psychometrics';
import {
  findStatement,
  requireBankItem,
  type ItemBank,
} from '../../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import {
  chooseNextItem,
  stoppingRule,
  type AssessmentRule,
} from '../../src/modules/measurement/traits/measurement/next-item.ts';
import {
  drawCorrelatedNormals,
  simulateOption,
  simulateStatementOption,
  type SimulatedMember,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import type { Behaviour } from './simulated-behaviour.ts';

/**
 * Simulates a whole adaptive assessment whose items `bank` chooses. The answers follow the model with the parameters of `truth`, which is
 * `bank` by default. `behave` changes them, for example to those of a careless member.
 */
export function simulateAssessment(
  member: SimulatedMember,
  seed: string,
  random: Random,
  {
    bank = itemBank,
    truth = bank,
    behave = (honest) => honest,
  }: { readonly bank?: ItemBank; readonly truth?: ItemBank; readonly behave?: Behaviour } = {},
): Answer[] {
  const answers: Answer[] = [];
  for (
    let item = chooseNextItem(answers, seed, bank);
    item !== undefined;
    item = chooseNextItem(answers, seed, bank)
  ) {
    const honest = simulateOption(member, requireBankItem(truth, item.id), random);
    answers.push({ item_id: item.id, option: behave(honest, item, answers.length) });
  }
  return answers;
}

/**
 * Draws a respondent from the population of `truth`, who answers the statements that `bank` chooses according to the parameters of
 * `truth`. Works for any traits. The two banks must have the same statements.
 *
 * @returns the true values in the order of the traits, and the answers.
 */
export function simulateAnswers(
  seed: string,
  random: Random,
  {
    bank,
    truth = bank,
    rule = stoppingRule,
  }: {
    readonly bank: ItemBank<string>;
    readonly truth?: ItemBank<string>;
    readonly rule?: AssessmentRule;
  },
): { readonly traits: readonly number[]; readonly answers: readonly Answer[] } {
  const traits = drawCorrelatedNormals(cholesky(flattenRows(truth.covariance)), random);
  const answers: Answer[] = [];
  const chooseNext = () => chooseNextItem(answers, seed, bank, { rule });
  for (let item = chooseNext(); item !== undefined; item = chooseNext()) {
    const statement = findStatement(truth, item.id);
    if (statement === undefined) throw new Error(`${item.id} is not a statement`);
    const theta = traits[truth.traits.indexOf(statement.trait)]!;
    answers.push({ item_id: item.id, option: simulateStatementOption(statement, theta, random) });
  }
  return { traits, answers };
}
