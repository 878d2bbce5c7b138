import { drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import {
  cholesky,
  computeCategoryProbabilities,
  flattenRows,
  multiplyFactor,
  toKeyedCategory,
} from '@tessera/psychometrics';
import { findStatement, requireBankItem, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, type Answer, type GradedItem, type Item } from '../items/item.ts';
import { categoricalTraits, continuousTraits, type CategoricalTrait } from '../taxonomy.ts';
import { readChoiceParameters } from './categorical.ts';
import { computeChoiceProbabilities } from './choice-posterior.ts';
import { chooseNextItem, stoppingRule, type AssessmentRule } from './next-item.ts';
import { priorCovariance } from './prior.ts';
import type { Behaviour } from './simulated-behaviour.ts';

/** A simulated member: the true values of the continuous traits, and how much the member prefers each way of acting, in units of ln popularity. */
export type SimulatedMember = {
  readonly traits: readonly number[];
  readonly preferences: Readonly<Record<CategoricalTrait, readonly number[]>>;
};

/** Draws a member from the population that the item bank assumes. */
export function simulateMember(random: Random): SimulatedMember {
  return {
    traits: drawCorrelatedNormals(priorRoot, random),
    preferences: {
      decision_mode: drawPreferences('decision_mode', random),
      conflict_style: drawPreferences('conflict_style', random),
    },
  };
}

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
  const chooseNext = () => chooseNextItem(answers, seed, bank, rule);
  for (let item = chooseNext(); item !== undefined; item = chooseNext()) {
    const statement = findStatement(truth, item.id);
    if (statement === undefined) throw new Error(`${item.id} is not a statement`);
    const theta = traits[truth.traits.indexOf(statement.trait)]!;
    answers.push({ item_id: item.id, option: simulateStatementOption(statement, theta, random) });
  }
  return { traits, answers };
}

/** Simulates the answers to all scenarios, and to no statement. */
export function simulateScenarioAnswers(member: SimulatedMember, random: Random): readonly Answer[] {
  return itemBank.scenarios.map((item) => ({
    item_id: item.id,
    option: simulateOption(member, item, random),
  }));
}

/** Draws the option, as shown, that a member chooses. */
export function simulateOption(member: SimulatedMember, item: Item, random: Random): number {
  if (isGraded(item))
    return simulateStatementOption(item, member.traits[continuousTraits.indexOf(item.trait)]!, random);
  const values: readonly string[] = categoricalTraits[item.trait];
  const chosen =
    values[
      drawIndex(computeChoiceProbabilities(item.choice.popularity, member.preferences[item.trait]), random)
    ];
  return item.options.findIndex(({ value }) => value === chosen);
}

/** Draws an option as shown. `toKeyedCategory` also converts back, because it is its own inverse. */
function simulateStatementOption(item: GradedItem<string>, theta: number, random: Random): number {
  return toKeyedCategory(item, drawIndex(computeCategoryProbabilities(item, theta), random));
}

/** Draws standard normal numbers with the correlations L L', where L is `root`. */
function drawCorrelatedNormals(root: Float64Array, random: Random): number[] {
  const independent = Array.from({ length: Math.sqrt(root.length) }, () => drawStandardNormal(random));
  return multiplyFactor(root, independent);
}

function drawIndex(probabilities: readonly number[], random: Random): number {
  let left = random();
  const index = probabilities.findIndex((probability) => (left -= probability) < 0);
  return index < 0 ? probabilities.length - 1 : index;
}

/** Draws preferences that sum to 0. */
function drawPreferences(trait: CategoricalTrait, random: Random): readonly number[] {
  const { spread } = readChoiceParameters(trait, itemBank);
  const drawn = categoricalTraits[trait].map(() => spread * drawStandardNormal(random));
  const centre = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  return drawn.map((value) => value - centre);
}

const priorRoot = cholesky(flattenRows(priorCovariance));
