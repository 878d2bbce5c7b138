import * as fc from 'fast-check';
import { traitCodes } from '#modules/traits';
import type { OracleMember } from './oracle.ts';
import { createPopulation, upsertMember, type Population } from './population.ts';
import type { TraitPriorities } from '#modules/traits';

/* Random populations and jobs for the property tests of this folder. */

/** Means within the bound and variances of a posterior, as 32-bit floats, so that the population and the oracle hold the same numbers. */
export const arbitraryVector = fc.record({
  mean: numbers(fc.float({ min: -3, max: 3, noNaN: true })),
  variance: numbers(fc.float({ min: 0, max: 1, noNaN: true })),
});

/** Few distinct values, so that scores tie. */
export const arbitraryTiedVector = fc.record({
  mean: numbers(fc.constantFrom(-1, 0, 1)),
  variance: numbers(fc.constantFrom(0.25, 1)),
});

/** At least one trait, some of them zero, the largest above zero. */
export const arbitraryPriorities: fc.Arbitrary<TraitPriorities> = fc
  .dictionary(fc.constantFrom(...traitCodes), fc.double({ min: 0, max: 1, noNaN: true }), { minKeys: 1 })
  .filter((priorities) => Math.max(...Object.values(priorities)) > 0.001);

/** 24 integers from 0 to 127, with many zeros; the value slots are weighted too, and must not matter. */
export const arbitraryWeights = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 127 })), {
  minLength: 24,
  maxLength: 24,
});

/** Members with ids in the order given, and the population that holds them. */
export function populate(vectors: readonly Omit<OracleMember, 'member_id'>[]): {
  readonly members: readonly OracleMember[];
  readonly population: Population;
} {
  const members = vectors.map((vector, index) => ({
    member_id: `m${String(index).padStart(6, '0')}`,
    ...vector,
  }));
  const population = createPopulation();
  for (const { member_id, mean, variance } of members) upsertMember(population, member_id, mean, variance);
  return { members, population };
}

/** `size` members whose true traits are independent, measured with a standard error of 0.3 to 0.7: means are shrunk accordingly. */
export function normalPopulation(size: number, seed: number): ReturnType<typeof populate> {
  const next = normalNumbers(seed);
  const vectors = Array.from({ length: size }, () => {
    const variance = traitCodes.map(() => Math.fround(0.09 + 0.4 * Math.min(1, Math.abs(next()) / 2)));
    return { variance, mean: variance.map((variance) => Math.fround(next() * Math.sqrt(1 - variance))) };
  });
  return populate(vectors);
}

function numbers(of: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  return fc.array(of, { minLength: 20, maxLength: 20 });
}

/** Roughly standard normal numbers: the sum of twelve uniform ones of a linear congruential generator (Numerical Recipes' constants). */
function normalNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    let sum = -6;
    for (let draw = 0; draw < 12; draw += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      sum += state / 2 ** 32;
    }
    return sum;
  };
}
