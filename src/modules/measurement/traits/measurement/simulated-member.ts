import { drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import {
  cholesky,
  computeCategoryProbabilities,
  flattenRows,
  multiplyFactor,
  toKeyedCategory,
  computeChoiceProbabilities,
} from '@tessera/psychometrics';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, type Answer, type GradedItem, type Item } from '../items/item.ts';
import { categoricalTraits, continuousTraits, type CategoricalTrait } from '../taxonomy.ts';
import { readChoiceParameters } from './categorical.ts';

/** A simulated member: the true values of the continuous traits, and how much the member prefers each way of acting, in units of ln popularity. */
export type SimulatedMember = {
  readonly traits: readonly number[];
  readonly preferences: Readonly<Record<CategoricalTrait, readonly number[]>>;
};

/** Draws a member from the population that the item bank assumes. */
export function simulateMember(random: Random): SimulatedMember {
  return {
    traits: drawCorrelatedNormals(populationRoot, random),
    preferences: {
      decision_mode: drawPreferences('decision_mode', random),
      conflict_style: drawPreferences('conflict_style', random),
    },
  };
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
export function simulateStatementOption(item: GradedItem<string>, theta: number, random: Random): number {
  return toKeyedCategory(item, drawIndex(computeCategoryProbabilities(item, theta), random));
}

/** Draws standard normal numbers with the correlations L L', where L is `root`. */
export function drawCorrelatedNormals(root: Float64Array, random: Random): number[] {
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

const populationRoot = cholesky(flattenRows(itemBank.covariance));
