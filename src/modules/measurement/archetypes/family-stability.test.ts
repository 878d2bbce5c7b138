import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignArchetype } from './assignment.ts';
import { computeFamilyProbabilities, toCertainty } from './family-stability.ts';
import { archetypeTemplates } from './templates.ts';

const fillSlots = (value: number) => Array<number>(20).fill(value);
const probability = fc.double({ min: 0, max: 1, noNaN: true });
const vectors = fc.record({
  mean: fc.array(
    fc.integer({ min: -3_000, max: 3_000 }).map((thousandths) => thousandths / 1_000),
    {
      minLength: 20,
      maxLength: 20,
    },
  ),
  variance: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
});

describe('the probabilities of the families', () => {
  test('sum to 1 and are the same for the same vector', () => {
    fc.assert(
      fc.property(vectors, (vector) => {
        const probabilities = computeFamilyProbabilities(vector);
        const sum = Object.values(probabilities).reduce((total, each) => total + each, 0);
        expect(sum).toBeCloseTo(1, 9);
        expect(computeFamilyProbabilities(structuredClone(vector))).toEqual(probabilities);
      }),
      { numRuns: 30 },
    );
  });

  test('are 1 for the family of the nearest archetype if the traits are known exactly', () => {
    fc.assert(
      fc.property(vectors, ({ mean }) => {
        fc.pre(mean.some((each) => each !== 0));
        const exact = { mean, variance: fillSlots(0) };
        const { family } = assignArchetype(exact).template;
        expect(computeFamilyProbabilities(exact)[family]).toBeCloseTo(1, 9);
      }),
      { numRuns: 30 },
    );
  });

  test('fall with the precision of the measurement', () => {
    for (const { vector, family } of archetypeTemplates) {
      const [precise, imprecise] = [0.05, 0.5].map(
        (variance) => computeFamilyProbabilities({ mean: vector, variance: fillSlots(variance) })[family],
      );
      expect(precise!).toBeGreaterThan(imprecise!);
    }
  });
});

test('the certainty is a label of the probability, which never falls as the probability rises', () => {
  expect([1, 0.8, 0.79, 0.7, 0.69, 0].map((probability) => toCertainty(probability))).toEqual([
    'high',
    'high',
    'medium',
    'medium',
    'low',
    'low',
  ]);
  const order = ['low', 'medium', 'high'];
  fc.assert(
    fc.property(probability, probability, (one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      expect(order.indexOf(toCertainty(more))).toBeGreaterThanOrEqual(order.indexOf(toCertainty(less)));
    }),
  );
});

test('a vector of which nothing is known has equally probable families, and one that is known for certain has one, of exactly 1', () => {
  const build = (mean: number, spread: number) => ({
    mean: fillSlots(mean),
    variance: fillSlots(spread),
  });
  expect(Object.values(computeFamilyProbabilities(build(0, 1)))).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(Math.max(...Object.values(computeFamilyProbabilities(build(1, 0))))).toBe(1);
});
