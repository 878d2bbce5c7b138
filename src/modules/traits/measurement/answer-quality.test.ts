import { describe, expect, test } from 'vitest';
import { computeAnswerQuality, qualityLimits } from './answer-quality.ts';
import { itemBank } from '../items/item-bank.ts';
import { simulateAssessment, simulateMember } from './simulated-member.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';

const agreeing = itemBank.graded.slice(0, 60).map((item) => ({ item_id: item.id, option: 3 }));

describe('answer quality', () => {
  test('raises no flag for people who answer as they are, at a normal pace', () => {
    const random = createSeededRandom(13);
    for (let person = 0; person < 10; person++) {
      const answers = simulateAssessment(simulateMember(random), `quality-${person}`, random);
      const timed = answers.map((answer, index) => ({ ...answer, response_time_ms: 2500 + 40 * index }));
      expect(computeAnswerQuality(timed).flags).toEqual([]);
    }
  });

  test('flags agreement with everything, by the run and by the reversed statements', () => {
    const { longest_run, reversed_gap, flags } = computeAnswerQuality(agreeing);
    expect(longest_run).toBe(60);
    expect(reversed_gap).toBeCloseTo(2, 12);
    expect(flags).toEqual(['straight_lining', 'inconsistent_reversed_items']);
  });

  test('flags a median below the limit and not one at it', () => {
    const limit = qualityLimits.median_response_time_ms;
    const timed = (response_time_ms: number) => agreeing.map((answer) => ({ ...answer, response_time_ms }));
    expect(computeAnswerQuality(timed(limit - 1)).flags).toContain('fast_answers');
    expect(computeAnswerQuality(timed(limit)).flags).not.toContain('fast_answers');
  });

  test('takes the median of the times that are known', () => {
    const times = [900, undefined, 5000, 1000, 800];
    const answers = times.map((time, index) => ({
      ...agreeing[index]!,
      ...(time !== undefined && { response_time_ms: time }),
    }));
    expect(computeAnswerQuality(answers).median_response_time_ms).toBe(950);
  });

  test('says null, and raises no flag, where there is nothing to say', () => {
    expect(computeAnswerQuality([])).toEqual({
      longest_run: 0,
      reversed_gap: null,
      median_response_time_ms: null,
      flags: [],
    });
  });

  test('passes over scenarios', () => {
    const scenarios = itemBank.scenarios.map(({ id }) => ({ item_id: id, option: 0, response_time_ms: 1 }));
    expect(computeAnswerQuality(scenarios)).toEqual(computeAnswerQuality([]));
  });
});
