import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes, toTraitSlot, type TraitCode, type TraitPriorities } from '#modules/traits';
import { belongingLabels, computeBelonging, type Culture } from './belonging.ts';

const flat: Culture = {
  braving: { nonjudgment: 0.5, generosity: 0.5, boundaries: 0.5 },
  cvf: { clan: 0.25, adhocracy: 0.25, market: 0.25, hierarchy: 0.25 },
};

const job: TraitPriorities = { persistence: 1, discretion: 0.5 };

/** A member who is average but in some traits, all known quite well. */
function member(traits: Partial<Record<TraitCode, number>>, variance = 0.05) {
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
  it('is unknown before the organisation has described its culture', () => {
    const { authenticity, acceptance, complementarity } = computeBelonging(member({}), job, undefined);
    expect([authenticity, acceptance, complementarity]).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('is one of the labels, and the same for the same facts', () => {
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

  it('says nothing strong about somebody of whom nothing is known', () => {
    const unmeasured = member({}, 1);
    expect(computeBelonging(unmeasured, job, flat)).toEqual({
      authenticity: 'moderate',
      acceptance: 'moderate',
      complementarity: 'moderate',
    });
  });
});

describe('authenticity', () => {
  const tidy: Culture = { ...flat, cvf: { clan: 0.2, adhocracy: 0.1, market: 0.25, hierarchy: 0.45 } };

  it('is high where what one prefers is what counts, and low where it is the opposite', () => {
    const orderly = member({ structure_preference: 2, accountability: 1.5, exploratory_curiosity: -1.5 });
    const adventurous = member({ exploratory_curiosity: 2, change_agility: 1.5, structure_preference: -2 });
    expect(computeBelonging(orderly, job, tidy).authenticity).toBe('high');
    expect(computeBelonging(adventurous, job, tidy).authenticity).toBe('low');
  });

  it('does not depend on the level of anybody’s preferences, as scores that sum to one have none', () => {
    fc.assert(
      fc.property(cultures, (culture) => {
        // How much more of everything: the weights of each quadrant lift it alike where its traits are lifted by their share.
        const spread = (scale: number): Culture => ({
          ...culture,
          cvf: {
            clan: 0.25 + scale * (culture.cvf.clan - 0.25),
            adhocracy: 0.25 + scale * (culture.cvf.adhocracy - 0.25),
            market: 0.25 + scale * (culture.cvf.market - 0.25),
            hierarchy: 0.25 + scale * (culture.cvf.hierarchy - 0.25),
          },
        });
        const orderly = member({ structure_preference: 2, accountability: 1 });
        expect(computeBelonging(orderly, job, spread(0.5)).authenticity).toBe(
          computeBelonging(orderly, job, culture).authenticity,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('is moderate for everybody where nothing counts more than the rest', () => {
    expect(computeBelonging(member({ structure_preference: 3 }), job, flat).authenticity).toBe('moderate');
  });
});

describe('acceptance', () => {
  const trust = (all: number): Culture => ({
    ...flat,
    braving: { nonjudgment: all, generosity: all, boundaries: all },
  });

  it('is high where there is as much trust as is needed, and low where much is missing', () => {
    expect(computeBelonging(member({}), job, trust(0.9)).acceptance).toBe('high');
    expect(computeBelonging(member({}), job, trust(0.1)).acceptance).toBe('low');
  });

  it('is never harmed by more trust', () => {
    const order = ['low', 'moderate', 'high'];
    fc.assert(
      fc.property(members, fc.nat(10), fc.nat(10), (mean, one, other) => {
        const posterior = { mean, variance: mean.map(() => 0.1) };
        const of = (all: number) =>
          order.indexOf(computeBelonging(posterior, job, trust(all / 10)).acceptance);
        expect(of(Math.max(one, other))).toBeGreaterThanOrEqual(of(Math.min(one, other)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('complementarity', () => {
  it('is high where somebody brings what the job asks for and the culture does not stress', () => {
    const persistent = member({ persistence: 2, discretion: 2 });
    expect(computeBelonging(persistent, job, flat).complementarity).toBe('high');
    expect(computeBelonging(member({ persistence: -1, discretion: -1 }), job, flat).complementarity).toBe(
      'low',
    );
    const driven: Culture = { ...flat, cvf: { clan: 0.15, adhocracy: 0.15, market: 0.5, hierarchy: 0.2 } };
    expect(computeBelonging(member({ persistence: 1.2 }), { persistence: 1 }, flat).complementarity).toBe(
      'high',
    );
    expect(
      computeBelonging(member({ persistence: 1.2 }), { persistence: 1 }, driven).complementarity,
    ).not.toBe('high');
  });

  it('takes no notice of traits that the job does not ask for', () => {
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
