import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInNorms } from '#modules/measurement/traits';
import {
  arbitraryJobTerms,
  arbitraryMemberTerms,
  arbitraryPriorities,
  arbitraryTiedVector,
  arbitraryVector,
  createTestPopulation,
  openTerms,
} from '#test/modules/random-population.ts';
import { computeFitWeights } from './fit.ts';
import { computeLeastListedBound, findListEnd, canEnterList } from './list-end.ts';
import { matchJobs, measureMatch } from './shortlist.ts';
import { areCompatible } from './terms.ts';
import { computeLowerBound } from './tiers.ts';

const arbitraryMembers = fc.array(
  fc
    .record({ vector: fc.oneof(arbitraryVector, arbitraryTiedVector), terms: arbitraryMemberTerms })
    .map(({ vector, terms }) => ({ ...vector, terms })),
  { minLength: 1, maxLength: 40 },
);

/** Most members must be compatible with the job, or no list is full. */
const arbitraryTerms = fc.oneof(
  arbitraryJobTerms,
  arbitraryJobTerms.map(({ values }) => ({ ...openTerms, values })),
);

test('everybody on a full list reaches its end, including lists by the values of the organisation, and has at least the bound that is tried first', async () => {
  let full = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitraryMembers,
      arbitraryPriorities,
      arbitraryTerms,
      fc.integer({ min: 1, max: 5 }),
      async (drawn, trait_priorities, terms, limit) => {
        const source = createTestPopulation(drawn);
        const job = { trait_priorities, terms, norms: builtInNorms };
        const [list] = await matchJobs(source, [job], { limit });
        const end = findListEnd(list!, limit);
        expect(end === null).toBe(list!.length < limit);
        if (end === null) return;
        full += 1;
        const weights = computeFitWeights(trait_priorities, builtInNorms);
        const listed = new Set(list!.map(({ member_id }) => member_id));
        for (const member of source.members.filter((each) => areCompatible(terms, each.terms))) {
          // As a computation of the member measures it.
          const match = measureMatch(member, { weights, terms: { ...terms, values: null } });
          const reaches = canEnterList(end, match);
          expect(reaches || !listed.has(member.member_id)).toBe(true);
          const bound = computeLowerBound(match.fit.mean, match.fit.sd, weights.shared_sd);
          const isTried = bound >= computeLeastListedBound(end) - 1e-9;
          expect(isTried || !reaches || match.quality === 'developing').toBe(true);
        }
      },
    ),
  );
  expect(full).toBeGreaterThan(10);
});

test('a member whom the job suits a tenth of a deviation less than the last one of the same tier does not reach the end', () => {
  const end = { tier: 1, suitability: 112 };
  expect(canEnterList(end, { quality: 'strong', suitability: 112 })).toBe(true);
  expect(canEnterList(end, { quality: 'strong', suitability: 102 })).toBe(false);
  expect(canEnterList(end, { quality: 'exceptional', suitability: 90 })).toBe(true);
  expect(canEnterList(end, { quality: 'moderate', suitability: 130 })).toBe(false);
});
