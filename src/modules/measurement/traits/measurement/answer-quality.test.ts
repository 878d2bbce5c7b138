import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { computeAnswerQuality, qualityLimits, type QualityFlag } from './answer-quality.ts';
import { computePosterior } from './posterior.ts';
import { simulateMember } from './simulated-member.ts';
import { behaviours } from '#test/modules/simulated-behaviour.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';

const measure = (answers: readonly Answer[]) =>
  computeAnswerQuality(answers, computePosterior(answers).mean, itemBank);

describe('answer quality', () => {
  test('trusts members who answer honestly, also those who agree more or less than others', () => {
    for (const behaviour of [
      'honest',
      'agrees more or less than others (sd a third of a step)',
      'prefers the ends of the scale: half of the answers one step further out',
      'avoids the ends of the scale: half of the extreme answers one step further in',
    ] as const)
      for (const answers of simulateAnswers(behaviour, 4)) {
        const timed = answers.map((answer, index) => ({ ...answer, response_time_ms: 2500 + 40 * index }));
        const { flags, trust } = measure(timed);
        expect(flags).toEqual([]);
        expect(trust).toBeGreaterThan(0.9);
      }
  });

  test.each<readonly [keyof typeof behaviours, QualityFlag]>([
    ['strongly agrees throughout', 'straight_lining'],
    ['agrees throughout', 'inconsistent'],
    ['middle option throughout', 'straight_lining'],
    ['options in turn', 'straight_lining'],
    ['clicks at random', 'inconsistent'],
    ['clicks at random around the middle', 'inconsistent'],
    ['clicks at random in the second half', 'inconsistent'],
    ['most favourable option throughout', 'idealised'],
  ])(
    '"%s" is flagged mostly, and the answers then get a sixth of their weight at most',
    (behaviour, flag) => {
      const flagged = simulateAnswers(behaviour, 12)
        .map(measure)
        .filter(({ flags }) => flags.includes(flag));
      expect(flagged.length).toBeGreaterThanOrEqual(9);
      for (const { trust } of flagged) expect(trust).toBeLessThanOrEqual(1 / 6);
    },
  );

  test('flags a pattern of two to five options from twenty answers on', () => {
    for (const period of [2, 3, 4, 5]) {
      const repeat = (length: number) =>
        measure(
          itemBank.graded.slice(0, length).map(({ id }, index) => ({ item_id: id, option: index % period })),
        );
      // The first answers, one for each option of the pattern, repeat nothing.
      const needed = qualityLimits.longest_pattern + period - 1;
      expect(repeat(needed).flags).toContain('straight_lining');
      expect(repeat(needed - 1).flags).not.toContain('straight_lining');
    }
  });

  test('flags a median time below the limit, but not at the limit', () => {
    const [honest = []] = simulateAnswers('honest', 1);
    const limit = qualityLimits.median_response_time_ms;
    const addTimes = (response_time_ms: number) => honest.map((each) => ({ ...each, response_time_ms }));
    expect(measure(addTimes(limit - 1)).flags).toEqual(['too_fast']);
    expect(measure(addTimes(limit)).flags).toEqual([]);
    // A client that sends stored answers is no reason to doubt them.
    expect(measure(addTimes(qualityLimits.human_response_time_ms - 1)).flags).toEqual([]);
  });

  test('computes the median of the known times', () => {
    const times = [900, undefined, 5000, 1000, 800];
    const answers = times.map((time, index) => ({
      item_id: itemBank.graded[index]!.id,
      option: 3,
      ...(time !== undefined && { response_time_ms: time }),
    }));
    expect(measure(answers).median_response_time_ms).toBe(950);
  });

  test('has no doubt before any answer', () => {
    const { flags, longest_run, longest_pattern, elevation, median_response_time_ms, trust } = measure([]);
    expect({ flags, longest_run, longest_pattern, elevation, median_response_time_ms }).toEqual({
      flags: [],
      longest_run: 0,
      longest_pattern: 0,
      elevation: 0,
      median_response_time_ms: null,
    });
    expect(trust).toBe(0.9);
  });

  test('ignores scenarios and statements that do not apply, except in patterns', () => {
    const skipped = itemBank.graded.filter(({ may_not_apply }) => may_not_apply);
    expect(skipped.length).toBeGreaterThan(0);
    const answers = [
      ...itemBank.scenarios.map(({ id }) => ({ item_id: id, option: 0 })),
      ...skipped.map(({ id }) => ({ item_id: id, option: 5 })),
    ];
    expect({ ...measure(answers), longest_pattern: 0 }).toEqual(measure([]));
  });
});

function simulateAnswers(behaviour: keyof typeof behaviours, count: number): readonly Answer[][] {
  const random = createSeededRandom(13);
  return Array.from({ length: count }, (_, index) =>
    simulateAssessment(simulateMember(random), `quality-${index}`, random, {
      behave: behaviours[behaviour](random),
    }),
  );
}
