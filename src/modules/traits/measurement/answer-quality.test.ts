import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { itemBank } from '../items/item-bank.ts';
import { computeAnswerQuality, qualityLimits } from './answer-quality.ts';
import { simulateAssessment, simulateMember } from './simulated-member.ts';

const agreeing = itemBank.graded.slice(0, 60).map((item) => ({ item_id: item.id, option: 3 }));

describe('answer quality', () => {
  test('raises no flag for members who answer honestly at a normal pace', () => {
    const random = createSeededRandom(13);
    for (let member = 0; member < 10; member++) {
      const answers = simulateAssessment(simulateMember(random), `quality-${member}`, random);
      const timed = answers.map((answer, index) => ({ ...answer, response_time_ms: 2500 + 40 * index }));
      expect(computeAnswerQuality(timed).flags).toEqual([]);
    }
  });

  test('flags agreement with everything by its longest run and by the reversed statements', () => {
    const { longest_run, reversed_gap, flags } = computeAnswerQuality(agreeing);
    expect(longest_run).toBe(60);
    expect(reversed_gap).toBeCloseTo(2, 12);
    expect(flags).toEqual(['straight_lining', 'inconsistent_reversed_items']);
  });

  test('flags a median time below the limit, but not at the limit', () => {
    const limit = qualityLimits.median_response_time_ms;
    const addTimes = (response_time_ms: number) => agreeing.map((each) => ({ ...each, response_time_ms }));
    expect(computeAnswerQuality(addTimes(limit - 1)).flags).toContain('fast_answers');
    expect(computeAnswerQuality(addTimes(limit)).flags).not.toContain('fast_answers');
  });

  test('computes the median of the known times', () => {
    const times = [900, undefined, 5000, 1000, 800];
    const answers = times.map((time, index) => ({
      ...agreeing[index]!,
      ...(time !== undefined && { response_time_ms: time }),
    }));
    expect(computeAnswerQuality(answers).median_response_time_ms).toBe(950);
  });

  test('returns null and raises no flag without answers', () => {
    expect(computeAnswerQuality([])).toEqual({
      longest_run: 0,
      reversed_gap: null,
      median_response_time_ms: null,
      flags: [],
    });
  });

  test('ignores scenarios', () => {
    const scenarios = itemBank.scenarios.map(({ id }) => ({ item_id: id, option: 0, response_time_ms: 1 }));
    expect(computeAnswerQuality(scenarios)).toEqual(computeAnswerQuality([]));
  });
});
