import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes, toTraitSlot, type TraitCode, type TraitPriorities } from '#modules/measurement/traits';
import { belongingLabels, computeBelonging, type Culture } from './belonging.ts';

const flat: Culture = {
  braving: { nonjudgment: 0.5, generosity: 0.5, boundaries: 0.5 },
  cvf: { clan: 0.25, adhocracy: 0.25, market: 0.25, hierarchy: 0.25 },
};

const job: TraitPriorities = { persistence: 1, discretion: 0.5 };

/** Creates the posterior of a member who is average except in some traits, all measured precisely. */
function createPosterior(traits: Partial<Record<TraitCode, number>>, variance = 0.05) {
  const mean = traitCodes.map((code) => traits[code] ?? 0);
  return { mean, variance: mean.map(() => variance) };
}

const cultures = fc
  .record({
    braving: fc.record({
      nonjudgment: fc.double({ min: 0, max: 1, noNaN: true }),
      generosity: fc.double({ min: 0, max: 1, noNaN: true }),
      boundaries: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    points: fc.tuple(fc.nat(18), fc.nat(18), fc.nat(18), fc.nat(18)),
  })
  .map(({ braving, points }): Culture => {
    const sum = points.reduce((total, each) => total + each, 0) || 1;
    const [clan, adhocracy, market, hierarchy] = points.map((each) => each / sum) as [
      number,
      number,
      number,
      number,
    ];
    return { braving, cvf: { clan, adhocracy, market, hierarchy } };
  });

const members = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 20, maxLength: 20 });

describe('belonging', () => {
  it('compares the values that the member has stated, if there are any, instead of those that the traits indicate', () => {
    const culture = { ...flat, cvf: { clan: 0.7, adhocracy: 0.1, market: 0.1, hierarchy: 0.1 } };
    const member = createPosterior({ collaborative_orientation: 3, empathic_attunement: 3 });
    const stated = { clan: 0, adhocracy: 90, market: 80, hierarchy: 70 };
    expect(computeBelonging(member, job, culture).authenticity).toBe('high');
    expect(computeBelonging({ ...member, values: stated }, job, culture).authenticity).toBe('low');
    const equal = { clan: 50, adhocracy: 50, market: 50, hierarchy: 50 };
    expect(computeBelonging({ ...member, values: equal }, job, culture).authenticity).toBe('moderate');
  });

  it('is unknown if the organisation has no culture profile', () => {
    const { authenticity, acceptance, complementarity } = computeBelonging(
      createPosterior({}),
      job,
      undefined,
    );
    expect([authenticity, acceptance, complementarity]).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('has one of the labels, and is the same for the same input', () => {
    fc.assert(
      fc.property(
        members,
        fc.double({ min: 0, max: 1, noNaN: true }),
        cultures,
        (mean, variance, culture) => {
          const posterior = { mean, variance: mean.map(() => variance) };
          const belonging = computeBelonging(posterior, job, culture);
          for (const label of Object.values(belonging)) expect(belongingLabels).toContain(label);
          expect(computeBelonging(posterior, job, culture)).toEqual(belonging);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is moderate for a member who has not been measured', () => {
    const unmeasuredMember = createPosterior({}, 1);
    expect(computeBelonging(unmeasuredMember, job, flat)).toEqual({
      authenticity: 'moderate',
      acceptance: 'moderate',
      complementarity: 'moderate',
    });
  });
});

describe('authenticity', () => {
  const tidy: Culture = { ...flat, cvf: { clan: 0.2, adhocracy: 0.1, market: 0.25, hierarchy: 0.45 } };

  it('is high if the member prefers what the organisation values, and low if the member prefers the opposite', () => {
    const orderly = createPosterior({
      structure_preference: 2,
      accountability: 1.5,
      exploratory_curiosity: -1.5,
    });
    const adventurous = createPosterior({
      exploratory_curiosity: 2,
      change_agility: 1.5,
      structure_preference: -2,
    });
    expect(computeBelonging(orderly, job, tidy).authenticity).toBe('high');
    expect(computeBelonging(adventurous, job, tidy).authenticity).toBe('low');
  });

  it('does not depend on how pronounced the organisation’s values are', () => {
    fc.assert(
      fc.property(cultures, (culture) => {
        // Scales the distance of each share from an equal share of 0.25.
        const scaleShares = (scale: number): Culture => ({
          ...culture,
          cvf: {
            clan: 0.25 + scale * (culture.cvf.clan - 0.25),
            adhocracy: 0.25 + scale * (culture.cvf.adhocracy - 0.25),
            market: 0.25 + scale * (culture.cvf.market - 0.25),
            hierarchy: 0.25 + scale * (culture.cvf.hierarchy - 0.25),
          },
        });
        const orderly = createPosterior({ structure_preference: 2, accountability: 1 });
        expect(computeBelonging(orderly, job, scaleShares(0.5)).authenticity).toBe(
          computeBelonging(orderly, job, culture).authenticity,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('is moderate for every member if the organisation values all quadrants equally', () => {
    expect(computeBelonging(createPosterior({ structure_preference: 3 }), job, flat).authenticity).toBe(
      'moderate',
    );
  });
});

describe('acceptance', () => {
  const createCulture = (all: number): Culture => ({
    ...flat,
    braving: { nonjudgment: all, generosity: all, boundaries: all },
  });

  it('is high if the organisation has as much trust as the member needs, and low if much is missing', () => {
    expect(computeBelonging(createPosterior({}), job, createCulture(0.9)).acceptance).toBe('high');
    expect(computeBelonging(createPosterior({}), job, createCulture(0.1)).acceptance).toBe('low');
  });

  it('never becomes lower with more trust', () => {
    const order = ['low', 'moderate', 'high'];
    fc.assert(
      fc.property(members, fc.nat(10), fc.nat(10), (mean, one, other) => {
        const posterior = { mean, variance: mean.map(() => 0.1) };
        const rankAcceptance = (all: number) =>
          order.indexOf(computeBelonging(posterior, job, createCulture(all / 10)).acceptance);
        expect(rankAcceptance(Math.max(one, other))).toBeGreaterThanOrEqual(
          rankAcceptance(Math.min(one, other)),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('complementarity', () => {
  it('is high if the member has the traits that the job asks for and that the culture does not emphasise', () => {
    const persistent = createPosterior({ persistence: 2, discretion: 2 });
    expect(computeBelonging(persistent, job, flat).complementarity).toBe('high');
    expect(
      computeBelonging(createPosterior({ persistence: -1, discretion: -1 }), job, flat).complementarity,
    ).toBe('low');
    const driven: Culture = { ...flat, cvf: { clan: 0.15, adhocracy: 0.15, market: 0.5, hierarchy: 0.2 } };
    expect(
      computeBelonging(createPosterior({ persistence: 1.2 }), { persistence: 1 }, flat).complementarity,
    ).toBe('high');
    expect(
      computeBelonging(createPosterior({ persistence: 1.2 }), { persistence: 1 }, driven).complementarity,
    ).not.toBe('high');
  });

  it('ignores traits that the job does not ask for', () => {
    const slot = toTraitSlot('social_initiative');
    fc.assert(
      fc.property(members, fc.double({ min: -3, max: 3, noNaN: true }), (mean, other) => {
        const changed = mean.with(slot, other);
        const variance = mean.map(() => 0.1);
        expect(computeBelonging({ mean: changed, variance }, job, flat).complementarity).toBe(
          computeBelonging({ mean, variance }, job, flat).complementarity,
        );
      }),
      { numRuns: 50 },
    );
  });
});
