import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInNorms } from '#modules/measurement/traits';
import {
  arbitraryJobTerms,
  arbitraryMemberTerms,
  arbitraryPriorities,
  arbitraryTiedVector,
  arbitraryVector,
  formatMemberId,
} from '#test/modules/random-population.ts';
import { computeFitWeights } from './fit.ts';
import { canEnterList } from './list-end.ts';
import {
  addUpStakes,
  compareMembers,
  createPackedJobs,
  hasCompatibleJob,
  measurePackedJob,
  removeJob,
  upsertJob,
} from './packed-jobs.ts';
import { measureMatch } from './shortlist.ts';
import { areCompatible } from './terms.ts';
import { computeTraitStakes } from './trait-stakes.ts';

const arbitraryJobs = fc.array(
  fc.record({
    trait_priorities: arbitraryPriorities,
    terms: arbitraryJobTerms,
    end: fc.option(
      fc.record({ tier: fc.integer({ min: 0, max: 3 }), suitability: fc.integer({ min: -100, max: 250 }) }),
    ),
  }),
  { maxLength: 30 },
);
const arbitraryMembers = fc.array(
  fc.record({ vector: fc.oneof(arbitraryVector, arbitraryTiedVector), terms: arbitraryMemberTerms }),
  { maxLength: 6 },
);

function buildWorld(
  drawnJobs: readonly (typeof arbitraryJobs extends fc.Arbitrary<infer Jobs> ? Jobs : never)[number][],
  drawnMembers: readonly (typeof arbitraryMembers extends fc.Arbitrary<infer Members>
    ? Members
    : never)[number][],
) {
  const jobs = drawnJobs.map(({ trait_priorities, terms, end }, place) => ({
    id: `job ${place}`,
    org_id: `organisation ${place % 3}`,
    version: place,
    terms: { ...terms, values: null },
    end,
    weights: computeFitWeights(trait_priorities, builtInNorms),
  }));
  const members = drawnMembers.map(({ vector, terms }, place) => ({
    ...vector,
    member_id: formatMemberId(place),
    terms,
  }));
  const packed = createPackedJobs();
  for (const { weights, ...job } of jobs) upsertJob(packed, job, weights);
  return { jobs, members, packed };
}

test('a comparison with all jobs finds exactly the jobs, labels and best five that measuring every pair gives', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryJobs, arbitraryMembers, async (drawnJobs, drawnMembers) => {
      const { jobs, members, packed } = buildWorld(drawnJobs, drawnMembers);
      const leftOut = new Set(['organisation 2']);
      const comparisons = await compareMembers(packed, members, leftOut);
      for (const [place, member] of members.entries()) {
        const measured = jobs
          .filter(({ org_id, terms }) => !leftOut.has(org_id) && areCompatible(terms, member.terms))
          .map((job) => ({ id: job.id, end: job.end, match: measureMatch(member, job) }));
        const { found, best } = comparisons[place]!;
        expect(found.map(({ id, match }) => ({ id, match }))).toEqual(
          measured
            .filter(({ match }) => match.fit.mean > 0 && match.quality !== 'developing')
            .filter(({ match, end }) => end === null || canEnterList(end, match))
            .map(({ id, match }) => ({ id, match })),
        );
        expect(best.map(({ id }) => id)).toEqual(
          measured
            .toSorted((one, other) => other.match.choice - one.match.choice)
            .slice(0, 5)
            .map(({ id }) => id),
        );
        expect(hasCompatibleJob(packed, member.terms, leftOut)).toBe(measured.length > 0);
        const stakes = computeTraitStakes(
          measured.map(({ id, match }) => ({
            weights: jobs.find((job) => job.id === id)!.weights,
            fit: match.fit,
          })),
        );
        for (const [slot, stake] of (await addUpStakes(packed, member, leftOut)).entries())
          expect(stake).toBeCloseTo(stakes[slot]!, 9);
      }
    }),
  );
});

test('jobs that are removed or replaced leave the others as they are', () => {
  fc.assert(
    fc.property(arbitraryJobs, arbitraryMembers, fc.array(fc.nat(29)), (drawnJobs, drawnMembers, removed) => {
      const { jobs, members, packed } = buildWorld(drawnJobs, drawnMembers);
      for (const place of removed) removeJob(packed, `job ${place}`);
      const replaced = jobs.map((job, place) => (place % 4 === 0 ? { ...job, version: 99 } : job));
      for (const { weights, ...job } of replaced)
        if (job.version === 99 && packed.positions.has(job.id)) upsertJob(packed, job, weights);
      for (const job of replaced) {
        const isRemoved = removed.includes(Number(job.id.slice(4)));
        for (const member of members) {
          const found = measurePackedJob(packed, member, job.id);
          expect(found?.match).toEqual(isRemoved ? undefined : measureMatch(member, job));
          expect(found?.version).toBe(isRemoved ? undefined : job.version);
        }
      }
      expect(packed.jobs).toHaveLength(jobs.length - new Set(removed.filter((place) => jobs[place])).size);
    }),
  );
});
