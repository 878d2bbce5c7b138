import { categoryProbabilities, keyedCategory } from './graded-response.ts';
import { type ItemBank, itemOf } from './items/bank.ts';
import { type Answer, type Item, isGraded } from './items/item.ts';
import { itemBank } from './items/item-bank.ts';
import { nextItem } from './next-item.ts';
import { priorCovariance } from './prior.ts';
import { type CategoricalTrait, categoricalTraits, continuousTraits } from './taxonomy.ts';
import { type Random, standardNormal } from '#lib/seeded-random.ts';

/** A made-up person: true values of the continuous traits and a preference among the ways of each categorical trait. */
export type SimulatedMember = {
  readonly traits: readonly number[];
  readonly preferences: Readonly<Record<CategoricalTrait, readonly number[]>>;
};

/** Draws a person from the prior population, N(0, R), with preferences evenly spread over all distributions. */
export function simulatedMember(random: Random): SimulatedMember {
  const independent = continuousTraits.map(() => standardNormal(random));
  return {
    traits: priorRoot.map((row) => row.reduce((sum, value, index) => sum + value * independent[index]!, 0)),
    preferences: {
      decision_mode: preference(categoricalTraits.decision_mode.length, random),
      conflict_style: preference(categoricalTraits.conflict_style.length, random),
    },
  };
}

/**
 * Takes the whole adaptive assessment, chosen by a bank; the answers are as the model says with the parameters of `truth`, the same bank
 * unless another is given.
 */
export function simulatedAssessment(
  member: SimulatedMember,
  seed: string,
  random: Random,
  { bank = itemBank, truth = bank }: { readonly bank?: ItemBank; readonly truth?: ItemBank } = {},
): Answer[] {
  const answers: Answer[] = [];
  for (let item = nextItem(answers, seed, bank); item !== undefined; item = nextItem(answers, seed, bank)) {
    answers.push({ item_id: item.id, option: simulatedOption(member, itemOf(truth, item.id), random) });
  }
  return answers;
}

/** Answers every situation, and no statement. */
export function simulatedScenarios(member: SimulatedMember, random: Random): readonly Answer[] {
  return itemBank.scenarios.map((item) => ({
    item_id: item.id,
    option: simulatedOption(member, item, random),
  }));
}

function simulatedOption(member: SimulatedMember, item: Item, random: Random): number {
  if (isGraded(item)) {
    const theta = member.traits[continuousTraits.indexOf(item.trait)]!;
    return keyedCategory(item, draw(categoryProbabilities(item, theta), random));
  }
  const values: readonly string[] = categoricalTraits[item.trait];
  const chosen = values[draw(member.preferences[item.trait], random)];
  return item.options.findIndex(({ value }) => value === chosen);
}

function draw(probabilities: readonly number[], random: Random): number {
  let left = random();
  const index = probabilities.findIndex((probability) => (left -= probability) < 0);
  return index < 0 ? probabilities.length - 1 : index;
}

function preference(length: number, random: Random): readonly number[] {
  const weights = Array.from({ length }, () => -Math.log(1 - random()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The lower triangular L with L L' = R (Cholesky). */
function cholesky(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const root = matrix.map((row) => row.map(() => 0));
  for (let row = 0; row < root.length; row++)
    for (let column = 0; column <= row; column++) {
      let rest = matrix[row]![column]!;
      for (let k = 0; k < column; k++) rest -= root[row]![k]! * root[column]![k]!;
      root[row]![column] = row === column ? Math.sqrt(rest) : rest / root[column]![column]!;
    }
  return root;
}

const priorRoot = cholesky(priorCovariance);
