import * as fc from 'fast-check';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import {
  createPopulation,
  defaultMemberTerms,
  upsertMember,
  type Population,
} from '../../src/modules/matching/engine/population.ts';
import { openScanner, type Scanner } from '../../src/modules/matching/engine/scanner.ts';
import type { MemberSource } from '../../src/modules/matching/engine/shortlist.ts';
import type { JobTerms, MemberTerms } from '../../src/modules/matching/engine/terms.ts';
import type { ReferenceMember } from './reference-engine.ts';

export { openTerms } from '../../src/modules/matching/engine/terms.ts';

/* Random populations and jobs for the property tests of the matching engine. */

/** Means within the bound and variances of a posterior, as 32-bit floats, so that the population and the reference have the same numbers. */
export const arbitraryVector = fc.record({
  mean: buildArbitraryNumbers(fc.float({ min: -3, max: 3, noNaN: true })),
  variance: buildArbitraryNumbers(fc.float({ min: 0, max: 1, noNaN: true })),
});

/** Few distinct values, so that many scores are equal. */
export const arbitraryTiedVector = fc.record({
  mean: buildArbitraryNumbers(fc.constantFrom(-1, 0, 1)),
  variance: buildArbitraryNumbers(fc.constantFrom(0.25, 1)),
});

/** At least one trait. Some priorities are zero, and the largest is above zero. */
export const arbitraryPriorities: fc.Arbitrary<TraitPriorities> = fc
  .dictionary(fc.constantFrom(...traitCodes), fc.double({ min: 0, max: 1, noNaN: true }), { minKeys: 1 })
  .filter((priorities) => Math.max(...Object.values(priorities)) > 0.001);

/** 24 integers from 0 to 127, with many zeros. The value slots have weights, too, which must have no effect. */
export const arbitraryWeights = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 127 })), {
  minLength: 24,
  maxLength: 24,
});

/** Terms of a job, with few distinct values, so that jobs and members are often compatible. */
export const arbitraryJobTerms: fc.Arbitrary<JobTerms> = fc.record({
  clearance_required: fc.constantFrom('none', 'baseline', 'positive_vetting'),
  remote_policy: fc.constantFrom('onsite', 'hybrid', 'remote'),
  constraints: fc.record(
    {
      location_countries: fc.subarray(['AU', 'NZ', 'DE'], { minLength: 1 }),
      location_states: fc.subarray(['NSW', '7', 'VIC'], { minLength: 1 }),
      years_experience_min: fc.constantFrom(0, 5, 40, 80),
      education_level_min: fc.constantFrom('none', 'diploma', 'doctorate'),
    },
    { requiredKeys: [] },
  ),
  salary_min: fc.constantFrom(null, 0, 50_000),
  salary_max: fc.constantFrom(null, 50_000, 60_000, 1_000_000_000),
  salary_currency: fc.constantFrom('AUD', 'EUR'),
  values: buildArbitraryValues(),
});

/** Terms of a member. */
export const arbitraryMemberTerms: fc.Arbitrary<MemberTerms> = fc.record({
  clearance_held: fc.constantFrom('none', 'baseline', 'positive_vetting'),
  remote_policies: fc.option(fc.shuffledSubarray(['onsite', 'hybrid', 'remote'], { minLength: 1 })),
  location_country: fc.constantFrom(null, 'AU', 'NZ'),
  location_state: fc.constantFrom(null, 'NSW', '7'),
  years_experience: fc.constantFrom(null, 0, 6, 41, 80),
  education_level: fc.constantFrom(null, 'none', 'masters', 'doctorate'),
  salary_min: fc.constantFrom(null, 0, 49_999, 50_001, 61_000),
  salary_currency: fc.constantFrom('AUD', 'EUR'),
  values: buildArbitraryValues(),
});

function buildArbitraryValues() {
  const points = fc.integer({ min: 0, max: 100 });
  return fc.option(fc.record({ clan: points, adhocracy: points, market: points, hierarchy: points }));
}

/** Creates members with ascending ids in the given order, and their population. */
export function createTestPopulation(vectors: readonly MemberData[], { plain = false } = {}): TestPopulation {
  const members = vectors.map(({ terms = defaultMemberTerms, ...vector }, index) => ({
    member_id: formatMemberId(index),
    terms,
    ...vector,
  }));
  const population = createPopulation();
  for (const member of members) upsertMember(population, member.member_id, member);
  const scanner = openScanner(population, { plain });
  return { members, population, scanner, runExclusively: (work) => work(scanner) };
}

type MemberData = Omit<ReferenceMember, 'member_id'> & { readonly terms?: MemberTerms };

type TestPopulation = MemberSource & {
  readonly members: readonly (ReferenceMember & { readonly terms: MemberTerms })[];
  readonly population: Population;
  readonly scanner: Scanner;
};

/** Formats the id of the member with this index. Ids have the same order as indexes. */
export function formatMemberId(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** Creates `size` members with independent traits, measured with a standard error of 0.3 to 0.7. Their means are shrunk accordingly. */
export function createNormalPopulation(size: number, seed: number): TestPopulation {
  const drawNormal = createNormalGenerator(seed);
  const vectors = Array.from({ length: size }, () => {
    const variance = traitCodes.map(() => Math.fround(0.09 + 0.4 * Math.min(1, Math.abs(drawNormal()) / 2)));
    return {
      variance,
      mean: variance.map((variance) => Math.fround(drawNormal() * Math.sqrt(1 - variance))),
    };
  });
  return createTestPopulation(vectors);
}

function buildArbitraryNumbers(number: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  return fc.array(number, { minLength: 20, maxLength: 20 });
}

/** Creates a generator of roughly standard normal numbers: sums of twelve uniform numbers from a linear congruential generator (constants of Numerical Recipes). */
function createNormalGenerator(seed: number): () => number {
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
