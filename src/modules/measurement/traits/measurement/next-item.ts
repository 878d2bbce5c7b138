import { computeNormalAverage, getItemCurves, type Moments } from '@tessera/psychometrics';
import { findStatement, type ItemBank } from '../items/bank.ts';
import type { Answer, GradedItem, Item, Scenario } from '../items/item.ts';
import { createWeigher, hasAskedEnemy } from './answer-weights.ts';
import { selectRarerKey } from './balanced-keys.ts';
import { hasEligiblePlace } from './eligible-statements.ts';
import { computeMarginals } from './posterior.ts';
import { computeWordGain } from './trait-words.ts';
import { traitCodes } from '../taxonomy.ts';

/** When an assessment ends and how it chooses items. */
export type AssessmentRule = {
  /** A trait is open while each of its further statements makes its word right with at least this much more probability, ... */
  readonly word_gain: number;
  /** ... or while its standard error, times the root of what is at stake, is above this, in population standard deviations. */
  readonly standard_error: number;
  readonly fewest_items_a_trait: number;
  readonly most_items: number;
  /** The share of the statements of a trait that a member can get: no statement is asked of more members than this. */
  readonly eligible_share: number;
  /** Of a trait with few statements, a member can get this many. */
  readonly fewest_eligible: number;
};

export const stoppingRule: AssessmentRule = {
  word_gain: 0.01,
  standard_error: 0.45,
  fewest_items_a_trait: 3,
  most_items: 120,
  eligible_share: 0.6,
  fewest_eligible: 6,
};

/** How much depends on the certainty of each trait, in any unit; a trait that is not listed has 1. */
export type TraitStakes = ReadonlyMap<string, number>;

export type ChoiceOptions<Trait extends string> = {
  readonly rule?: AssessmentRule;
  readonly stakes?: TraitStakes | undefined;
  /** Says whether a statement may follow those that were asked; by default each may that no decision keeps apart from them. */
  readonly mayAsk?: (statement: GradedItem<Trait>, asked: ReadonlySet<string>) => boolean;
};

/**
 * Chooses the item that follows these answers; undefined when the assessment is complete. The same answers and seed (the assessment's
 * id) with the same bank and stakes always result in the same item.
 *
 * A trait is open until its further statements hardly change a word or a tier that anyone reads: its own word (`trait-words.ts`), and the tiers
 * that depend on it if stakes are given.
 *
 * Every eighth item is a scenario until none is left. The others are statements of an open trait, from another family than the statement
 * before where possible. A trait has a value: the geometric mean of the variance that its next statement and that all of its statements
 * left are expected to remove, times what is at stake (for the first of the two, van der Linden 1999, J Educ Behav Stat 24: the minimum
 * variance of a linear combination of the traits). The next statement alone would neglect traits whose best statements the member cannot get,
 * all statements alone would neglect how much one says. The statement is the one with the most information, weighted by the posterior (van der
 * Linden 1998, Psychometrika 63), of those that the member can get: the seed draws three of five, evenly spread over their quality
 * (`eligible-statements.ts`), so that no statement is asked of more than 60 % of the members. The keys of a trait differ by two at most.
 */
export function chooseNextItem<Trait extends string>(
  answers: readonly Answer[],
  seed: string,
  bank: ItemBank<Trait>,
  {
    rule = stoppingRule,
    stakes,
    mayAsk = ({ id }, asked) => !hasAskedEnemy(id, asked, bank),
  }: ChoiceOptions<Trait> = {},
): Item<Trait> | undefined {
  if (answers.length >= rule.most_items) return undefined;
  const asked = new Set(answers.map((answer) => answer.item_id));
  const scenario = chooseNextScenario(bank, asked);
  if (scenario !== undefined && answers.length % scenarioEvery === scenarioEvery - 1) return scenario;
  const posterior = computeMarginals(answers, bank);
  const session: Session<Trait> = { answers, asked, seed, bank, rule, stakes, mayAsk, posterior };
  return chooseNextTrait(listOpenTraits(session), session)?.best.item ?? scenario;
}

const scenarioEvery = 8;

/** The values on which the choice depends. */
type Session<Trait extends string> = Required<Pick<ChoiceOptions<Trait>, 'rule' | 'mayAsk'>> & {
  readonly answers: readonly Answer[];
  readonly asked: ReadonlySet<string>;
  readonly seed: string;
  readonly bank: ItemBank<Trait>;
  readonly stakes: TraitStakes | undefined;
  readonly posterior: readonly Moments[];
};

type RankedItem<Trait extends string> = { readonly item: GradedItem<Trait>; readonly information: number };

type OpenTrait<Trait extends string> = {
  readonly trait: Trait;
  readonly best: RankedItem<Trait>;
  readonly value: number;
};

/** Chooses the next scenario in the order of the bank, of the categorical trait with more scenarios left. */
function chooseNextScenario(bank: ItemBank<string>, asked: ReadonlySet<string>): Scenario | undefined {
  const left = Map.groupBy(
    bank.scenarios.filter((scenario) => !asked.has(scenario.id)),
    (scenario) => scenario.trait,
  );
  return [...left.values()].toSorted((one, other) => other.length - one.length)[0]?.[0];
}

/**
 * Lists the continuous traits that need another answer and have a statement that the member can get. No trait is open once the remaining
 * items are reserved for the scenarios.
 */
function listOpenTraits<Trait extends string>(session: Session<Trait>): readonly OpenTrait<Trait>[] {
  const { answers, bank, rule } = session;
  const graded = answers.filter(({ item_id }) => findStatement(bank, item_id)).length;
  if (graded >= rule.most_items - bank.scenarios.length) return [];
  return bank.traits.flatMap((trait, slot) => openTrait(trait, slot, session));
}

function openTrait<Trait extends string>(
  trait: Trait,
  slot: number,
  session: Session<Trait>,
): readonly OpenTrait<Trait>[] {
  const { rule, stakes } = session;
  const { mean, variance } = session.posterior[slot]!;
  const { statements, asked_before } = rankByInformation(trait, { mean, variance }, session);
  const [best] = statements;
  if (best === undefined) return [];
  const all = statements.reduce((sum, { information }) => sum + information, 0);
  const stake = stakes?.get(trait) ?? 1;
  const after = variance / (1 + variance * all);
  const gain = computeWordGain({ mean, variance }, after) / statements.length;
  const isSettled = gain < rule.word_gain && stake * variance <= rule.standard_error ** 2;
  if (asked_before >= rule.fewest_items_a_trait && isSettled) return [];
  const removed = variance - variance / (1 + variance * best.information);
  return [{ trait, best, value: stake * Math.sqrt(removed * (variance - after)) }];
}

/** Lists the statements of a trait that the member can get next, those with the most information first. */
function rankByInformation<Trait extends string>(
  trait: Trait,
  { mean, variance }: Moments,
  { bank, answers, asked, seed, rule, mayAsk }: Session<Trait>,
): { readonly statements: readonly RankedItem<Trait>[]; readonly asked_before: number } {
  const all = bank.gradedByTrait.get(trait) ?? [];
  const before = all.filter(({ id }) => asked.has(id));
  const left = all.filter((item) => !asked.has(item.id) && mayAsk(item, asked));
  const share = Math.max(rule.eligible_share, rule.fewest_eligible / all.length);
  const eligible = selectRarerKey(left, before).filter(({ id }) =>
    hasEligiblePlace(id, trait, seed, bank, Math.min(1, share)),
  );
  const weigh = createWeigher(answers, bank);
  const statements = eligible.map((item) => ({
    item,
    information: weigh(item) * computeNormalAverage(getItemCurves(item).information, mean, variance),
  }));
  return {
    statements: statements.toSorted((one, other) => other.information - one.information),
    asked_before: before.length,
  };
}

function chooseNextTrait<Trait extends string>(
  open: readonly OpenTrait<Trait>[],
  { answers, bank }: Session<Trait>,
): OpenTrait<Trait> | undefined {
  const last = answers.findLast(({ item_id }) => findStatement(bank, item_id));
  const lastFamily = last && bank.families.get(findStatement(bank, last.item_id)!.trait);
  const elsewhere = open.filter(({ trait }) => bank.families.get(trait) !== lastFamily);
  const candidates = elsewhere.length > 0 ? elsewhere : open;
  return candidates.toSorted((one, other) => other.value - one.value)[0];
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
