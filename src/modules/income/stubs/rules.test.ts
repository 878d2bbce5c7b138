import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continuousTraits } from '#modules/measurement/traits';
import {
  chooseBand,
  computePosterior,
  observationConfidences,
  observationLevels,
  sumObservations,
  variance_min,
} from './rules.ts';

const observation = fc.record({
  trait: fc.constantFrom(...continuousTraits),
  level: fc.constantFrom(...observationLevels),
  confidence: fc.constantFrom(...observationConfidences),
});

test('observations never make a stub look as certain as an assessment, nor more extreme than they are', () => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 300 }), (observations) => {
      const { mean, variance } = computePosterior(sumObservations(observations));
      for (const [index, trait] of continuousTraits.entries()) {
        const isObserved = observations.some((each) => each.trait === trait);
        expect(variance[index]).toBeGreaterThanOrEqual(variance_min - 1e-9);
        expect(variance[index]! < 1).toBe(isObserved);
        expect(Math.abs(mean[index]!)).toBeLessThanOrEqual(1.5);
        expect(isObserved || mean[index] === 0).toBe(true);
      }
    }),
  );
});

test('observations in one call or in several lead to the same', () => {
  fc.assert(
    fc.property(fc.array(observation), (observations) => {
      const all = sumObservations(observations);
      const single = observations.flatMap((each) => sumObservations([each]));
      for (const { trait, weight, weighted_sum, count } of all) {
        const own = single.filter((each) => each.trait === trait);
        expect(own.reduce((sum, each) => sum + each.weight, 0)).toBeCloseTo(weight);
        expect(own.reduce((sum, each) => sum + each.weighted_sum, 0)).toBeCloseTo(weighted_sum);
        expect(own).toHaveLength(count);
      }
    }),
  );
});

test('the band follows from the number of traits', () => {
  expect([0, 1, 5, 6, 14, 15, 18].map(chooseBand)).toEqual([
    'Unknown',
    'Emerging',
    'Emerging',
    'Known',
    'Known',
    'Attuned',
    'Attuned',
  ]);
});
