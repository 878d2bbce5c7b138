import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes, toTraitSlot, type TraitCode, type TraitPriorities } from '#modules/traits';
import { proves } from '#test/requirements.ts';
import { confidenceLevels, matchQualities } from '../engine/tiers.ts';
import { belongingLabels } from './belonging.ts';
import { formatExplanation } from './explanation-words.ts';
import { explainMatch } from './explanation.ts';

const means = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 20, maxLength: 20 });
const variances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 });
const jobs: fc.Arbitrary<TraitPriorities> = fc
  .dictionary(fc.constantFrom(...traitCodes), fc.double({ min: 0, max: 1, noNaN: true }), { minKeys: 1 })
  .filter((job) => Object.values(job).some((priority) => priority > 0));
const cultures = fc.option(
  fc.record({
    braving: fc.record({
      nonjudgment: fc.double({ min: 0, max: 1, noNaN: true }),
      generosity: fc.double({ min: 0, max: 1, noNaN: true }),
      boundaries: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    cvf: fc.constantFrom(
      { clan: 0.5, adhocracy: 0.2, market: 0.2, hierarchy: 0.1 },
      { clan: 0.1, adhocracy: 0.4, market: 0.4, hierarchy: 0.1 },
      { clan: 0.25, adhocracy: 0.25, market: 0.25, hierarchy: 0.25 },
    ),
  }),
  { nil: undefined },
);

function createPosterior(traits: Partial<Record<TraitCode, number>>, variance = 0.15) {
  const mean = traitCodes.map((code) => traits[code] ?? 0);
  return { mean, variance: mean.map(() => variance) };
}

const numberWords =
  /\b(zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|first|second|third|half|quarter|twice|double|per ?cent|percentile|score|rank|points?)\b/i;

describe('an explanation', () => {
  it('never contains a digit or a number in words, for any match', () => {
    proves('match-members-see-tier-labels-only', 'trait-weights-not-exposed');
    fc.assert(
      fc.property(
        means,
        variances,
        jobs,
        cultures,
        fc.constantFrom(...matchQualities),
        fc.constantFrom(...confidenceLevels),
        (mean, variance, job, culture, match_quality, confidence_level) => {
          const words = formatExplanation({
            ...explainMatch({ mean, variance }, job, culture),
            match_quality,
            confidence_level,
          });
          const text = JSON.stringify(words);
          expect(text).not.toMatch(/\p{N}/u);
          expect(text).not.toMatch(numberWords);
          expect(text).not.toMatch(/undefined|null|\s{2}/);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('has words for every trait and label', () => {
    const belonging = { authenticity: 'high', acceptance: 'low', complementarity: 'moderate' } as const;
    for (const label of belongingLabels)
      for (const code of traitCodes) {
        const words = formatExplanation({
          strengths: [code],
          growth: [code],
          belonging: { ...belonging, authenticity: label },
          match_quality: 'strong',
          confidence_level: 'medium',
        });
        const texts = [...words.top_strengths, ...words.growth_areas, words.summary_text];
        for (const text of texts) {
          expect(text).toMatch(/^[A-Z][^\d]+\.$/);
          expect(text).not.toMatch(numberWords);
        }
      }
  });

  it('depends only on the order of the traits, so that it does not reveal how pronounced a trait is', () => {
    const job = { persistence: 1, discretion: 1 };
    const [some, more] = [
      createPosterior({ persistence: 1, discretion: 0.9 }),
      createPosterior({ persistence: 3, discretion: 2 }),
    ];
    expect(explainMatch(some, job, undefined)).toEqual(explainMatch(more, job, undefined));
  });
});

describe('the strengths of an explanation', () => {
  it('are the three traits of the job that contribute most to the fit', () => {
    const job = { persistence: 1, discretion: 0.5, sincerity: 0.9, accountability: 0.2, autonomy_drive: 1 };
    const capable = createPosterior({
      persistence: 1,
      discretion: 1.2,
      sincerity: 2,
      accountability: 2,
      autonomy_drive: 0,
    });
    const { strengths } = explainMatch(capable, job, undefined);
    expect(strengths).toEqual(['sincerity', 'persistence', 'discretion']);
  });

  it('are above average with a probability of 80 %, and the job asks for them', () => {
    fc.assert(
      fc.property(means, variances, jobs, (mean, variance, job) => {
        const { strengths } = explainMatch({ mean, variance }, job, undefined);
        expect(strengths.length).toBeLessThanOrEqual(3);
        for (const code of strengths) {
          const slot = toTraitSlot(code);
          expect(job[code]).toBeGreaterThan(0);
          // The normal quantile of 0.8 is 0.8416.
          expect(mean[slot]! / Math.sqrt(variance[slot]!)).toBeGreaterThanOrEqual(0.841);
        }
      }),
    );
  });
});

describe('the growth areas of an explanation', () => {
  it('are the traits that the job asks for much and that are probably below average, the largest loss first', () => {
    const job = { persistence: 0.5, discretion: 1, sincerity: 0.49, accountability: 1 };
    const one = createPosterior({ persistence: -1, discretion: -1, sincerity: -2, accountability: -0.05 });
    expect(explainMatch(one, job, undefined)).toMatchObject({
      strengths: [],
      growth: ['discretion', 'persistence'],
    });
  });

  it('never include a strength', () => {
    fc.assert(
      fc.property(means, variances, jobs, (mean, variance, job) => {
        const { strengths, growth } = explainMatch({ mean, variance }, job, undefined);
        expect(strengths.filter((code) => growth.includes(code))).toEqual([]);
        expect(growth.length).toBeLessThanOrEqual(3);
        for (const code of growth) expect(job[code]).toBeGreaterThanOrEqual(0.5);
      }),
    );
  });
});
