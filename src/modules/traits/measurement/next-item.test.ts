import { describe, expect, test } from 'vitest';
import { findItem, requireItem, listGradedItems, itemBank } from '../items/item-bank.ts';
import { type Answer, isGraded } from '../items/item.ts';
import { chooseNextItem as nextItemOf, stoppingRule } from './next-item.ts';
import { computePosterior } from './posterior.ts';
import { computeProgress } from './progress.ts';
import { simulateAssessment, simulateMember } from './simulated-member.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { continuousTraits, traitFamilies } from '../taxonomy.ts';

const nextItem = (answers: readonly Answer[], seed: string) => nextItemOf(answers, seed, itemBank);

type Run = { readonly seed: string; readonly answers: readonly Answer[] };

const runs: readonly Run[] = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => answering(`model-${seed}`, seed)),
  ...[0, 2, 4].map((option) => always(`same-${option}`, option)),
];

describe('the next item', () => {
  test('is never one that was answered', () => {
    for (const { answers } of runs)
      expect(new Set(answers.map(({ item_id }) => item_id)).size).toBe(answers.length);
  });

  test('ends within 120 items, with three statements a trait and every scenario', () => {
    for (const { answers } of runs) {
      const items = answers.map(({ item_id }) => requireItem(item_id));
      expect(answers.length).toBeLessThanOrEqual(stoppingRule.most_items);
      expect(items.filter((item) => !isGraded(item))).toHaveLength(itemBank.scenarios.length);
      for (const trait of continuousTraits)
        expect(items.filter((item) => item.trait === trait).length).toBeGreaterThanOrEqual(3);
    }
  });

  test('leaves no trait above the standard error, unless its statements or the items ran out', () => {
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
        expect(nextItem(answers.slice(0, count), seed)?.id).toBe(item_id);
  });

  test('differs between seeds, so that no statement is shown to everybody', () => {
    const first = Array.from({ length: 60 }, (_, seed) => nextItem([], `seed-${seed}`)!.id);
    expect(new Set(first).size).toBeGreaterThan(20);
  });

  test('asks about another family than the statement before while others are open', () => {
    for (const { answers } of runs) {
      const families = answers
        .map(({ item_id }) => requireItem(item_id))
        .filter(isGraded)
        .slice(0, 54)
        .map(({ trait }) =>
          Object.values(traitFamilies).findIndex((codes) => (codes as readonly string[]).includes(trait)),
        );
      for (const [index, family] of families.entries()) expect(family).not.toBe(families[index - 1]);
    }
  });

  test('spreads scenarios over the assessment and alternates their traits', () => {
    for (const { answers } of runs) {
      const places = [...answers.entries()].filter(([, { item_id }]) => !isGraded(findItem(item_id)!));
      for (const [index, [place]] of places.entries()) expect(place).toBeLessThanOrEqual(8 * index + 7);
      expect(places.slice(0, 8).map(([place]) => place)).toEqual([7, 15, 23, 31, 39, 47, 55, 63]);
      const traits = places.map(([, { item_id }]) => requireItem(item_id).trait);
      for (const [index, trait] of traits.entries()) expect(trait).not.toBe(traits[index - 1]);
    }
  });
});

describe('progress', () => {
  test('never goes back, and is 100 exactly when nothing is left to ask', () => {
    for (const { seed, answers } of runs) {
      let before = 0;
      for (let count = 0; count <= answers.length; count++) {
        const complete = nextItem(answers.slice(0, count), seed) === undefined;
        const { answered, estimated_total, percent } = computeProgress(count, complete);
        expect(answered).toBe(count);
        expect(percent).toBeGreaterThanOrEqual(before);
        expect(estimated_total).toBeGreaterThanOrEqual(answered);
        expect(estimated_total).toBeLessThanOrEqual(stoppingRule.most_items);
        expect(percent === 100).toBe(complete);
        before = percent;
      }
      expect(computeProgress(0, false).percent).toBe(0);
    }
  });
});

function answering(seed: string, number: number): Run {
  const random = createSeededRandom(number);
  return { seed, answers: simulateAssessment(simulateMember(random), seed, random) };
}

function always(seed: string, option: number): Run {
  const answers: Answer[] = [];
  for (let item = nextItem(answers, seed); item !== undefined; item = nextItem(answers, seed))
    answers.push({ item_id: item.id, option });
  return { seed, answers };
}
