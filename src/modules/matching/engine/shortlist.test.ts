import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idAt } from './member-ids.ts';
import { standardWeights } from './fit.ts';
import { oracleFit, oracleMatchIds, oracleTier, type OracleMember } from '#test/modules/reference-engine.ts';
import { noTerms } from './population.ts';
import { reluctance, suits, type JobTerms, type MemberTerms } from './terms.ts';
import {
  arbitraryJobTerms,
  arbitraryMemberTerms,
  arbitraryPriorities,
  arbitraryTiedVector,
  arbitraryVector,
  idOf,
  normalPopulation,
  openTerms,
  populate,
} from '#test/modules/random-population.ts';
import { confidenceOf, lowerBound, matchQualities } from './tiers.ts';
import { topMembers } from './scan.ts';
import {
  matchJob,
  matchJobs,
  shortlistLimits,
  type JobMatch,
  type MatchedJob,
  type Members,
} from './shortlist.ts';
import { quantiseWeights } from './slots.ts';
import type { TraitPriorities } from '#modules/traits';

const nurse: TraitPriorities = {
  pressure_response: 0.8,
  recovery_resilience: 0.5,
  collaborative_orientation: 0.73,
  empathic_attunement: 1,
  accountability: 0.64,
  discretion: 0.31,
};

const job = (trait_priorities: TraitPriorities, terms: JobTerms = openTerms): MatchedJob => ({
  trait_priorities,
  terms,
});

function bounds(matches: readonly JobMatch[]): number[] {
  return matches.map(({ fit }) => lowerBound(fit.mean, fit.sd));
}

function oracleBounds(
  members: readonly OracleMember[],
  priorities: TraitPriorities,
  limit: number,
): number[] {
  const byId = new Map(members.map((member) => [member.member_id, member]));
  return oracleMatchIds(members, priorities, limit)
    .map((id) => oracleFit(byId.get(id)!, priorities))
    .map(({ mean, sd }) => lowerBound(mean, sd));
}

/** What the whole population says, tier before choice, when both sides have terms; at most 200 developing. */
function oracleChoices(
  members: Awaited<ReturnType<typeof populate>>['members'],
  { trait_priorities, terms }: MatchedJob,
  limit: number,
): readonly { readonly tier: string; readonly choice: number }[] {
  const ranked = members
    .filter((member) => suits(terms, member.terms))
    .map((member) => ({ member, ...oracleFit(member, trait_priorities) }))
    .filter(({ mean }) => mean > 0)
    .map(({ member, mean, sd }) => ({
      tier: oracleTier(mean, sd),
      choice: lowerBound(mean, sd) - reluctance(terms, member.terms),
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
  it('are exactly the best by lower bound, whatever the members, the job and the limit', async () => {
    const vectors = fc.array(fc.oneof(arbitraryVector, arbitraryTiedVector), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        vectors,
        arbitraryPriorities,
        fc.integer({ min: 0, max: 20 }),
        async (vectors, priorities, limit) => {
          const populated = populate(vectors);
          const { members } = populated;
          // A fit of zero up to rounding may count as above average or not.
          fc.pre(members.every((member) => Math.abs(oracleFit(member, priorities).mean) > 1e-9));
          // Compared by bounds, as two members whose bounds differ by a rounding error may stand in either order.
          const found = bounds(await matchJob(populated, job(priorities), { limit }));
          const expected = oracleBounds(members, priorities, limit);
          expect(found).toHaveLength(expected.length);
          for (const [index, bound] of expected.entries()) expect(found[index]).toBeCloseTo(bound, 9);
        },
      ),
    );
  });

  it('are exactly the best of those who suit, tier before choice, whatever both sides want', async () => {
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
            (vector) => Math.abs(oracleFit({ member_id: '', ...vector }, priorities).mean) > 1e-9,
          );
          const populated = populate(clear);
          const { members } = populated;
          const found = await matchJob(populated, job(priorities, terms), { limit });
          const expected = oracleChoices(members, job(priorities, terms), limit);
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

  it('are exactly the best of a large population, where few are ever read', async () => {
    const populated = normalPopulation(20_000, 7);
    let read = 0;
    const counting: Members = {
      ...populated,
      read: (ids) => {
        read += ids.length;
        return populated.read(ids);
      },
    };
    for (const limit of [1, 40, 400]) {
      const matches = await matchJob(counting, job(nurse), { limit });
      expect(matches.map((match) => match.member_id)).toEqual(
        oracleMatchIds(populated.members, nurse, limit),
      );
    }
    expect(read).toBeLessThan(4_000);
  });

  it('are those of a filter that few pass, however far down they stand', async () => {
    const { members: plain } = normalPopulation(20_000, 21);
    const terms = (index: number): MemberTerms =>
      index % 500 === 0 ? { ...noTerms, clearance_held: 'positive_vetting' } : noTerms;
    const populated = populate(plain.map((member, index) => ({ ...member, terms: terms(index) })));
    const cleared = populated.members.filter((_, index) => index % 500 === 0);
    const asked = job(nurse, { ...openTerms, clearance_required: 'negative_vetting_2' });
    const ids = (await matchJob(populated, asked, { limit: 15 })).map((match) => match.member_id);
    expect(ids).toEqual(oracleMatchIds(cleared, nurse, 15));
  });

  it('are those of many jobs in one pass as those of each by itself', async () => {
    const populated = normalPopulation(3_000, 23);
    const jobs = fc.sample(arbitraryPriorities, { numRuns: 12, seed: 5 }).map((each) => job(each));
    const together = await matchJobs(populated, jobs, { limit: 30 });
    for (const [index, each] of jobs.entries())
      expect(together[index]).toEqual(await matchJob(populated, each, { limit: 30 }));
  });

  it('are right where everybody is the same, and so a candidate', async () => {
    const star = {
      mean: Array.from({ length: 20 }, () => 1),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    const populated = populate(Array.from({ length: 3_000 }, () => star));
    const ids = (await matchJob(populated, job(nurse), { limit: 10 })).map((match) => match.member_id);
    expect(ids).toEqual(populated.members.slice(0, 10).map(({ member_id }) => member_id));
  });

  it('hold the best member also where rounding puts others above', async () => {
    const at = (mean: number, variance: number): Omit<OracleMember, 'member_id'> => ({
      mean: Array.from({ length: 20 }, () => mean),
      variance: Array.from({ length: 20 }, () => variance),
    });
    // 32.496 steps become 32, and 32.502 become 33; the second kind is a little less sure, and so the worse.
    const populated = populate([at(1.0157, 7e-7), at(1.0157, 7e-7), at(1.0155, 0)]);
    const [best] = await matchJob(populated, job({ persistence: 1 }), { limit: 1 });
    expect(best?.member_id).toBe(idOf(2));
  });

  it('carry the tier and the confidence of their fit', async () => {
    for (const { fit, quality, confidence_level } of await matchJob(normalPopulation(500, 11), job(nurse))) {
      expect(quality).toBe(oracleTier(fit.mean, fit.sd));
      expect(confidence_level).toBe(confidenceOf(fit.sd));
    }
  });

  it('hold nobody whose fit is not above average, and nobody where all are below', async () => {
    const some = await matchJob(normalPopulation(300, 13), job(nurse));
    expect(some.every((match) => match.fit.mean > 0)).toBe(true);
    const below = {
      mean: Array.from({ length: 20 }, () => -0.4),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    expect(await matchJob(populate([below, below]), job(nurse))).toEqual([]);
    expect(await matchJob(populate([]), job(nurse))).toEqual([]);
  });

  it('hold at most 200 developing members, behind all others, and at most 1,000 in all', async () => {
    const matches = await matchJob(normalPopulation(4000, 17), job(nurse));
    const first = matches.findIndex((match) => match.quality === 'developing');
    expect(matches.slice(first).every((match) => match.quality === 'developing')).toBe(true);
    expect(matches.length - first).toBe(shortlistLimits.developing);
    expect(matches.length).toBeLessThanOrEqual(shortlistLimits.matches);
  });

  it('come for a single member, and for a limit far above the population', async () => {
    const star = {
      mean: Array.from({ length: 20 }, () => 2),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    const [match, ...rest] = await matchJob(populate([star]), job({ persistence: 1 }), { limit: 50 });
    expect(rest).toEqual([]);
    expect(match).toMatchObject({ member_id: idOf(0), quality: 'exceptional', confidence_level: 'high' });
    expect(match?.fit.mean).toBe(2);
    expect(match?.fit.sd).toBeCloseTo(Math.sqrt(0.1), 6);
  });

  it('leave out who is no longer matched when they are read', async () => {
    const populated = normalPopulation(400, 29);
    const all = await matchJob(populated, job(nurse), { limit: 20 });
    const gone = new Set(all.slice(0, 10).map(({ member_id }) => member_id));
    const read: Members['read'] = async (ids) => populated.read(ids.filter((id) => !gone.has(id)));
    const left = await matchJob({ ...populated, read }, job(nurse), { limit: 10 });
    expect(left).toEqual(all.slice(10));
  });

  it('refuse a job without a priority above zero and a limit that is no whole number', async () => {
    await expect(matchJob(populate([]), job({}))).rejects.toThrow(RangeError);
    await expect(matchJob(populate([]), job(nurse), { limit: Number.NaN })).rejects.toThrow(RangeError);
  });
});

describe('quantisation', () => {
  it('loses nobody of the float top k from the integer top 1.5 k', async () => {
    const { members, population, scanner } = normalPopulation(4000, 19);
    const k = 200;
    const scored = members.map((member) => ({
      member_id: member.member_id,
      mean: oracleFit(member, nurse).mean,
    }));
    const exact = scored.sort((a, b) => b.mean - a.mean).slice(0, k);
    const [integer] = await topMembers(scanner, [quantiseWeights(standardWeights(nurse))], 1.5 * k);
    const found = new Set(integer!.map(({ position }) => idAt(population.ids, position)));
    expect(exact.filter((member) => !found.has(member.member_id))).toEqual([]);
  });
});
