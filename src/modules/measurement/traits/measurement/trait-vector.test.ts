import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import type { Answer } from '../items/item.ts';
import {
  categoricalTraitCodes,
  continuousTraits,
  toTraitSlot,
  traitCodes,
  type CategoricalTrait,
} from '../taxonomy.ts';
import { computeCategoricalPosterior, slotValues } from './categorical.ts';
import { computePosterior } from './posterior.ts';
import { simulateMember } from './simulated-member.ts';
import { buildLatentVector, buildTraitVector } from './trait-vector.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { listScenarios } from '#test/modules/items.ts';

describe('a trait vector', () => {
  test('has each of the twenty traits once', () => {
    const { traits, categorical_traits } = computeTraitVector([]);
    const names = [...traits, ...categorical_traits].map(({ trait_name }) => trait_name);
    expect(names.toSorted()).toEqual(traitCodes.toSorted());
    expect(traits.map(({ trait_name }) => trait_name)).toEqual(continuousTraits);
  });

  test('has middle scores without confidence before any answer', () => {
    for (const trait of computeTraitVector([]).traits) {
      expect(trait.score).toBeCloseTo(0.5, 12);
      expect(trait.confidence).toBe(0);
      expect(trait.lower_bound).toBeCloseTo(0.025, 4);
      expect(trait.upper_bound).toBeCloseTo(0.975, 4);
    }
  });

  test('has scores between their bounds, and all numbers between 0 and 1', () => {
    for (const answers of simulateAssessments(5)) {
      const vector = computeTraitVector(answers);
      for (const { score, confidence, lower_bound, upper_bound } of vector.traits) {
        const values = [0, lower_bound, score, upper_bound, 1];
        expect(values).toEqual(values.toSorted((one, other) => one - other));
        expect(confidence).toBeGreaterThan(0.6);
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
  test('is standard normal in all twenty slots before any answer', () => {
    const { mean, variance } = computeLatentVector([]);
    expect(mean).toHaveLength(20);
    for (const slot of traitCodes.keys()) {
      expect(mean[slot]).toBeCloseTo(0, 12);
      expect(variance[slot]).toBeCloseTo(1, 12);
    }
  });

  test('has variances above 0 and up to 1, and the means of the continuous traits in their slots', () => {
    for (const answers of simulateAssessments(5)) {
      const { mean, variance } = computeLatentVector(answers);
      const posterior = computePosterior(answers);
      for (const value of variance) expect(value > 0 && value <= 1).toBe(true);
      for (const [index, trait] of continuousTraits.entries())
        expect(mean[toTraitSlot(trait)]).toBe(posterior.mean[index]);
    }
  });

  test('is high in a categorical slot for the ways of acting that it represents, and low for the others', () => {
    for (const trait of categoricalTraitCodes) {
      const slot = toTraitSlot(trait);
      const inside = computeLatentVector(chooseOptions(trait, true));
      const outside = computeLatentVector(chooseOptions(trait, false));
      expect(inside.mean[slot]).toBeGreaterThan(0.5);
      expect(outside.mean[slot]).toBeLessThan(-0.5);
      expect(inside.variance[slot]).toBeLessThan(0.8);
    }
  });
});

function computeCategoricalPosteriors(answers: readonly Answer[]) {
  return categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers));
}

function computeTraitVector(answers: readonly Answer[]) {
  return buildTraitVector(computePosterior(answers), computeCategoricalPosteriors(answers));
}

function computeLatentVector(answers: readonly Answer[]) {
  return buildLatentVector(computePosterior(answers), computeCategoricalPosteriors(answers));
}

function simulateAssessments(count: number): Answer[][] {
  const random = createSeededRandom(12);
  return Array.from({ length: count }, (_, index) =>
    simulateAssessment(simulateMember(random), `vector-${index}`, random),
  );
}

/** Chooses in every scenario an option inside or outside the group that the slot represents. */
function chooseOptions(trait: CategoricalTrait, inside: boolean): Answer[] {
  return listScenarios(trait).map((scenario) => ({
    item_id: scenario.id,
    option: scenario.options.findIndex(({ value }) => slotValues[trait].includes(value) === inside),
  }));
}
