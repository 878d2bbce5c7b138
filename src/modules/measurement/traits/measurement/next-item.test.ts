import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, type Answer } from '../items/item.ts';
import { continuousTraits, traitCodes } from '../taxonomy.ts';
import { chooseNextItem, stoppingRule, type TraitStakes, toTraitStakes } from './next-item.ts';
import { computePosterior } from './posterior.ts';
import { simulateMember } from './simulated-member.ts';
import { first_stage_items } from './stages.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { listGradedItems, requireItem } from '#test/modules/items.ts';

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

  test('continues until every trait has the standard error, unless its statements or the items run out', () => {
    for (const { answers } of runs) {
      const { variance } = computePosterior(answers);
      const graded = answers.map(({ item_id }) => requireItem(item_id)).filter(isGraded);
      for (const [index, trait] of continuousTraits.entries()) {
        const used = graded.filter((item) => item.trait === trait).length;
        expect(
          Math.sqrt(variance[index]!) <= stoppingRule.standard_error ||
            used === listGradedItems(trait).length ||
            answers.length === stoppingRule.most_items,
        ).toBe(true);
      }
    }
  });

  test('is the same for the same answers and seed', () => {
    for (const { seed, answers } of runs.slice(0, 3))
      for (const [count, { item_id }] of answers.entries())
        expect(chooseNext(answers.slice(0, count), seed)?.id).toBe(item_id);
  });

  test('differs between seeds, so that no statement is shown to all members', () => {
    const firstItems = Array.from({ length: 60 }, (_, seed) => chooseNext([], `seed-${seed}`)!.id);
    expect(new Set(firstItems).size).toBeGreaterThan(20);
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

  test('are weights with a mean of 1 and at least 0.25, or undefined if unknown', () => {
    const weights = [...toTraitStakes(traitCodes.map((_, slot) => slot))!.values()];
    expect(weights.reduce((sum, weight) => sum + weight, 0) / weights.length).toBeCloseTo(1);
    expect(Math.min(...weights)).toBe(0.25);
    expect(toTraitStakes(null)).toBeUndefined();
    expect(toTraitStakes(traitCodes.map(() => 0))).toBeUndefined();
  });
});

/** Answers some more items with the middle option. @returns the items. */
function simulateFurtherItems(
  seed: string,
  start: readonly Answer[],
  count: number,
  stakes: TraitStakes | undefined,
) {
  const answers = [...start];
  while (answers.length < start.length + count) {
    const item = chooseNextItem(answers, seed, itemBank, stoppingRule, stakes)!;
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
