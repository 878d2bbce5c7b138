import { describe, expect, it } from 'vitest';
import { computeFadedWeight, half_life_days, summariseResults, type RecordedOutcome } from './rules.ts';

const start = new Date('2026-01-01T00:00:00Z');
const addDays = (days: number) => new Date(start.getTime() + days * 86_400_000);
const placed: RecordedOutcome = { outcome: 'placed', placed_at: start, ended_at: null };
const leaveAfter = (days: number): RecordedOutcome => ({
  outcome: 'left',
  placed_at: start,
  ended_at: addDays(days),
});

describe('what became of a match', () => {
  it.each([
    ['nothing is recorded', [], { value: 0.5, weight: 0 }],
    ['the member was placed', [placed], { value: 1, weight: 0.25 }],
    [
      'the member was not placed',
      [{ outcome: 'not_placed', placed_at: null, ended_at: null }],
      { value: 0, weight: 0.25 },
    ],
    ['the placement was extended', [placed, { ...placed, outcome: 'extended' }], { value: 1, weight: 0.75 }],
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
    const buildRating = (
      stage_days: 30 | 90 | 180,
      overall_rating: number,
      respondent: 'member' | 'organisation',
    ) => ({ stage_days, overall_rating, respondent }) as const;
    expect(summariseResults([], [buildRating(30, 5, 'member'), buildRating(30, 1, 'organisation')])).toEqual({
      value: 0.5,
      weight: 1,
    });
    expect(
      summariseResults([], [buildRating(30, 1, 'member'), buildRating(180, 5, 'member')]).value,
    ).toBeCloseTo(2 / 3, 12);
  });
});

it('an observation counts half after the half-life, and no more than its weight before', () => {
  expect(computeFadedWeight(2, start, addDays(half_life_days))).toBe(1);
  expect(computeFadedWeight(2, start, start)).toBe(2);
  expect(computeFadedWeight(2, addDays(3), start)).toBe(2);
});
