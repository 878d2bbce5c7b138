import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { itemBank, judgedBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { categoricalTraitCodes, categoricalTraits, type CategoricalTrait } from '../taxonomy.ts';
import { computeCategoricalPosterior, readChoiceParameters, slotValues } from './categorical.ts';
import { simulateMember, simulateScenarioAnswers } from './simulated-member.ts';
import { listScenarios } from '#test/modules/items.ts';

describe('a categorical posterior', () => {
  test('is uniform before any answer', () => {
    for (const trait of categoricalTraitCodes) {
      const { distribution, confidence, slot } = computeCategoricalPosterior(trait, []);
      for (const { probability } of distribution) expect(probability).toBeCloseTo(0.2, 8);
      expect(confidence).toBeCloseTo(0.2, 8);
      expect(slot.mean).toBeCloseTo(0, 12);
      expect(slot.variance).toBeCloseTo(1, 12);
    }
  });

  test('is a distribution over the ways of acting, with the most probable one as its primary', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...categoricalTraitCodes),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 6, maxLength: 6 }),
        (trait, ways) => {
          const posterior = computeCategoricalPosterior(trait, answerByWays(trait, ways));
          const probabilities = posterior.distribution.map(({ probability }) => probability);
          expect(posterior.distribution.map(({ value }) => value)).toEqual(categoricalTraits[trait]);
          expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 10);
          expect(posterior.primary).toBe(
            categoricalTraits[trait][probabilities.indexOf(Math.max(...probabilities))],
          );
          expect(posterior.confidence).toBeGreaterThan(0.15);
          expect(posterior.confidence).toBeLessThanOrEqual(1);
          expect(posterior.slot.variance).toBeGreaterThan(0);
          expect(posterior.slot.variance).toBeLessThanOrEqual(1);
        },
      ),
      { seed: 5, numRuns: 40 },
    );
  });

  test('grows more confident with every equal answer', () => {
    const confidences = [0, 1, 2, 3, 4, 5, 6].map(
      (answers) =>
        computeCategoricalPosterior('conflict_style', answerByWays('conflict_style', Array(answers).fill(1)))
          .confidence,
    );
    expect(confidences).toEqual(confidences.toSorted((one, other) => one - other));
    expect(confidences.at(-1)).toBeGreaterThan(0.6);
  });

  test('says less about a member who always chooses a popular way than about one who chooses a rare way', () => {
    const choose = (value: string, bank = itemBank) => {
      const way = categoricalTraits.conflict_style.indexOf(value as 'avoiding');
      return computeCategoricalPosterior(
        'conflict_style',
        answerByWays('conflict_style', Array(6).fill(way)),
        bank,
      );
    };
    // By counting alone, always choosing "collaborating" gave +1.5 standard deviations.
    expect(choose('collaborating').slot.mean).toBeLessThan(0.8);
    expect(choose('collaborating').slot.mean).toBeLessThan(choose('collaborating', judgedBank).slot.mean);
    expect(choose('avoiding').slot.mean).toBeLessThan(-1);
    expect(choose('avoiding').confidence).toBeGreaterThan(choose('collaborating').confidence);
  });

  test('reads the way of acting, not the position of the option', () => {
    const first = listScenarios('decision_mode').map((scenario) => ({ item_id: scenario.id, option: 0 }));
    const { distribution } = computeCategoricalPosterior('decision_mode', first);
    expect(Math.max(...distribution.map(({ probability }) => probability))).toBeLessThan(0.5);
  });

  test('ignores statements and the other trait, and the order of the answers', () => {
    const others = [
      ...answerByWays('conflict_style', [1, 1, 1]),
      { item_id: itemBank.graded[0]!.id, option: 4 },
    ];
    expect(computeCategoricalPosterior('decision_mode', others)).toEqual(
      computeCategoricalPosterior('decision_mode', []),
    );
    const answers = answerByWays('decision_mode', [0, 1, 2, 0, 4, 3]);
    expect(computeCategoricalPosterior('decision_mode', answers.toReversed())).toEqual(
      computeCategoricalPosterior('decision_mode', answers),
    );
  });
});

test('over 2,000 simulated members, slots are centred, bounds hold and the confidence is right (seed 31)', () => {
  const random = createSeededRandom(31);
  const total = { mean: 0, variance: 0, covered: 0, confidence: 0, correct: 0, count: 0 };
  for (let index = 0; index < 2_000; index++) {
    const member = simulateMember(random);
    const answers = simulateScenarioAnswers(member, random);
    for (const trait of categoricalTraitCodes) {
      const { slot, confidence, primary } = computeCategoricalPosterior(trait, answers);
      const preferences = member.preferences[trait];
      const truth = computeTrueSlot(trait, preferences);
      total.count++;
      total.mean += slot.mean;
      total.variance += slot.mean ** 2 + slot.variance;
      total.covered += Number(Math.abs(truth - slot.mean) <= 1.96 * Math.sqrt(slot.variance));
      total.confidence += confidence;
      const favourite = categoricalTraits[trait][preferences.indexOf(Math.max(...preferences))];
      total.correct += Number(favourite === primary);
    }
  }
  const average = (sum: number) => sum / total.count;
  expect(Math.abs(average(total.mean))).toBeLessThan(0.05);
  expect(average(total.variance)).toBeGreaterThan(0.88);
  expect(average(total.variance)).toBeLessThan(1.05);
  expect(average(total.covered)).toBeGreaterThan(0.93);
  expect(average(total.covered)).toBeLessThan(0.98);
  // The norms are right in this simulation, so the confidence, which expects errors in them, is a little low.
  expect(average(total.correct)).toBeGreaterThan(average(total.confidence) - 0.01);
  expect(average(total.correct)).toBeLessThan(average(total.confidence) + 0.12);
});

function computeTrueSlot(trait: CategoricalTrait, preferences: readonly number[]): number {
  const { spread } = readChoiceParameters(trait, itemBank);
  const isInside = categoricalTraits[trait].map((way) => slotValues[trait].includes(way));
  const contrast = preferences.reduce((sum, value, way) => sum + (isInside[way] ? value / 2 : -value / 3), 0);
  return contrast / (spread * Math.sqrt(1 / 2 + 1 / 3));
}

function answerByWays(trait: CategoricalTrait, ways: readonly number[]): Answer[] {
  return ways.map((way, index) => {
    const scenario = listScenarios(trait)[index]!;
    const value = categoricalTraits[trait][way];
    return { item_id: scenario.id, option: scenario.options.findIndex((option) => option.value === value) };
  });
}
