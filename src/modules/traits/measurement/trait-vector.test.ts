import { describe, expect, test } from 'vitest';
import { computeCategoricalPosterior } from './categorical.ts';
import { listScenarios } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { computePosterior } from './posterior.ts';
import { simulateAssessment, simulateMember } from './simulated-member.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { type CategoricalTrait, continuousTraits, traitCodes, toTraitSlot } from '../taxonomy.ts';
import { buildLatentVector, slotValues, buildTraitVector } from './trait-vector.ts';

describe('a trait vector', () => {
  test('names all twenty traits, each once', () => {
    const { traits, categorical_traits } = vectorOf([]);
    const names = [...traits, ...categorical_traits].map(({ trait_name }) => trait_name);
    expect(names.toSorted()).toEqual(traitCodes.toSorted());
    expect(traits.map(({ trait_name }) => trait_name)).toEqual(continuousTraits);
  });

  test('is in the middle and without confidence before any answer', () => {
    for (const trait of vectorOf([]).traits) {
      expect(trait.score).toBeCloseTo(0.5, 12);
      expect(trait.confidence).toBe(0);
      expect(trait.lower_bound).toBeCloseTo(0.025, 4);
      expect(trait.upper_bound).toBeCloseTo(0.975, 4);
    }
  });

  test('keeps score, bounds and confidences in order and between 0 and 1', () => {
    for (const answers of simulated(5)) {
      const vector = vectorOf(answers);
      for (const { score, confidence, lower_bound, upper_bound } of vector.traits) {
        const values = [0, lower_bound, score, upper_bound, 1];
        expect(values).toEqual(values.toSorted((one, other) => one - other));
        expect(confidence).toBeGreaterThan(0.7);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      const confidences = [...vector.traits, ...vector.categorical_traits].map(
        ({ confidence }) => confidence,
      );
      expect(vector.overall_confidence).toBeCloseTo(
        confidences.reduce((sum, value) => sum + value, 0) / 20,
        12,
      );
    }
  });
});

describe('a latent vector', () => {
  test('is the standard normal in all twenty slots before any answer', () => {
    const { mean, variance } = latentOf([]);
    expect(mean).toHaveLength(20);
    for (const slot of traitCodes.keys()) {
      expect(mean[slot]).toBeCloseTo(0, 12);
      expect(variance[slot]).toBeCloseTo(1, 12);
    }
  });

  test('has variances above 0 and up to 1 and the continuous means in their slots', () => {
    for (const answers of simulated(5)) {
      const { mean, variance } = latentOf(answers);
      const posterior = computePosterior(answers);
      for (const value of variance) expect(value > 0 && value <= 1).toBe(true);
      for (const [index, trait] of continuousTraits.entries())
        expect(mean[toTraitSlot(trait)]).toBe(posterior.mean[index]);
    }
  });

  test('rises in a categorical slot with the ways that it stands for, and falls with the others', () => {
    for (const trait of ['conflict_style', 'decision_mode'] as const) {
      const slot = toTraitSlot(trait);
      expect(latentOf(choosing(trait, true)).mean[slot]).toBeGreaterThan(1);
      expect(latentOf(choosing(trait, false)).mean[slot]).toBeLessThan(-1);
      expect(latentOf(choosing(trait, true)).variance[slot]).toBeLessThan(0.5);
    }
  });

  test('has categorical slots whose mean is 0 and whose total variance is 1 over the prior population', () => {
    // With six answers and shares p ~ Beta(1, 3/2), the number inside the group is beta-binomial.
    const chances = betaBinomial(6);
    const slots = chances.map((_, inside) => slotAfter(inside));
    const mean = chances.reduce((sum, chance, inside) => sum + chance * slots[inside]!.mean, 0);
    const total = chances.reduce(
      (sum, chance, inside) => sum + chance * (slots[inside]!.mean ** 2 + slots[inside]!.variance),
      0,
    );
    expect(mean).toBeCloseTo(0, 8);
    expect(total).toBeCloseTo(1, 8);
  });
});

function categoricalOf(answers: readonly Answer[]) {
  return [
    computeCategoricalPosterior('decision_mode', answers),
    computeCategoricalPosterior('conflict_style', answers),
  ];
}

function vectorOf(answers: readonly Answer[]) {
  return buildTraitVector(computePosterior(answers), categoricalOf(answers));
}

function latentOf(answers: readonly Answer[]) {
  return buildLatentVector(computePosterior(answers), categoricalOf(answers));
}

function simulated(count: number): Answer[][] {
  const random = createSeededRandom(12);
  return Array.from({ length: count }, (_, index) =>
    simulateAssessment(simulateMember(random), `vector-${index}`, random),
  );
}

function choosing(trait: CategoricalTrait, inside: boolean): Answer[] {
  return listScenarios(trait).map((scenario) => ({
    item_id: scenario.id,
    option: scenario.options.findIndex(({ value }) => slotValues[trait].includes(value) === inside),
  }));
}

function slotAfter(inside: number): { mean: number; variance: number } {
  const answers = listScenarios('conflict_style').map((scenario, index) => ({
    item_id: scenario.id,
    option: scenario.options.findIndex(
      ({ value }) => slotValues.conflict_style.includes(value) === index < inside,
    ),
  }));
  const { mean, variance } = latentOf(answers);
  const slot = toTraitSlot('conflict_style');
  return { mean: mean[slot]!, variance: variance[slot]! };
}

function betaBinomial(size: number): number[] {
  const rising = (start: number, count: number) =>
    Array.from({ length: count }, (_, index) => start + index).reduce(
      (product, factor) => product * factor,
      1,
    );
  const choose = (count: number) => rising(size - count + 1, count) / rising(1, count);
  return Array.from(
    { length: size + 1 },
    (_, count) => (choose(count) * rising(1, count) * rising(1.5, size - count)) / rising(2.5, size),
  );
}
