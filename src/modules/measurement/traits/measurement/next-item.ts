import { computeNormalAverage, getItemCurves, type Moments } from '@tessera/psychometrics';
import { findStatement, type ItemBank } from '../items/bank.ts';
import type { Answer, GradedItem, Item, Scenario } from '../items/item.ts';
import { selectRarerKey } from './balanced-keys.ts';
import { computeMarginals } from './posterior.ts';
import { traitCodes } from '../taxonomy.ts';

/** When an assessment ends and how it chooses items. */
export type AssessmentRule = {
  /** A trait is open while its standard error is above this, in population standard deviations. */
  readonly standard_error: number;
  readonly fewest_items_a_trait: number;
  readonly most_items: number;
  /** The first statement of a trait is drawn from this number of the best, and each further statement from one fewer. */
  readonly first_draw: number;
  /** One of this number of members gets the first statement of a trait from all of its statements. */
  readonly explorers: number;
};

export const stoppingRule: AssessmentRule = {
  standard_error: 0.4,
  fewest_items_a_trait: 3,
  most_items: 120,
  first_draw: 5,
  explorers: 3,
};

/** How much depends on the certainty of each trait, in any unit; a trait that is not listed has 1. */
export type TraitStakes = ReadonlyMap<string, number>;

/**
 * Chooses the item that follows these answers; undefined when the assessment is complete. The same answers and seed (the assessment's
 * id) with the same bank and stakes always result in the same item.
 *
 * Every eighth item is a scenario until none is left. The others are statements of an open trait, from another family than the statement
 * before: the trait with the fewest items and then the largest variance, or, if stakes are given, the one for which an answer is expected
 * to reduce the variance most, times what is at stake (van der Linden 1999, J Educ Behav Stat 24: the minimum variance of a linear
 * combination of the traits). The statement is one of those with the most information, weighted by the posterior (van der Linden 1998,
 * Psychometrika 63). The seed draws it from the best five for the first statement of the trait, from four for the second and so on to the
 * best one (McBride and Martin 1983). So early statements, when the best hardly differ, cannot be predicted, and later ones, when the choice
 * matters, are the best. One member of three gets the first statement of a trait from all of them, so that every statement collects answers
 * for its calibration; this costs one more statement a member. The keys of a trait differ by two at most.
 */
export function chooseNextItem<Trait extends string>(
  answers: readonly Answer[],
  seed: string,
  bank: ItemBank<Trait>,
  rule: AssessmentRule = stoppingRule,
  stakes?: TraitStakes,
): Item<Trait> | undefined {
  if (answers.length >= rule.most_items) return undefined;
  const asked = new Set(answers.map((answer) => answer.item_id));
  const scenario = chooseNextScenario(bank, asked);
  if (scenario !== undefined && answers.length % scenarioEvery === scenarioEvery - 1) return scenario;
  const session: Session<Trait> = {
    answers,
    asked,
    seed,
    bank,
    rule,
    stakes,
    posterior: computeMarginals(answers, bank),
  };
  const open = chooseNextTrait(selectOpenTraits(session), session);
  return open === undefined ? scenario : chooseInformativeItem(open, session);
}

const scenarioEvery = 8;

/** The values on which the choice depends. */
type Session<Trait extends string> = {
  readonly answers: readonly Answer[];
  readonly asked: ReadonlySet<string>;
  readonly seed: string;
  readonly bank: ItemBank<Trait>;
  readonly rule: AssessmentRule;
  readonly stakes: TraitStakes | undefined;
  readonly posterior: readonly Moments[];
};

type OpenTrait<Trait extends string> = {
  readonly trait: Trait;
  readonly items: number;
  readonly mean: number;
  readonly variance: number;
};

/**
 * Selects the continuous traits that need another answer, because they are above the standard error or below the fewest items, and that
 * have a statement left. No trait is open once the remaining items are reserved for the scenarios.
 */
function selectOpenTraits<Trait extends string>(session: Session<Trait>): readonly OpenTrait<Trait>[] {
  const { answers, bank, rule, posterior } = session;
  const items = bank.traits.map(() => 0);
  let graded = 0;
  for (const { item_id } of answers) {
    const item = findStatement(bank, item_id);
    if (item === undefined) continue;
    items[bank.slots.get(item.trait)!]!++;
    graded++;
  }
  if (graded >= rule.most_items - bank.scenarios.length) return [];
  return bank.traits
    .map((trait, slot) => ({ trait, items: items[slot]!, ...posterior[slot]! }))
    .filter((each) => isOpen(each, session));
}

/** Chooses the next scenario in the order of the bank, of the categorical trait with more scenarios left. */
function chooseNextScenario(bank: ItemBank<string>, asked: ReadonlySet<string>): Scenario | undefined {
  const left = Map.groupBy(
    bank.scenarios.filter((scenario) => !asked.has(scenario.id)),
    (scenario) => scenario.trait,
  );
  return [...left.values()].toSorted((one, other) => other.length - one.length)[0]?.[0];
}

function isOpen<Trait extends string>(
  { trait, items, variance }: OpenTrait<Trait>,
  { bank, rule }: Session<Trait>,
): boolean {
  if (items >= (bank.gradedByTrait.get(trait)?.length ?? 0)) return false;
  return items < rule.fewest_items_a_trait || Math.sqrt(variance) > rule.standard_error;
}

function chooseNextTrait<Trait extends string>(
  open: readonly OpenTrait<Trait>[],
  session: Session<Trait>,
): OpenTrait<Trait> | undefined {
  const { answers, bank, seed, stakes } = session;
  const last = answers.findLast(({ item_id }) => findStatement(bank, item_id));
  const lastFamily = last && bank.families.get(findStatement(bank, last.item_id)!.trait);
  const elsewhere = open.filter(({ trait }) => bank.families.get(trait) !== lastFamily);
  const candidates = elsewhere.length > 0 ? elsewhere : open;
  if (stakes) return chooseDecisiveTrait(candidates, session, stakes);
  return candidates.toSorted(
    (one, other) =>
      one.items - other.items ||
      other.variance - one.variance ||
      hashText(seed + one.trait) - hashText(seed + other.trait),
  )[0];
}

/**
 * Chooses the trait for which the best statement is expected to reduce the variance v most, times the stakes. With the information I of an
 * answer, the variance becomes v / (1 + v I), which is v² I / (1 + v I) less.
 */
function chooseDecisiveTrait<Trait extends string>(
  candidates: readonly OpenTrait<Trait>[],
  session: Session<Trait>,
  stakes: TraitStakes,
): OpenTrait<Trait> | undefined {
  return candidates
    .map((open) => {
      const information = rankByInformation(open, session)[0]?.information ?? 0;
      const reduction = (open.variance ** 2 * information) / (1 + open.variance * information);
      return { open, gain: (stakes.get(open.trait) ?? 1) * reduction };
    })
    .toSorted((one, other) => other.gain - one.gain)[0]?.open;
}

function chooseInformativeItem<Trait extends string>(
  open: OpenTrait<Trait>,
  session: Session<Trait>,
): GradedItem<Trait> | undefined {
  const { asked, seed } = session;
  const best = rankByInformation(open, session).slice(0, computeDrawSize(session, open.trait, open.items));
  return best[hashText(`${seed}:${asked.size}`) % best.length]?.item;
}

type RankedItem<Trait extends string> = { readonly item: GradedItem<Trait>; readonly information: number };

/** Lists the statements of a trait that may be asked next, those with the most information first. */
function rankByInformation<Trait extends string>(
  { trait, mean, variance }: OpenTrait<Trait>,
  { bank, asked }: Session<Trait>,
): readonly RankedItem<Trait>[] {
  const statements = Object.groupBy(bank.gradedByTrait.get(trait) ?? [], ({ id }) =>
    asked.has(id) ? 'asked' : 'left',
  );
  return selectRarerKey(statements.left ?? [], statements.asked ?? [])
    .map((item) => ({
      item,
      information: computeNormalAverage(getItemCurves(item).information, mean, variance),
    }))
    .toSorted((one, other) => other.information - one.information);
}

function computeDrawSize<Trait extends string>(
  { rule, seed }: Session<Trait>,
  trait: Trait,
  items: number,
): number {
  const explores = items === 0 && hashText(`${trait}:${seed}`) % rule.explorers === 0;
  return explores ? Infinity : Math.max(1, rule.first_draw - items);
}

/** FNV-1a over UTF-16 units with a final mix. It spreads the statements over members and has no security purpose. */
function hashText(text: string): number {
  let state = 2166136261;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  }
  state = Math.imul(state ^ (state >>> 15), 2246822519);
  return (state ^ (state >>> 13)) >>> 0;
}

/** The smallest share of the mean stakes that a trait has, so that no trait is left unmeasured. */
const smallest_share = 0.25;

/**
 * Converts what is at stake in each slot, in any unit and none negative, to weights with a mean of 1 and a minimum of 0.25; undefined if
 * the stakes are unknown or all zero.
 */
export function toTraitStakes(slots: readonly number[] | null): TraitStakes | undefined {
  const total = (slots ?? []).reduce((sum, stake) => sum + stake, 0);
  if (slots === null || !(total > 0)) return undefined;
  return new Map(
    traitCodes.map((code, slot) => [
      code,
      smallest_share + ((1 - smallest_share) * traitCodes.length * slots[slot]!) / total,
    ]),
  );
}
