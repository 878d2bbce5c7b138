import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultMemberTerms } from './population.ts';
import { computeReluctance, areCompatible, type JobTerms, type MemberTerms } from './terms.ts';
import { arbitraryJobTerms, arbitraryMemberTerms, openTerms } from '#test/modules/random-population.ts';

const job = (terms: Partial<JobTerms>): JobTerms => ({ ...openTerms, ...terms });
const member = (terms: Partial<MemberTerms>): MemberTerms => ({ ...defaultMemberTerms, ...terms });

describe('a match suits both sides', () => {
  it('where neither says anything', () => {
    expect(areCompatible(openTerms, defaultMemberTerms)).toBe(true);
    expect(computeReluctance(openTerms, defaultMemberTerms)).toBe(0);
  });

  it.each<[string, Partial<JobTerms>, Partial<MemberTerms>, boolean]>([
    [
      'a clearance that is asked for and held',
      { clearance_required: 'baseline' },
      { clearance_held: 'negative_vetting_1' },
      true,
    ],
    [
      'a lower clearance',
      { clearance_required: 'negative_vetting_1' },
      { clearance_held: 'baseline' },
      false,
    ],
    ['no clearance', { clearance_required: 'baseline' }, {}, false],
    ['an accepted policy', { remote_policy: 'remote' }, { remote_policies: ['remote'] }, true],
    [
      'a policy that is not accepted',
      { remote_policy: 'onsite' },
      { remote_policies: ['remote', 'hybrid'] },
      false,
    ],
    [
      'a country of the list',
      { constraints: { location_countries: ['AU', 'NZ'] } },
      { location_country: 'NZ' },
      true,
    ],
    ['another country', { constraints: { location_countries: ['AU'] } }, { location_country: 'NZ' }, false],
    ['no country', { constraints: { location_countries: ['AU'] } }, {}, false],
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
      'a salary that reaches',
      { salary_max: 9, salary_currency: 'AUD' },
      { salary_min: 9, salary_currency: 'AUD' },
      true,
    ],
    [
      'a salary that does not',
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
    ['a salary that the job does not tell', {}, { salary_min: 9, salary_currency: 'AUD' }, true],
  ])('with %s or not', (_, asked, held, expected) => {
    expect(areCompatible(job(asked), member(held))).toBe(expected);
  });
});

describe('reluctance', () => {
  it('is never below nothing, and never above 0.7 standard deviations', () => {
    fc.assert(
      fc.property(arbitraryJobTerms, arbitraryMemberTerms, (job, member) => {
        const cost = computeReluctance(job, member);
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(cost).toBeLessThanOrEqual(0.7 + 1e-9);
      }),
    );
  });

  it('grows with the place of the policy among those accepted', () => {
    const order = (...remote_policies: NonNullable<MemberTerms['remote_policies']>) =>
      computeReluctance(job({ remote_policy: 'onsite' }), member({ remote_policies }));
    expect(order('onsite', 'hybrid', 'remote')).toBe(0);
    expect(order('hybrid', 'onsite', 'remote')).toBeCloseTo(0.1, 9);
    expect(order('remote', 'onsite')).toBeCloseTo(0.2, 9);
    expect(order('onsite')).toBe(0);
  });

  it('grows as less of the salary range reaches what is asked', () => {
    const pays = job({ salary_min: 50, salary_max: 100, salary_currency: 'AUD' });
    const asks = (salary_min: number) =>
      computeReluctance(pays, member({ salary_min, salary_currency: 'AUD' }));
    expect([asks(40), asks(50)]).toEqual([0, 0]);
    expect(asks(75)).toBeCloseTo(0.1, 9);
    expect(asks(100)).toBeCloseTo(0.2, 9);
  });

  it('grows as values part, whatever unit either side counts in', () => {
    const clan = { clan: 6, adhocracy: 2, market: 1, hierarchy: 1 };
    const market = { clan: 10, adhocracy: 20, market: 60, hierarchy: 10 };
    const scaled = { clan: 62, adhocracy: 22, market: 12, hierarchy: 12 };
    const cost = (values: MemberTerms['values']) =>
      computeReluctance(job({ values: clan }), member({ values }));
    expect(cost(scaled)).toBeCloseTo(0, 9);
    expect(cost(market)).toBeGreaterThan(0.15);
    expect(cost({ clan: 5, adhocracy: 5, market: 5, hierarchy: 5 })).toBeCloseTo(0.15, 9);
    expect(cost(null)).toBe(0);
  });
});
