import * as fc from 'fast-check';
import { traitCodes } from '#modules/traits';
import type { ReferenceMember } from './reference-engine.ts';
import { openScanner, type Scanner } from '../../src/modules/matching/engine/scanner.ts';
import {
  createPopulation,
  defaultMemberTerms,
  upsertMember,
  type Population,
} from '../../src/modules/matching/engine/population.ts';
import type { JobTerms, MemberTerms } from '../../src/modules/matching/engine/terms.ts';
import type { MemberSource } from '../../src/modules/matching/engine/shortlist.ts';
import type { TraitPriorities } from '#modules/traits';

/* Random populations and jobs for the property tests of this folder. */

/** Means within the bound and variances of a posterior, as 32-bit floats, so that the population and the oracle hold the same numbers. */
export const arbitraryVector = fc.record({
  mean: buildArbitraryNumbers(fc.float({ min: -3, max: 3, noNaN: true })),
  variance: buildArbitraryNumbers(fc.float({ min: 0, max: 1, noNaN: true })),
});

/** Few distinct values, so that scores tie. */
export const arbitraryTiedVector = fc.record({
  mean: buildArbitraryNumbers(fc.constantFrom(-1, 0, 1)),
  variance: buildArbitraryNumbers(fc.constantFrom(0.25, 1)),
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

/** A job that asks for nothing but traits. */
export const openTerms: JobTerms = {
  clearance_required: 'none',
  remote_policy: 'hybrid',
  constraints: {},
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  values: null,
};

/** Conditions of a job, few values of each, so that both sides meet. */
export const arbitraryJobTerms: fc.Arbitrary<JobTerms> = fc
  .record({
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
  })
  .map((terms) => terms as JobTerms);

/** What a member has and wants. */
export const arbitraryMemberTerms: fc.Arbitrary<MemberTerms> = fc
  .record({
    clearance_held: fc.constantFrom('none', 'baseline', 'positive_vetting'),
    remote_policies: fc.option(fc.shuffledSubarray(['onsite', 'hybrid', 'remote'], { minLength: 1 })),
    location_country: fc.constantFrom(null, 'AU', 'NZ'),
    location_state: fc.constantFrom(null, 'NSW', '7'),
    years_experience: fc.constantFrom(null, 0, 6, 41, 80),
    education_level: fc.constantFrom(null, 'none', 'masters', 'doctorate'),
    salary_min: fc.constantFrom(null, 0, 49_999, 50_001, 61_000),
    salary_currency: fc.constantFrom('AUD', 'EUR'),
    values: buildArbitraryValues(),
  })
  .map((terms) => terms as MemberTerms);

function buildArbitraryValues() {
  const points = fc.integer({ min: 0, max: 100 });
  return fc.option(fc.record({ clan: points, adhocracy: points, market: points, hierarchy: points }));
}

/** Members with ids in the order given, the population that holds them, and what reads them in full. */
export function createTestPopulation(
  vectors: readonly GivenMember[],
  { plain = false } = {},
): TestPopulation {
  const members = vectors.map(({ terms = defaultMemberTerms, ...vector }, index) => ({
    member_id: formatMemberId(index),
    terms,
    ...vector,
  }));
  const population = createPopulation();
  for (const member of members) upsertMember(population, member.member_id, member);
  const scanner = openScanner(population, { plain });
  const byId = new Map(members.map((member) => [member.member_id, member]));
  return {
    members,
    population,
    scanner,
    runExclusively: (work) => work(scanner),
    readMembers: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
  };
}

type GivenMember = Omit<ReferenceMember, 'member_id'> & { readonly terms?: MemberTerms };

type TestPopulation = MemberSource & {
  readonly members: readonly (ReferenceMember & { readonly terms: MemberTerms })[];
  readonly population: Population;
  readonly scanner: Scanner;
};

/** The id of the member that was given in this place: ids stand in the same order. */
export function formatMemberId(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** `size` members whose true traits are independent, measured with a standard error of 0.3 to 0.7: means are shrunk accordingly. */
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

function buildArbitraryNumbers(of: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  return fc.array(of, { minLength: 20, maxLength: 20 });
}

/** Roughly standard normal numbers: the sum of twelve uniform ones of a linear congruential generator (Numerical Recipes' constants). */
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
