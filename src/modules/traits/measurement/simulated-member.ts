import { cholesky, type Matrix } from '../calibration/symmetric-matrix.ts';
import { computeCategoryProbabilities, toKeyedCategory } from './graded-response.ts';
import { type ItemBank, requireBankItem, findStatement } from '../items/bank.ts';
import { type Answer, type GradedItem, type Item, isGraded } from '../items/item.ts';
import { itemBank } from '../items/item-bank.ts';
import { chooseNextItem, stoppingRule, type AssessmentRule } from './next-item.ts';
import { priorCovariance } from './prior.ts';
import { type CategoricalTrait, categoricalTraits, continuousTraits } from '../taxonomy.ts';
import { type Random, drawStandardNormal } from '#lib/seeded-random.ts';

/** A made-up person: true values of the continuous traits and a preference among the ways of each categorical trait. */
export type SimulatedMember = {
  readonly traits: readonly number[];
  readonly preferences: Readonly<Record<CategoricalTrait, readonly number[]>>;
};

/** Draws a person from the prior population, N(0, R), with preferences evenly spread over all distributions. */
export function simulateMember(random: Random): SimulatedMember {
  return {
    traits: drawCorrelatedNormals(priorRoot, random),
    preferences: {
      decision_mode: drawPreference(categoricalTraits.decision_mode.length, random),
      conflict_style: drawPreference(categoricalTraits.conflict_style.length, random),
    },
  };
}

/**
 * Takes the whole adaptive assessment, chosen by a bank; the answers are as the model says with the parameters of `truth`, the same bank
 * unless another is given.
 */
export function simulateAssessment(
  member: SimulatedMember,
  seed: string,
  random: Random,
  { bank = itemBank, truth = bank }: { readonly bank?: ItemBank; readonly truth?: ItemBank } = {},
): Answer[] {
  const answers: Answer[] = [];
  for (
    let item = chooseNextItem(answers, seed, bank);
    item !== undefined;
    item = chooseNextItem(answers, seed, bank)
  ) {
    answers.push({
      item_id: item.id,
      option: simulateOption(member, requireBankItem(truth, item.id), random),
    });
  }
  return answers;
}

/**
 * A person drawn from the population of `truth` who answers the statements that `bank` asks, as `truth` says: for any traits. The two banks
 * have the same statements.
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
  const traits = drawCorrelatedNormals(cholesky(truth.covariance), random);
  const answers: Answer[] = [];
  const chooseNext = () => chooseNextItem(answers, seed, bank, rule);
  for (let item = chooseNext(); item !== undefined; item = chooseNext()) {
    const statement = findStatement(truth, item.id);
    if (statement === undefined) throw new Error(`${item.id} is no statement`);
    const theta = traits[truth.traits.indexOf(statement.trait)]!;
    answers.push({ item_id: item.id, option: simulateStatementOption(statement, theta, random) });
  }
  return { traits, answers };
}

/** Answers every situation, and no statement. */
export function simulateScenarioAnswers(member: SimulatedMember, random: Random): readonly Answer[] {
  return itemBank.scenarios.map((item) => ({
    item_id: item.id,
    option: simulateOption(member, item, random),
  }));
}

function simulateOption(member: SimulatedMember, item: Item, random: Random): number {
  if (isGraded(item))
    return simulateStatementOption(item, member.traits[continuousTraits.indexOf(item.trait)]!, random);
  const values: readonly string[] = categoricalTraits[item.trait];
  const chosen = values[drawIndex(member.preferences[item.trait], random)];
  return item.options.findIndex(({ value }) => value === chosen);
}

/** An option as shown; keying is its own inverse. */
function simulateStatementOption(item: GradedItem<string>, theta: number, random: Random): number {
  return toKeyedCategory(item, drawIndex(computeCategoryProbabilities(item, theta), random));
}

/** Standard normal numbers with the correlations of L L'. */
function drawCorrelatedNormals(root: Matrix, random: Random): number[] {
  const independent = root.map(() => drawStandardNormal(random));
  return root.map((row) => row.reduce((sum, value, index) => sum + value * independent[index]!, 0));
}

function drawIndex(probabilities: readonly number[], random: Random): number {
  let left = random();
  const index = probabilities.findIndex((probability) => (left -= probability) < 0);
  return index < 0 ? probabilities.length - 1 : index;
}

function drawPreference(length: number, random: Random): readonly number[] {
  const weights = Array.from({ length }, () => -Math.log(1 - random()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

const priorRoot = cholesky(priorCovariance);
