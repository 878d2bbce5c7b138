import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryCategories } from '#modules/people/consent';
import { proves } from '#test/requirements.ts';
import { computeLegibilityFromFacts, type LegibilityFacts } from './rules.ts';

const confidences = fc.oneof(
  fc.constant([]),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
);
const allFacts: fc.Arbitrary<LegibilityFacts> = fc.record({
  confidences,
  assessment_complete: fc.boolean(),
  filled_share: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
  consented: fc.boolean(),
  approved: fc.subarray([...queryCategories]).map((each) => new Set(each)),
});

const nothing: LegibilityFacts = {
  confidences: [],
  assessment_complete: false,
  filled_share: 0,
  consented: false,
  approved: new Set(),
};
const everything: LegibilityFacts = {
  confidences: Array(20).fill(0.84),
  assessment_complete: true,
  filled_share: 1,
  consented: true,
  approved: new Set(queryCategories),
};

describe('legibility', () => {
  test('is between 0 and 1, and the multiplier between 0.50 and 2.00 in steps of 0.25', () => {
    proves('legibility-sets-earning-multiplier', 'open-undefined-legibility-multiplier-values');
    fc.assert(
      fc.property(allFacts, (facts) => {
        const { score, completeness, confidence, queryability, multiplier_bps } =
          computeLegibilityFromFacts(facts);
        for (const value of [score, completeness, confidence, queryability])
          expect(value >= 0 && value <= 1).toBe(true);
        expect(multiplier_bps >= 5_000 && multiplier_bps <= 20_000 && multiplier_bps % 2_500 === 0).toBe(
          true,
        );
      }),
    );
  });

  test('has both ends', () => {
    const least = { score: 0, multiplier_bps: 5_000, completeness: 0, confidence: 0, queryability: 0 };
    expect(computeLegibilityFromFacts(nothing)).toMatchObject(least);
    expect(computeLegibilityFromFacts(everything)).toMatchObject({
      score: 1,
      multiplier_bps: 20_000,
      next_steps: [],
    });
  });

  test('never falls if an identity becomes more complete, more confident or more queryable', () => {
    proves('legibility-measures-complete-confident-queryable');
    const growth = fc.record({
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      slot: fc.nat(19),
      filled: fc.constantFrom(0, 0.25, 0.5, 1),
      category: fc.constantFrom(...queryCategories),
    });
    fc.assert(
      fc.property(allFacts, growth, (facts, { confidence, slot, filled, category }) => {
        const before = computeLegibilityFromFacts(facts);
        const grown: readonly LegibilityFacts[] = [
          {
            ...facts,
            confidences: facts.confidences.map((each, index) =>
              index === slot ? Math.min(1, each + confidence) : each,
            ),
          },
          { ...facts, filled_share: Math.min(1, facts.filled_share + filled) },
          { ...facts, consented: true },
          { ...facts, approved: new Set([...facts.approved, category]) },
        ];
        for (const each of grown) {
          const after = computeLegibilityFromFacts(each);
          expect(after.score >= before.score - 1e-12).toBe(true);
          expect(after.multiplier_bps >= before.multiplier_bps).toBe(true);
        }
      }),
    );
  });

  test('is not queryable without consent, or before anything is measured', () => {
    expect(computeLegibilityFromFacts({ ...everything, consented: false }).queryability).toBe(0);
    expect(computeLegibilityFromFacts({ ...everything, confidences: [] }).queryability).toBe(0);
    expect(computeLegibilityFromFacts({ ...everything, approved: new Set(['archetype']) }).queryability).toBe(
      0.25,
    );
  });
});

describe('a next step', () => {
  test('raises the score to what it says, and the best one comes first', () => {
    fc.assert(
      fc.property(allFacts, (facts) => {
        const { score, next_steps } = computeLegibilityFromFacts(facts);
        for (const step of next_steps) {
          expect(step.score_after).toBeGreaterThan(score);
          expect(step.score_after).toBeLessThanOrEqual(1);
        }
        const scores = next_steps.map(({ score_after }) => score_after);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      }),
    );
  });

  test('of a category tells exactly what its approval does', () => {
    const facts = { ...everything, approved: new Set(['archetype' as const]) };
    const step = computeLegibilityFromFacts(facts).next_steps.find(
      ({ code }) => code === 'approve_alignment',
    );
    const approved = computeLegibilityFromFacts({
      ...facts,
      approved: new Set(['archetype' as const, 'alignment' as const]),
    });
    expect(step).toEqual({
      code: 'approve_alignment',
      score_after: approved.score,
      multiplier_after_bps: approved.multiplier_bps,
    });
  });

  test('of a new member concerns the assessment, then the profile', () => {
    expect(computeLegibilityFromFacts(nothing).next_steps.map(({ code }) => code)).toEqual([
      'complete_assessment',
      'fill_profile',
    ]);
  });
});
