import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeFadedWeight,
  half_life_days,
  late_days_max,
  recordWeights,
  summariseResults,
  type GivenRating,
  type RecordedOutcome,
} from './rules.ts';

const start = new Date('2026-01-01T00:00:00Z');
const addDays = (days: number) => new Date(start.getTime() + days * 86_400_000);
const placed: RecordedOutcome = { outcome: 'placed', placed_at: start, ended_at: null, recorded_at: start };
const extended: RecordedOutcome = { ...placed, outcome: 'extended', recorded_at: addDays(60) };
const leaveAfter = (days: number, recorded_at = addDays(days)): RecordedOutcome => ({
  outcome: 'left',
  placed_at: start,
  ended_at: addDays(days),
  recorded_at,
});
const buildRating = (
  stage_days: 30 | 90 | 180,
  overall_rating: number,
  days: number = stage_days,
): GivenRating => ({
  stage_days,
  respondent: 'member',
  overall_rating,
  created_at: addDays(days),
});

describe('what became of a match', () => {
  it.each([
    ['nothing is recorded', [], { value: 0.5, weight: 0 }],
    ['the member was placed', [placed], { value: 1, weight: 0.25 }],
    [
      'the member was not placed',
      [{ outcome: 'not_placed', placed_at: null, ended_at: null, recorded_at: start }],
      { value: 0, weight: 0.25 },
    ],
    ['the placement was extended', [placed, extended], { value: 1, weight: 0.75 }],
    ['the member left early', [placed, leaveAfter(20)], { value: 1 / 3, weight: 0.75 }],
    ['the member left in between', [placed, leaveAfter(120)], { value: 1, weight: 0.25 }],
    ['the member stayed', [placed, leaveAfter(200)], { value: 1, weight: 0.75 }],
    [
      'the placement ended as planned',
      [{ ...placed, ended_at: addDays(20) }, leaveAfter(20)],
      { value: 1, weight: 0.25 },
    ],
  ] as const)('counts when %s', (_, outcomes, expected) => {
    const { value, weight } = summariseResults(outcomes, []);
    expect(value).toBeCloseTo(expected.value, 12);
    expect(weight).toBe(expected.weight);
  });

  it('counts later ratings more, and both sides equally', () => {
    const both = [buildRating(30, 5), { ...buildRating(30, 1), respondent: 'organisation' as const }];
    expect(summariseResults([placed], both)).toEqual({ value: 0.6, weight: 1.25 });
    expect(summariseResults([placed], [buildRating(30, 1), buildRating(180, 5)]).value).toBeCloseTo(
      1.25 / 1.75,
      12,
    );
  });
});

describe('a placement that is dated back', () => {
  it('counts as a placement and nothing more on the day on which it is recorded', () => {
    const dated = { ...placed, placed_at: addDays(-400) };
    const outcomes: readonly RecordedOutcome[] = [
      dated,
      { ...dated, outcome: 'extended' },
      { ...dated, outcome: 'left', ended_at: start },
    ];
    const ratings = [buildRating(30, 1, 0), buildRating(90, 1, 0), buildRating(180, 1, 0)];
    expect(summariseResults(outcomes, ratings)).toEqual({ value: 1, weight: 0.25 });
  });

  it('with an end in the future counts as long only once that time has passed', () => {
    expect(summariseResults([placed, leaveAfter(200, start)], []).weight).toBe(0.25);
    expect(summariseResults([placed, leaveAfter(200, addDays(180 - late_days_max))], []).weight).toBe(0.75);
  });

  it.each([
    [0, 0],
    [15, 0],
    [16, 0.5],
    [75, 0.5],
    [76, 0.75],
    [165, 0.75],
    [166, 1],
  ])('lets a rating that is given %i days after the record count %s', (days, weight) => {
    expect(summariseResults([placed], [buildRating(180, 5, days)]).weight).toBe(
      recordWeights.placed + weight,
    );
  });

  it('never makes a rating count more, and no rating counts more than its stage', () => {
    const stages = fc.constantFrom(30 as const, 90 as const, 180 as const);
    const days = fc.integer({ min: 0, max: 3_650 });
    fc.assert(
      fc.property(stages, days, days, (stage, given, back) => {
        const rating = buildRating(stage, 5, given);
        const weigh = (outcome: RecordedOutcome) => summariseResults([outcome], [rating]).weight;
        expect(weigh({ ...placed, placed_at: addDays(-back) })).toBe(weigh(placed));
        expect(weigh(placed)).toBeLessThanOrEqual(recordWeights.placed + recordWeights.rating[stage]);
      }),
    );
  });
});

it('an observation counts half after the half-life, and no more than its weight before', () => {
  expect(computeFadedWeight(2, start, addDays(half_life_days))).toBe(1);
  expect(computeFadedWeight(2, start, start)).toBe(2);
  expect(computeFadedWeight(2, addDays(3), start)).toBe(2);
});
