import { describe, expect, test } from 'vitest';
import { computeNormalAverage, getItemCurves, type Moments } from '@tessera/psychometrics';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, type Answer, type GradedItem } from '../items/item.ts';
import { continuousTraits, traitCodes } from '../taxonomy.ts';
import { chooseNextItem, stoppingRule, type TraitStakes, toTraitStakes } from './next-item.ts';
import { selectRarerKey } from './balanced-keys.ts';
import { hasEligiblePlace } from './eligible-statements.ts';
import { computePosterior } from './posterior.ts';
import { simulateMember } from './simulated-member.ts';
import { computeWordGain } from './trait-words.ts';
import { first_stage_items } from './stages.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { requireItem } from '#test/modules/items.ts';

const chooseNext = (answers: readonly Answer[], seed: string) => chooseNextItem(answers, seed, itemBank);

type Run = { readonly seed: string; readonly answers: readonly Answer[] };

const runs: readonly Run[] = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => simulateRun(`model-${seed}`, seed)),
  ...[0, 2, 4].map((option) => answerAlways(`same-${option}`, option)),
];

describe('the next item', () => {
  test('is never an item that was answered', () => {
    for (const { answers } of runs)
      expect(new Set(answers.map(({ item_id }) => item_id)).size).toBe(answers.length);
  });

  test('ends the assessment within 120 items, after three statements a trait and every scenario', () => {
    for (const { answers } of runs) {
      const items = answers.map(({ item_id }) => requireItem(item_id));
      expect(answers.length).toBeLessThanOrEqual(stoppingRule.most_items);
      expect(items.filter((item) => !isGraded(item))).toHaveLength(itemBank.scenarios.length);
      for (const trait of continuousTraits)
        expect(items.filter((item) => item.trait === trait).length).toBeGreaterThanOrEqual(3);
    }
  });

  test('continues until every trait has the standard error and a settled word, unless its statements or the items run out', () => {
    const ended = runs.filter(({ answers }) => answers.length < stoppingRule.most_items);
    expect(ended.length).toBeGreaterThan(2);
    for (const { seed, answers } of ended) {
      const { mean, variance } = computePosterior(answers);
      const asked = new Set(answers.map(({ item_id }) => item_id));
      const open = continuousTraits.filter((trait, slot) => {
        const [before, after_them] = splitElements(itemBank.gradedByTrait.get(trait)!, ({ id }) =>
          asked.has(id),
        );
        const left = selectRarerKey(after_them, before).filter(({ id }) =>
          hasEligiblePlace(id, trait, seed, itemBank, stoppingRule.eligible_share),
        );
        if (left.length === 0) return false;
        const moments = { mean: mean[slot]!, variance: variance[slot]! };
        const after = computeVarianceAfter(moments, left);
        const gain = computeWordGain(moments, after) / left.length;
        return moments.variance > stoppingRule.standard_error ** 2 || gain >= stoppingRule.word_gain;
      });
      expect(open).toEqual([]);
    }
  });

  test('asks about equally many statements of both keys of a trait: they differ by two at most', () => {
    for (const { answers } of runs) {
      const statements = answers.map(({ item_id }) => requireItem(item_id)).filter(isGraded);
      for (const trait of continuousTraits) {
        const keys = statements
          .filter((item) => item.trait === trait)
          .map(({ reversed }) => (reversed ? -1 : 1));
        expect(Math.abs(keys.reduce((sum: number, key) => sum + key, 0))).toBeLessThanOrEqual(2);
      }
    }
  });

  test('is never a statement that may not follow those before', () => {
    const isKept = (id: string) => !id.endsWith('1');
    const answers: Answer[] = [];
    const chooseAllowed = () =>
      chooseNextItem(answers, 'kept', itemBank, { mayAsk: ({ id }, asked) => isKept(id) || asked.size > 60 });
    for (let item = chooseAllowed(); item !== undefined && answers.length < 60; item = chooseAllowed())
      answers.push({ item_id: item.id, option: 2 });
    const statements = answers.map(({ item_id }) => requireItem(item_id)).filter(isGraded);
    expect(statements.length).toBeGreaterThan(50);
    expect(statements.filter(({ id }) => !isKept(id))).toEqual([]);
  });

  test('is the same for the same answers and seed', () => {
    for (const { seed, answers } of runs.slice(0, 3))
      for (const [count, { item_id }] of answers.entries())
        expect(chooseNext(answers.slice(0, count), seed)?.id).toBe(item_id);
  });

  test('belongs to another family than the statement before, while traits of other families are open', () => {
    for (const { answers } of runs) {
      const families = answers
        .map(({ item_id }) => requireItem(item_id))
        .filter(isGraded)
        .slice(0, 54)
        .map(({ trait }) => itemBank.families.get(trait));
      for (const [index, family] of families.entries()) expect(family).not.toBe(families[index - 1]);
    }
  });

  test('is a scenario at every eighth position, alternating between the two traits', () => {
    for (const { answers } of runs) {
      const scenarios = answers
        .map(({ item_id }, position) => ({ position, item: requireItem(item_id) }))
        .filter(({ item }) => !isGraded(item));
      for (const [index, { position }] of scenarios.entries())
        expect(position).toBeLessThanOrEqual(8 * index + 7);
      expect(scenarios.slice(0, 8).map(({ position }) => position)).toEqual([7, 15, 23, 31, 39, 47, 55, 63]);
      const traits = scenarios.map(({ item }) => item.trait);
      for (const [index, trait] of traits.entries()) expect(trait).not.toBe(traits[index - 1]);
    }
  });
});

describe('with unequal stakes', () => {
  test('the items after the first stage measure the traits with most at stake first', () => {
    const [first] = runs;
    const start = first!.answers.slice(0, first_stage_items);
    const decisive = ['sincerity', 'persistence'] as const;
    const stakes = toTraitStakes(traitCodes.map((code) => (decisive.some((each) => each === code) ? 1 : 0)));
    const countDecisive = (chosen: TraitStakes | undefined) =>
      simulateFurtherItems(first!.seed, start, 12, chosen).filter((item) =>
        decisive.some((each) => each === item.trait),
      ).length;
    expect(countDecisive(stakes)).toBeGreaterThan(countDecisive(undefined));
    expect(countDecisive(stakes)).toBeGreaterThanOrEqual(4);
  });

  test('a trait on which everything depends gets all statements that the member can get', () => {
    const stakes = toTraitStakes(traitCodes.map((code) => Number(code === 'sincerity')));
    const answers: Answer[] = [];
    const chooseStaked = () => chooseNextItem(answers, 'staked', itemBank, { stakes });
    for (let item = chooseStaked(); item !== undefined; item = chooseStaked())
      answers.push({ item_id: item.id, option: 4 });
    const used = answers.filter(({ item_id }) => requireItem(item_id).trait === 'sincerity');
    expect(used.length).toBeGreaterThanOrEqual(7);
  });

  test('are weights with a mean of 1 and at least 0.25, or undefined if unknown', () => {
    const weights = [...toTraitStakes(traitCodes.map((_, slot) => slot))!.values()];
    expect(weights.reduce((sum, weight) => sum + weight, 0) / weights.length).toBeCloseTo(1);
    expect(Math.min(...weights)).toBe(0.25);
    expect(toTraitStakes(null)).toBeUndefined();
    expect(toTraitStakes(traitCodes.map(() => 0))).toBeUndefined();
  });
});

function splitElements<Element>(elements: readonly Element[], isFirst: (element: Element) => boolean) {
  return [elements.filter(isFirst), elements.filter((each) => !isFirst(each))] as const;
}

/** Computes the variance that is expected when all of these statements are answered. */
function computeVarianceAfter({ mean, variance }: Moments, statements: readonly GradedItem[]): number {
  const information = statements.map((item) =>
    computeNormalAverage(getItemCurves(item).information, mean, variance),
  );
  return variance / (1 + variance * information.reduce((sum, each) => sum + each, 0));
}

/** Answers some more items with the middle option. @returns the items. */
function simulateFurtherItems(
  seed: string,
  start: readonly Answer[],
  count: number,
  stakes: TraitStakes | undefined,
) {
  const answers = [...start];
  while (answers.length < start.length + count) {
    const item = chooseNextItem(answers, seed, itemBank, { stakes })!;
    answers.push({ item_id: item.id, option: 2 });
  }
  return answers.slice(start.length).map(({ item_id }) => requireItem(item_id));
}

function simulateRun(seed: string, number: number): Run {
  const random = createSeededRandom(number);
  return { seed, answers: simulateAssessment(simulateMember(random), seed, random) };
}

function answerAlways(seed: string, option: number): Run {
  const answers: Answer[] = [];
  for (let item = chooseNext(answers, seed); item !== undefined; item = chooseNext(answers, seed))
    answers.push({ item_id: item.id, option });
  return { seed, answers };
}
