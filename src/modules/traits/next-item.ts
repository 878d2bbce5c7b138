import { itemCurves, normalAverage } from './item-curves.ts';
import { getItem, gradedItemsOf, itemBank } from './items/item-bank.ts';
import { type Answer, type GradedItem, type Item, type Scenario, isGraded } from './items/item.ts';
import { type Posterior, posteriorOf } from './posterior.ts';
import { type ContinuousTrait, type TraitCode, continuousTraits, traitFamilies } from './taxonomy.ts';

/** When an assessment ends: standard errors in population standard deviations, the rest in items. */
export const stoppingRule = { standard_error: 0.4, fewest_items_a_trait: 3, most_items: 120 } as const;

/**
 * The item to ask after these answers, or undefined when the assessment is complete. The same answers and seed (the assessment's id)
 * always give the same item, so that nothing but the answers has to be stored.
 *
 * Every eighth item is a scenario while there are any. The others go to an open trait: the one with the fewest items and then the
 * largest variance, of another family than the statement before. Its item is one of the three with the most information weighted by
 * the posterior (van der Linden 1998, Psychometrika 63), drawn by the seed so that no statement is shown to everybody (Kingsbury and
 * Zara 1989).
 */
export function nextItem(answers: readonly Answer[], seed: string): Item | undefined {
  if (answers.length >= stoppingRule.most_items) return undefined;
  const asked = new Set(answers.map((answer) => answer.item_id));
  const scenario = nextScenario(asked);
  if (scenario !== undefined && answers.length % scenarioEvery === scenarioEvery - 1) return scenario;
  const posterior = posteriorOf(answers);
  const trait = nextTrait(openTraits(answers, posterior), answers, seed);
  return trait === undefined ? scenario : informativeItem(trait, posterior, asked, seed);
}

/** Whether nothing is left to ask. */
export function isComplete(answers: readonly Answer[]): boolean {
  return nextItem(answers, '') === undefined;
}

const scenarioEvery = 8;
const randomesque = 3;

type OpenTrait = {
  readonly trait: ContinuousTrait;
  readonly items: number;
  readonly variance: number;
};

/**
 * The continuous traits that still need an answer and have a statement left: those above the standard error or below the fewest items.
 * None is open once only the scenarios' share of the most items remains.
 */
function openTraits(answers: readonly Answer[], posterior: Posterior): readonly OpenTrait[] {
  const graded = answers.map((answer) => getItem(answer.item_id)).filter(isGraded);
  if (graded.length >= stoppingRule.most_items - itemBank.scenarios.length) return [];
  return continuousTraits
    .map((trait, index) => ({
      trait,
      items: graded.filter((item) => item.trait === trait).length,
      variance: posterior.variance[index]!,
    }))
    .filter(isOpen);
}

/** The next scenario in the bank's order, of the categorical trait with fewer answers. */
function nextScenario(asked: ReadonlySet<string>): Scenario | undefined {
  const left = Map.groupBy(
    itemBank.scenarios.filter((scenario) => !asked.has(scenario.id)),
    (scenario) => scenario.trait,
  );
  return [...left.values()].toSorted((one, other) => other.length - one.length)[0]?.[0];
}

function isOpen({ trait, items, variance }: OpenTrait): boolean {
  if (items >= gradedItemsOf(trait).length) return false;
  return items < stoppingRule.fewest_items_a_trait || Math.sqrt(variance) > stoppingRule.standard_error;
}

function nextTrait(
  open: readonly OpenTrait[],
  answers: readonly Answer[],
  seed: string,
): ContinuousTrait | undefined {
  const last = answers.map((answer) => getItem(answer.item_id)).findLast(isGraded);
  const elsewhere = open.filter(
    ({ trait }) => last === undefined || families.get(trait) !== families.get(last.trait),
  );
  const candidates = elsewhere.length > 0 ? elsewhere : open;
  return candidates.toSorted(
    (one, other) =>
      one.items - other.items ||
      other.variance - one.variance ||
      hash(seed + one.trait) - hash(seed + other.trait),
  )[0]?.trait;
}

function informativeItem(
  trait: ContinuousTrait,
  posterior: Posterior,
  asked: ReadonlySet<string>,
  seed: string,
): GradedItem | undefined {
  const index = continuousTraits.indexOf(trait);
  const mean = posterior.mean[index]!;
  const variance = posterior.variance[index]!;
  const best = gradedItemsOf(trait)
    .filter((item) => !asked.has(item.id))
    .map((item) => ({ item, information: normalAverage(itemCurves(item).information, mean, variance) }))
    .toSorted((one, other) => other.information - one.information)
    .slice(0, randomesque);
  return best[hash(`${seed}:${asked.size}`) % best.length]?.item;
}

const families: ReadonlyMap<TraitCode, string> = new Map(
  Object.entries(traitFamilies).flatMap(([family, codes]) => codes.map((code) => [code, family] as const)),
);

/** FNV-1a over UTF-16 units with a final mix: spreads exposure over people, protects nothing. */
function hash(text: string): number {
  let state = 2166136261;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  }
  state = Math.imul(state ^ (state >>> 15), 2246822519);
  return (state ^ (state >>> 13)) >>> 0;
}
