import {
  computeChoicePosterior,
  groupByPopularity,
  wayCount,
  type Choice,
  type ChoiceGroup,
  type ChoicePosterior,
} from '@tessera/psychometrics';
import { cacheResults } from '#lib/cache-results.ts';
import { requireBankItem, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { equalChoice, isGraded, type Answer, type ChoiceParameters } from '../items/item.ts';
import { categoricalTraits, type CategoricalTrait } from '../taxonomy.ts';

/** The posterior of a categorical trait, relative to how often the population chooses each way of acting. */
export type CategoricalPosterior = {
  readonly trait: CategoricalTrait;
  /** How probable the member would choose each way if all were equally popular; the probabilities sum to 1. */
  readonly distribution: readonly { readonly value: string; readonly probability: number }[];
  readonly primary: string;
  /** P(the member prefers the primary way to all others); 0.2 before any answer. */
  readonly confidence: number;
  /**
   * How much the member prefers the ways in `slotValues` to the others, in standard deviations of the population: mean 0 and variance 1
   * before any answer.
   */
  readonly slot: { readonly mean: number; readonly variance: number };
};

/** The ways of acting that the slot of a categorical trait in matching compares with the others: acting with others, or by reason. */
export const slotValues: Readonly<Record<CategoricalTrait, readonly string[]>> = {
  conflict_style: ['collaborating', 'compromising'],
  decision_mode: ['rational', 'consultative'],
};

/**
 * Computes the posterior of a categorical trait from the chosen ways. Ignores other answers. A popular way says little about a member,
 * and a rare one says much: see {@link computeChoicePosterior}.
 */
export function computeCategoricalPosterior(
  trait: CategoricalTrait,
  answers: readonly Answer[],
  bank: ItemBank = itemBank,
): CategoricalPosterior {
  const { spread, norm_error } = readChoiceParameters(trait, bank);
  const choices = answers.flatMap((answer) => findChoice(answer, trait, bank));
  const given: Given = { trait, spread, norm_error, groups: groupByPopularity(choices) };
  return computeFromGroups(JSON.stringify(given));
}

/** Everything that the posterior depends on. */
type Given = Pick<ChoiceParameters, 'spread' | 'norm_error'> & {
  readonly trait: CategoricalTrait;
  readonly groups: readonly ChoiceGroup[];
};

/** Members who chose the same ways share a result. */
const computeFromGroups = cacheResults(5_000, (text): CategoricalPosterior => {
  // The text is a serialised `Given`; `JSON.parse` is typed as any.
  const { trait, groups, ...parameters } = JSON.parse(text) as Given;
  const values: readonly string[] = categoricalTraits[trait];
  const posterior = computeChoicePosterior(groups, parameters);
  const { probabilities, favourites } = averageOverPoints(posterior);
  const primary = probabilities.indexOf(Math.max(...probabilities));
  return {
    trait,
    distribution: values.map((value, way) => ({ value, probability: probabilities[way]! })),
    primary: values[primary]!,
    confidence: Math.min(1, favourites[primary]!),
    slot: computeSlot(
      posterior,
      values.map((value) => slotValues[trait].includes(value)),
      parameters,
    ),
  };
});

/** Finds the choice that an answer is; none for a statement or another trait. */
export function findChoice({ item_id, option }: Answer, trait: string, bank: ItemBank<string>): Choice[] {
  const item = requireBankItem(bank, item_id);
  if (isGraded(item) || item.trait !== trait) return [];
  const chosen = item.options[option];
  if (chosen === undefined) throw new RangeError(`item ${item.id} has no option ${option}`);
  const values: readonly string[] = categoricalTraits[item.trait];
  return [{ popularity: item.choice.popularity, way: values.indexOf(chosen.value) }];
}

/** Reads the spread of the preferences and the error of the norms, which are the same for all scenarios of a trait. Without scenarios nothing is known. */
export function readChoiceParameters(trait: CategoricalTrait, bank: ItemBank): ChoiceParameters {
  return bank.scenarios.find((each) => each.trait === trait)?.choice ?? equalChoice;
}

/** Averages over the posterior the probability of each way if all were equally popular, and which way is preferred most. */
function averageOverPoints({ weights, preferences }: ChoicePosterior): {
  readonly probabilities: readonly number[];
  readonly favourites: readonly number[];
} {
  const probabilities = Array.from({ length: wayCount }, () => 0);
  const favourites = Array.from({ length: wayCount }, () => 0);
  const powers = new Float64Array(wayCount);
  for (let point = 0; point < weights.length; point++) {
    let [total, favourite] = [0, 0];
    for (let way = 0; way < wayCount; way++) {
      total += powers[way] = Math.exp(preferences[way]![point]!);
      if (powers[way]! > powers[favourite]!) favourite = way;
    }
    for (let way = 0; way < wayCount; way++) probabilities[way]! += (weights[point]! * powers[way]!) / total;
    favourites[favourite]! += weights[point]!;
  }
  return { probabilities, favourites };
}

/** Computes the slot from what is shown, of which the member's own part is the share spread² / (spread² + norm_error²). */
function computeSlot(
  { weights, shown }: ChoicePosterior,
  isInside: readonly boolean[],
  { spread, norm_error }: Pick<ChoiceParameters, 'spread' | 'norm_error'>,
): CategoricalPosterior['slot'] {
  const inside = isInside.filter(Boolean).length;
  const factors = isInside.map((each) => (each ? 1 / inside : -1 / (wayCount - inside)));
  const share = (spread * spread) / (spread * spread + norm_error * norm_error);
  const deviation = spread * Math.sqrt(1 / inside + 1 / (wayCount - inside));
  let [first, second] = [0, 0];
  for (let point = 0; point < weights.length; point++) {
    let contrast = 0;
    for (let way = 0; way < wayCount; way++) contrast += factors[way]! * shown[way]![point]!;
    contrast *= share / deviation;
    first += weights[point]! * contrast;
    second += weights[point]! * contrast * contrast;
  }
  return { mean: first, variance: second - first * first + 1 - share };
}
