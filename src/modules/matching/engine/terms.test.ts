import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJobTerms, arbitraryMemberTerms, openTerms } from '#test/modules/random-population.ts';
import { defaultMemberTerms } from './population.ts';
import { areCompatible, computeReluctance, type JobTerms, type MemberTerms } from './terms.ts';

const createJob = (terms: Partial<JobTerms>): JobTerms => ({ ...openTerms, ...terms });
const createMember = (terms: Partial<MemberTerms>): MemberTerms => ({ ...defaultMemberTerms, ...terms });

describe('compatibility', () => {
  it('is given if neither side sets conditions', () => {
    expect(areCompatible(openTerms, defaultMemberTerms)).toBe(true);
    expect(computeReluctance(openTerms, defaultMemberTerms)).toBe(0);
  });

  it.each<[string, Partial<JobTerms>, Partial<MemberTerms>, boolean]>([
    [
      'a higher clearance than required',
      { clearance_required: 'baseline' },
      { clearance_held: 'negative_vetting_1' },
      true,
    ],
    [
      'a lower clearance than required',
      { clearance_required: 'negative_vetting_1' },
      { clearance_held: 'baseline' },
      false,
    ],
    ['no clearance although one is required', { clearance_required: 'baseline' }, {}, false],
    ['an accepted policy', { remote_policy: 'remote' }, { remote_policies: ['remote'] }, true],
    [
      'a policy that is not accepted',
      { remote_policy: 'onsite' },
      { remote_policies: ['remote', 'hybrid'] },
      false,
    ],
    [
      'a country on the list',
      { constraints: { location_countries: ['AU', 'NZ'] } },
      { location_country: 'NZ' },
      true,
    ],
    ['another country', { constraints: { location_countries: ['AU'] } }, { location_country: 'NZ' }, false],
    ['an unknown country', { constraints: { location_countries: ['AU'] } }, {}, false],
    ['another state', { constraints: { location_states: ['NSW'] } }, { location_state: 'VIC' }, false],
    ['enough experience', { constraints: { years_experience_min: 5 } }, { years_experience: 5 }, true],
    ['too little experience', { constraints: { years_experience_min: 5 } }, { years_experience: 4 }, false],
    [
      'a higher education',
      { constraints: { education_level_min: 'diploma' } },
      { education_level: 'masters' },
      true,
    ],
    [
      'a lower education',
      { constraints: { education_level_min: 'diploma' } },
      { education_level: 'secondary' },
      false,
    ],
    [
      'a maximum salary that equals the member’s minimum',
      { salary_max: 9, salary_currency: 'AUD' },
      { salary_min: 9, salary_currency: 'AUD' },
      true,
    ],
    [
      'a maximum salary below the member’s minimum',
      { salary_max: 8, salary_currency: 'AUD' },
      { salary_min: 9, salary_currency: 'AUD' },
      false,
    ],
    [
      'a salary in another currency',
      { salary_max: 8, salary_currency: 'EUR' },
      { salary_min: 9, salary_currency: 'AUD' },
      true,
    ],
    ['a job without a stated salary', {}, { salary_min: 9, salary_currency: 'AUD' }, true],
  ])('is decided correctly for %s', (_, jobTerms, memberTerms, expected) => {
    expect(areCompatible(createJob(jobTerms), createMember(memberTerms))).toBe(expected);
  });
});

describe('reluctance', () => {
  it('is from 0 to 0.7 standard deviations', () => {
    fc.assert(
      fc.property(arbitraryJobTerms, arbitraryMemberTerms, (job, member) => {
        const cost = computeReluctance(job, member);
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(cost).toBeLessThanOrEqual(0.7 + 1e-9);
      }),
    );
  });

  it('grows with the place of the policy among the accepted ones', () => {
    const computeCost = (...remote_policies: NonNullable<MemberTerms['remote_policies']>) =>
      computeReluctance(createJob({ remote_policy: 'onsite' }), createMember({ remote_policies }));
    expect(computeCost('onsite', 'hybrid', 'remote')).toBe(0);
    expect(computeCost('hybrid', 'onsite', 'remote')).toBeCloseTo(0.1, 9);
    expect(computeCost('remote', 'onsite')).toBeCloseTo(0.2, 9);
    expect(computeCost('onsite')).toBe(0);
  });

  it('grows as less of the salary range reaches the member’s minimum', () => {
    const paidJob = createJob({ salary_min: 50, salary_max: 100, salary_currency: 'AUD' });
    const computeCost = (salary_min: number) =>
      computeReluctance(paidJob, createMember({ salary_min, salary_currency: 'AUD' }));
    expect([computeCost(40), computeCost(50)]).toEqual([0, 0]);
    expect(computeCost(75)).toBeCloseTo(0.1, 9);
    expect(computeCost(100)).toBeCloseTo(0.2, 9);
  });

  it('grows as values differ, in any unit of either side', () => {
    const clan = { clan: 6, adhocracy: 2, market: 1, hierarchy: 1 };
    const market = { clan: 10, adhocracy: 20, market: 60, hierarchy: 10 };
    const scaled = { clan: 62, adhocracy: 22, market: 12, hierarchy: 12 };
    const computeCost = (values: MemberTerms['values']) =>
      computeReluctance(createJob({ values: clan }), createMember({ values }));
    expect(computeCost(scaled)).toBeCloseTo(0, 9);
    expect(computeCost(market)).toBeGreaterThan(0.15);
    expect(computeCost({ clan: 5, adhocracy: 5, market: 5, hierarchy: 5 })).toBeCloseTo(0.15, 9);
    expect(computeCost(null)).toBe(0);
  });
});
