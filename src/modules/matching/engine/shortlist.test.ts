import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  builtInNorms,
  toTraitSlot,
  type TraitNorms,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { fillMeans, fillSlots } from '#test/modules/matching.ts';
import {
  arbitraryJobTerms,
  arbitraryMemberTerms,
  arbitraryPriorities,
  arbitraryTiedVector,
  arbitraryVector,
  createNormalPopulation,
  createTestPopulation,
  formatMemberId,
  openTerms,
} from '#test/modules/random-population.ts';
import {
  computeReferenceBound,
  computeReferenceFit,
  computeReferenceMatchIds,
  computeReferenceTier,
  type ReferenceMember,
} from '#test/modules/reference-engine.ts';
import { computeFitWeights } from './fit.ts';
import { readId } from './member-ids.ts';
import { defaultMemberTerms } from './population.ts';
import {
  matchJobs,
  shortlistLimits,
  type JobMatch,
  type MatchedJob,
  type MemberSource,
} from './shortlist.ts';
import { quantiseWeights } from './slots.ts';
import { areCompatible, computeReluctance, type JobTerms, type MemberTerms } from './terms.ts';
import { computeLowerBound, computeRetestProbability, matchQualities, toConfidenceLevel } from './tiers.ts';
import { findTopMembers } from '#test/modules/find-top-members.ts';

async function matchJob(members: MemberSource, job: MatchedJob, options: { readonly limit?: number } = {}) {
  const [matches] = await matchJobs(members, [job], options);
  return matches!;
}

const nurse: TraitPriorities = {
  pressure_response: 0.8,
  recovery_resilience: 0.5,
  collaborative_orientation: 0.73,
  empathic_attunement: 1,
  accountability: 0.64,
  discretion: 0.31,
};

const createJob = (trait_priorities: TraitPriorities, terms: JobTerms = openTerms): MatchedJob => ({
  trait_priorities,
  norms: builtInNorms,
  terms,
});

/** Norms without a shared error. */
const exactNorms: TraitNorms = { ...builtInNorms, shared_errors: fillSlots(0) };

/** Norms that differ from the built-in ones in all correlations, and in the shared errors. */
const plantedNorms: TraitNorms = {
  correlations: builtInNorms.correlations.map((row, slot) =>
    row.map((_, column) => (slot === column ? 1 : slot % 2 === column % 2 ? 0.7 : 0.3)),
  ),
  shared_errors: fillSlots(0).map((_, slot) => 0.05 * (slot % 5)),
};

function listBounds(
  matches: readonly JobMatch[],
  priorities: TraitPriorities,
  norms = builtInNorms,
): number[] {
  const { shared_sd } = computeFitWeights(priorities, norms);
  return matches.map(({ fit }) => computeLowerBound(fit.mean, fit.sd, shared_sd));
}

function listReferenceBounds(
  members: readonly ReferenceMember[],
  priorities: TraitPriorities,
  limit: number,
): number[] {
  const byId = new Map(members.map((member) => [member.member_id, member]));
  return computeReferenceMatchIds(members, priorities, limit)
    .map((id) => computeReferenceFit(byId.get(id)!, priorities))
    .map(computeReferenceBound);
}

/** Computes tiers and choices over the whole population with the terms of both sides, in order; at most 200 developing. */
function listReferenceChoices(
  members: Awaited<ReturnType<typeof createTestPopulation>>['members'],
  { trait_priorities, terms }: MatchedJob,
  limit: number,
): readonly { readonly tier: string; readonly choice: number }[] {
  const ranked = members
    .filter((member) => areCompatible(terms, member.terms))
    .map((member) => ({ member, ...computeReferenceFit(member, trait_priorities) }))
    .filter(({ mean }) => mean > 0)
    .map(({ member, ...fit }) => ({
      tier: computeReferenceTier(fit),
      choice: computeReferenceBound(fit) - computeReluctance(terms, member.terms),
    }))
    .sort(
      (a, b) =>
        matchQualities.findIndex((tier) => tier === a.tier) -
          matchQualities.findIndex((tier) => tier === b.tier) || b.choice - a.choice,
    )
    .slice(0, limit);
  const first = ranked.findIndex(({ tier }) => tier === 'developing');
  return first === -1 ? ranked : ranked.slice(0, first + shortlistLimits.developing);
}

describe('the matches of a job', () => {
  it('are exactly the best by lower bound, for any members, job and limit', async () => {
    const vectors = fc.array(fc.oneof(arbitraryVector, arbitraryTiedVector), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        vectors,
        arbitraryPriorities,
        fc.integer({ min: 0, max: 20 }),
        async (vectors, priorities, limit) => {
          const populated = createTestPopulation(vectors);
          const { members } = populated;
          // A fit of zero up to rounding may count as above average or not.
          fc.pre(members.every((member) => Math.abs(computeReferenceFit(member, priorities).mean) > 1e-9));
          // Compared by bounds, because two members whose bounds differ by a rounding error may have either order.
          const found = listBounds(await matchJob(populated, createJob(priorities), { limit }), priorities);
          const expected = listReferenceBounds(members, priorities, limit);
          expect(found).toHaveLength(expected.length);
          for (const [index, bound] of expected.entries()) expect(found[index]).toBeCloseTo(bound, 9);
        },
      ),
    );
  });

  it('are exactly the best compatible members, by tier and then by choice, for any terms of both sides', async () => {
    const member = fc
      .record({ vector: arbitraryVector, terms: arbitraryMemberTerms })
      .map(({ vector, terms }) => ({ ...vector, terms }));
    const lenient = arbitraryJobTerms.map((terms) => ({
      ...terms,
      clearance_required: 'none' as const,
      constraints: {},
    }));
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { maxLength: 60 }),
        arbitraryPriorities,
        fc.oneof(arbitraryJobTerms, lenient),
        fc.integer({ min: 1, max: 20 }),
        async (vectors, priorities, terms, limit) => {
          // A fit of zero up to rounding may count as above average or not.
          const clear = vectors.filter(
            (vector) => Math.abs(computeReferenceFit({ member_id: '', ...vector }, priorities).mean) > 1e-9,
          );
          const populated = createTestPopulation(clear);
          const { members } = populated;
          const found = await matchJob(populated, createJob(priorities, terms), { limit });
          const expected = listReferenceChoices(members, createJob(priorities, terms), limit);
          expect(found.map(({ quality }) => quality)).toEqual(expected.map(({ tier }) => tier));
          for (const [index, { choice }] of expected.entries())
            expect(found[index]!.choice).toBeCloseTo(choice, 9);
          compared += expected.length;
        },
      ),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(20);
  });

  it('are exactly the best of a large population, although only few records are read', async () => {
    const populated = createNormalPopulation(20_000, 7);
    let read = 0;
    const { records } = populated.population;
    const numbers = new Proxy(records.numbers, {
      get: (pieces, name) => {
        if (Number.isInteger(Number(name))) read += 1;
        return Reflect.get(pieces, name) as unknown;
      },
    });
    const counting: MemberSource = {
      runExclusively: (work) =>
        work({
          ...populated.scanner,
          population: { ...populated.population, records: { ...records, numbers } },
        }),
    };
    for (const limit of [1, 40, 400]) {
      const matches = await matchJob(counting, createJob(nurse), { limit });
      expect(matches.map((match) => match.member_id)).toEqual(
        computeReferenceMatchIds(populated.members, nurse, limit),
      );
    }
    expect(read).toBeLessThan(4_000);
  });

  it('include members of a low rank if only few members pass the filter', async () => {
    const { members: plain } = createNormalPopulation(20_000, 21);
    const buildTerms = (index: number): MemberTerms =>
      index % 500 === 0 ? { ...defaultMemberTerms, clearance_held: 'positive_vetting' } : defaultMemberTerms;
    const populated = createTestPopulation(
      plain.map((member, index) => ({ ...member, terms: buildTerms(index) })),
    );
    const cleared = populated.members.filter((_, index) => index % 500 === 0);
    const restrictedJob = createJob(nurse, { ...openTerms, clearance_required: 'negative_vetting_2' });
    const ids = (await matchJob(populated, restrictedJob, { limit: 15 })).map((match) => match.member_id);
    expect(ids).toEqual(computeReferenceMatchIds(cleared, nurse, 15));
  });

  it('are the same for many jobs in one pass as for each job alone', async () => {
    const populated = createNormalPopulation(3_000, 23);
    const jobs = fc.sample(arbitraryPriorities, { numRuns: 12, seed: 5 }).map((each) => createJob(each));
    const together = await matchJobs(populated, jobs, { limit: 30 });
    for (const [index, each] of jobs.entries())
      expect(together[index]).toEqual(await matchJob(populated, each, { limit: 30 }));
  });

  it('have the scale and the shared error of the norms in use, not of the built-in ones', async () => {
    const vectors = fc.array(arbitraryVector, { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(vectors, arbitraryPriorities, async (some, priorities) => {
        const populated = createTestPopulation(some);
        const fits = populated.members.map((member) => ({
          member_id: member.member_id,
          ...computeReferenceFit(member, priorities, plantedNorms),
        }));
        fc.pre(fits.every(({ mean }) => Math.abs(mean) > 1e-9));
        const found = await matchJob(populated, { ...createJob(priorities), norms: plantedNorms });
        const expected = fits.filter(({ mean }) => mean > 0);
        expect(found.length).toBe(expected.length);
        for (const { member_id, fit, quality } of found) {
          const reference = expected.find((each) => each.member_id === member_id)!;
          expect(fit.mean).toBeCloseTo(reference.mean, 9);
          expect(quality).toBe(computeReferenceTier(reference));
        }
        const bounds = listBounds(found, priorities, plantedNorms);
        expect(bounds).toEqual(bounds.toSorted((one, other) => other - one));
      }),
    );
    const [planted, builtIn] = [plantedNorms, builtInNorms].map((norms) =>
      computeFitWeights(nurse, norms).effects.map(Math.abs),
    );
    expect(Math.max(...planted!) / Math.max(...builtIn!)).not.toBeCloseTo(1, 1);
  });

  it('are correct if all members are equal and therefore found', async () => {
    const vector = {
      mean: Array.from({ length: 20 }, () => 1),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    const populated = createTestPopulation(Array.from({ length: 3_000 }, () => vector));
    const ids = (await matchJob(populated, createJob(nurse), { limit: 10 })).map((match) => match.member_id);
    expect(ids).toEqual(populated.members.slice(0, 10).map(({ member_id }) => member_id));
  });

  it('contain the best member even if others are ahead of it after rounding', async () => {
    const perFit = fillMeans(1)[toTraitSlot('persistence')]!;
    const buildMember = (mean: number, variance: number): Omit<ReferenceMember, 'member_id'> => ({
      mean: fillMeans(mean / perFit),
      variance: fillSlots(variance),
    });
    // The relative means are rounded to 32 and 33 steps. The members with the higher mean are slightly less certain, so their bound is lower.
    const populated = createTestPopulation([
      buildMember(1.0157, 7e-7),
      buildMember(1.0157, 7e-7),
      buildMember(1.0155, 0),
    ]);
    const [best] = await matchJob(
      populated,
      { ...createJob({ persistence: 1 }), norms: exactNorms },
      { limit: 1 },
    );
    expect(best?.member_id).toBe(formatMemberId(2));
  });

  it('have the tier and the confidence level of their fit', async () => {
    const { shared_sd } = computeFitWeights(nurse, builtInNorms);
    for (const { fit, quality, confidence_level } of await matchJob(
      createNormalPopulation(500, 11),
      createJob(nurse),
    )) {
      expect(quality).toBe(computeReferenceTier({ ...fit, shared_sd }));
      expect(confidence_level).toBe(toConfidenceLevel(computeRetestProbability(fit.mean, fit.sd, shared_sd)));
    }
  });

  it('contain only members with a fit above average', async () => {
    const some = await matchJob(createNormalPopulation(300, 13), createJob(nurse));
    expect(some.every((match) => match.fit.mean > 0)).toBe(true);
    const below = {
      mean: Array.from({ length: 20 }, () => -0.4),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    expect(await matchJob(createTestPopulation([below, below]), createJob(nurse))).toEqual([]);
    expect(await matchJob(createTestPopulation([]), createJob(nurse))).toEqual([]);
  });

  it('contain at most 200 developing members, after all others, and at most 1,000 members in total', async () => {
    const matches = await matchJob(createNormalPopulation(4000, 17), createJob(nurse));
    const first = matches.findIndex((match) => match.quality === 'developing');
    expect(matches.slice(first).every((match) => match.quality === 'developing')).toBe(true);
    expect(matches.length - first).toBe(shortlistLimits.developing);
    expect(matches.length).toBeLessThanOrEqual(shortlistLimits.matches);
  });

  it('contain a single member, with a limit far above the population', async () => {
    const vector = { mean: fillMeans(3), variance: fillSlots(0.1) };
    const [match, ...rest] = await matchJob(createTestPopulation([vector]), createJob({ persistence: 1 }), {
      limit: 50,
    });
    expect(rest).toEqual([]);
    expect(match).toMatchObject({
      member_id: formatMemberId(0),
      quality: 'exceptional',
      confidence_level: 'high',
    });
    expect(match?.fit.mean).toBeCloseTo(3, 6);
    expect(match?.fit.sd).toBeCloseTo(
      computeReferenceFit({ member_id: '', ...vector }, { persistence: 1 }).sd,
      6,
    );
  });

  it('cannot be computed for a job without a priority above zero or a limit that is not a whole number', async () => {
    await expect(matchJob(createTestPopulation([]), createJob({}))).rejects.toThrow(RangeError);
    await expect(matchJob(createTestPopulation([]), createJob(nurse), { limit: Number.NaN })).rejects.toThrow(
      RangeError,
    );
  });
});

describe('quantisation', () => {
  it('finds every member of the exact top k within the quantised top 1.5 k', async () => {
    const { members, population, scanner } = createNormalPopulation(4000, 19);
    const k = 200;
    const scored = members.map((member) => ({
      member_id: member.member_id,
      mean: computeReferenceFit(member, nurse).mean,
    }));
    const exact = scored.sort((a, b) => b.mean - a.mean).slice(0, k);
    const [integer] = await findTopMembers(
      scanner,
      [quantiseWeights(computeFitWeights(nurse, builtInNorms).relative)],
      1.5 * k,
    );
    const quantised = new Set(integer!.map(({ position }) => readId(population.ids, position)));
    expect(exact.filter((member) => !quantised.has(member.member_id))).toEqual([]);
  });
});
