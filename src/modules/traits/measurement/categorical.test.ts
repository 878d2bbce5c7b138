import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemBank, listScenarios } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { categoricalTraitCodes, categoricalTraits, type CategoricalTrait } from '../taxonomy.ts';
import { computeCategoricalPosterior, computeProbabilityOfLargest } from './categorical.ts';

describe('a categorical posterior', () => {
  test('is uniform before any answer', () => {
    for (const trait of categoricalTraitCodes) {
      const posterior = computeCategoricalPosterior(trait, []);
      expect(posterior.distribution.map(({ probability }) => probability)).toEqual([0.2, 0.2, 0.2, 0.2, 0.2]);
      expect(posterior.confidence).toBeCloseTo(0.2, 8);
    }
  });

  test('is a distribution over the ways of acting, and its primary is the way chosen most often', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...categoricalTraitCodes),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 6, maxLength: 6 }),
        (trait, ways) => {
          const posterior = computeCategoricalPosterior(trait, answerByOptions(trait, ways));
          const chosen = ways.map((way) => categoricalTraits[trait][way]!);
          const most = Math.max(...posterior.distribution.map(({ value }) => countEqual(chosen, value)));
          expect(posterior.distribution.map(({ value }) => value)).toEqual(categoricalTraits[trait]);
          expect(posterior.distribution.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(
            1,
            12,
          );
          expect(countEqual(chosen, posterior.primary)).toBe(most);
          expect(posterior.confidence).toBeGreaterThan(0.2);
          expect(posterior.confidence).toBeLessThanOrEqual(1);
        },
      ),
      { seed: 5 },
    );
  });

  test('grows more confident with every equal answer', () => {
    const confidences = [0, 1, 2, 3, 4, 5, 6].map(
      (answers) =>
        computeCategoricalPosterior(
          'conflict_style',
          answerByOptions('conflict_style', Array(answers).fill(1)),
        ).confidence,
    );
    expect(confidences).toEqual(confidences.toSorted((one, other) => one - other));
    expect(confidences.at(-1)).toBeGreaterThan(0.95);
  });

  test('reads the way of acting, not the position of the option', () => {
    const first = listScenarios('decision_mode').map((scenario) => ({ item_id: scenario.id, option: 0 }));
    const posterior = computeCategoricalPosterior('decision_mode', first);
    expect(Math.max(...posterior.concentration)).toBeLessThanOrEqual(2.5);
  });

  test('ignores statements and the other trait', () => {
    const others = [
      ...answerByOptions('conflict_style', [1, 1, 1]),
      { item_id: itemBank.graded[0]!.id, option: 4 },
    ];
    expect(computeCategoricalPosterior('decision_mode', others)).toEqual(
      computeCategoricalPosterior('decision_mode', []),
    );
  });
});

describe('the probability of the largest component', () => {
  test('sums to one over the components', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 5, maxLength: 5 }), (counts) => {
        const concentration = counts.map((each) => each + 0.5);
        const total = concentration.reduce(
          (sum, _, index) => sum + computeProbabilityOfLargest(concentration, index),
          0,
        );
        expect(total).toBeCloseTo(1, 7);
      }),
      { seed: 6, numRuns: 30 },
    );
  });

  test('agrees with the exact value for two components', () => {
    // Beta(2, 1) exceeds one half with probability 1 - 1/4, and Beta(3, 1) with 1 - 1/8.
    expect(computeProbabilityOfLargest([2, 1], 0)).toBeCloseTo(0.75, 7);
    expect(computeProbabilityOfLargest([3, 1], 0)).toBeCloseTo(0.875, 7);
  });
});

function answerByOptions(trait: CategoricalTrait, ways: readonly number[]): Answer[] {
  return ways.map((way, index) => {
    const scenario = listScenarios(trait)[index]!;
    const value = categoricalTraits[trait][way];
    return { item_id: scenario.id, option: scenario.options.findIndex((option) => option.value === value) };
  });
}

function countEqual(values: readonly string[], wanted: string): number {
  return values.filter((value) => value === wanted).length;
}
