import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardWeights } from './fit.ts';
import { oracleFit, oracleMatchIds, oracleTier, type OracleMember } from './oracle.ts';
import { createPopulation } from './population.ts';
import {
  arbitraryPriorities,
  arbitraryTiedVector,
  arbitraryVector,
  normalPopulation,
  populate,
} from './random-population.ts';
import { confidenceOf, lowerBound } from './rules.ts';
import { topMembers } from './scan.ts';
import { matchJob, shortlistLimits, type JobMatch } from './shortlist.ts';
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

describe('the matches of a job', () => {
  it('are exactly the best by lower bound, whatever the members, the job and the limit', () => {
    const vectors = fc.array(fc.oneof(arbitraryVector, arbitraryTiedVector), { maxLength: 60 });
    fc.assert(
      fc.property(
        vectors,
        arbitraryPriorities,
        fc.integer({ min: 0, max: 20 }),
        (vectors, priorities, limit) => {
          const { members, population } = populate(vectors);
          // A fit of zero up to rounding may count as above average or not.
          fc.pre(members.every((member) => Math.abs(oracleFit(member, priorities).mean) > 1e-9));
          // Compared by bounds, as two members whose bounds differ by a rounding error may stand in either order.
          const found = bounds(matchJob(population, priorities, { limit }));
          const expected = oracleBounds(members, priorities, limit);
          expect(found).toHaveLength(expected.length);
          for (const [index, bound] of expected.entries()) expect(found[index]).toBeCloseTo(bound, 9);
        },
      ),
    );
  });

  it('are exactly the best of a large population, where most are never measured in floats', () => {
    const { members, population } = normalPopulation(4000, 7);
    for (const limit of [1, 40, 400]) {
      const ids = matchJob(population, nurse, { limit }).map((match) => match.member_id);
      expect(ids).toEqual(oracleMatchIds(members, nurse, limit));
    }
  });

  it('hold the best member also where rounding puts others above', () => {
    const at = (mean: number, variance: number): Omit<OracleMember, 'member_id'> => ({
      mean: Array.from({ length: 20 }, () => mean),
      variance: Array.from({ length: 20 }, () => variance),
    });
    // 32.496 steps become 32, and 32.502 become 33; the second kind is a little less sure, and so the worse.
    const { population } = populate([at(1.0157, 7e-7), at(1.0157, 7e-7), at(1.0155, 0)]);
    const [best] = matchJob(population, { persistence: 1 }, { limit: 1 });
    expect(best?.member_id).toBe('m000002');
  });

  it('carry the tier and the confidence of their fit', () => {
    const { population } = normalPopulation(500, 11);
    for (const { fit, quality, confidence_level } of matchJob(population, nurse)) {
      expect(quality).toBe(oracleTier(fit.mean, fit.sd));
      expect(confidence_level).toBe(confidenceOf(fit.sd));
    }
  });

  it('hold nobody whose fit is not above average, and nobody where all are below', () => {
    const { population } = normalPopulation(300, 13);
    expect(matchJob(population, nurse).every((match) => match.fit.mean > 0)).toBe(true);
    const below = {
      mean: Array.from({ length: 20 }, () => -0.4),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    expect(matchJob(populate([below, below]).population, nurse)).toEqual([]);
    expect(matchJob(createPopulation(), nurse)).toEqual([]);
  });

  it('hold at most 200 developing members, behind all others, and at most 1,000 in all', () => {
    const { population } = normalPopulation(4000, 17);
    const matches = matchJob(population, nurse);
    const first = matches.findIndex((match) => match.quality === 'developing');
    expect(matches.slice(first).every((match) => match.quality === 'developing')).toBe(true);
    expect(matches.length - first).toBe(shortlistLimits.developing);
    expect(matches.length).toBeLessThanOrEqual(shortlistLimits.matches);
  });

  it('come for a single member, and for a limit far above the population', () => {
    const star = {
      mean: Array.from({ length: 20 }, () => 2),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    const [match, ...rest] = matchJob(populate([star]).population, { persistence: 1 }, { limit: 50 });
    expect(rest).toEqual([]);
    expect(match).toMatchObject({ member_id: 'm000000', quality: 'exceptional', confidence_level: 'high' });
    expect(match?.fit.mean).toBe(2);
    expect(match?.fit.sd).toBeCloseTo(Math.sqrt(0.1), 6);
  });

  it('break equal bounds by member id', () => {
    const star = {
      mean: Array.from({ length: 20 }, () => 1),
      variance: Array.from({ length: 20 }, () => 0.1),
    };
    const matches = matchJob(populate(Array.from({ length: 30 }, () => star)).population, nurse, {
      limit: 5,
    });
    expect(matches.map((match) => match.member_id)).toEqual([
      'm000000',
      'm000001',
      'm000002',
      'm000003',
      'm000004',
    ]);
  });

  it('refuse a job without a priority above zero and a limit that is no whole number', () => {
    expect(() => matchJob(createPopulation(), {})).toThrow(RangeError);
    expect(() => matchJob(createPopulation(), nurse, { limit: Number.NaN })).toThrow(RangeError);
  });
});

describe('quantisation', () => {
  it('loses nobody of the float top k from the integer top 1.5 k', () => {
    const { members, population } = normalPopulation(4000, 19);
    const k = 200;
    const scored = members.map(({ member_id, ...vector }) => ({
      member_id,
      mean: oracleFit({ member_id, ...vector }, nurse).mean,
    }));
    const exact = scored.sort((a, b) => b.mean - a.mean).slice(0, k);
    const integer = topMembers(population, quantiseWeights(standardWeights(nurse)), 1.5 * k);
    const found = new Set(integer.map((member) => member.member_id));
    expect(exact.filter((member) => !found.has(member.member_id))).toEqual([]);
  });
});
