import { describe, expect, test } from 'vitest';
import type { Answer } from '../items/item.ts';
import { stoppingRule } from './next-item.ts';
import { computeDeepening, computeFullProgress, computeProgress, usualTotal } from './progress.ts';
import { findDueResult, first_stage_items, items_per_result } from './stages.ts';

const answerItems = (count: number, response_time_ms?: number): readonly Answer[] =>
  Array.from({ length: count }, (_, index) => ({
    item_id: `item_${index}`,
    option: 0,
    ...(response_time_ms !== undefined && { response_time_ms }),
  }));

describe('a result', () => {
  test('is due after the first stage, after every fifteen further items, and at the end', () => {
    const due: (readonly [number, string])[] = [];
    let counted = 0;
    for (let answered = 1; answered <= 111; answered++) {
      const result = findDueResult(answered, counted, answered === 111);
      if (!result) continue;
      due.push([answered, result]);
      counted = answered;
    }
    expect([first_stage_items, items_per_result]).toEqual([50, 15]);
    expect(due).toEqual([
      [50, 'deepening'],
      [65, 'deepening'],
      [80, 'deepening'],
      [95, 'deepening'],
      [110, 'deepening'],
      [111, 'complete'],
    ]);
  });

  test('is due with the next answer of an assessment that had more answers before there were stages', () => {
    expect(findDueResult(81, 0, false)).toBe('deepening');
  });
});

describe('progress', () => {
  test.each(['first', 'deepening'] as const)(
    'never decreases within the stage %s, and never reaches 100',
    (stage) => {
      const [start, end] =
        stage === 'first' ? [0, first_stage_items] : [first_stage_items, stoppingRule.most_items];
      let before = 0;
      for (let count = start; count < end; count++) {
        const { answered, estimated_total, percent, minutes_left } = computeProgress(
          answerItems(count),
          stage,
        );
        expect(answered).toBe(count);
        expect(percent).toBeGreaterThanOrEqual(before);
        expect(percent).toBeLessThan(100);
        expect(estimated_total).toBeGreaterThan(answered);
        expect(estimated_total).toBeLessThanOrEqual(stoppingRule.most_items);
        expect(minutes_left).toBeGreaterThan(0);
        before = percent;
      }
      expect(computeProgress(answerItems(start), stage).percent).toBe(
        stage === 'first' ? 0 : Math.floor((100 * start) / usualTotal),
      );
    },
  );

  test('is 100 and without minutes left when everything agreed to is answered', () => {
    expect(computeFullProgress(answerItems(107))).toEqual({
      answered: 107,
      estimated_total: 107,
      percent: 100,
      minutes_left: 0,
    });
  });

  test('leads from the end of the first stage to what the deepening was said to take', () => {
    const answers = answerItems(first_stage_items, 6_000);
    const { items, minutes } = computeDeepening(answers);
    expect(computeProgress(answers, 'deepening')).toMatchObject({
      estimated_total: first_stage_items + items,
      minutes_left: minutes,
    });
  });

  test('estimates the minutes from the usual pace at first, and then from the pace of the member', () => {
    expect(computeProgress([], 'first').minutes_left).toBe(6);
    expect(computeProgress(answerItems(4, 30_000), 'first').minutes_left).toBe(6);
    expect(computeProgress(answerItems(20, 4_000), 'first').minutes_left).toBe(2);
    expect(computeProgress(answerItems(20, 20_000), 'first').minutes_left).toBe(10);
  });

  test('is not changed by a pause, by answers without thought or by a whole hour for each', () => {
    const pause = [...answerItems(19, 4_000), ...answerItems(1, 3_600_000)];
    expect(computeProgress(pause, 'first').minutes_left).toBe(2);
    expect(computeProgress(answerItems(20, 0), 'first').minutes_left).toBe(1);
    expect(computeProgress(answerItems(20, 3_600_000), 'first').minutes_left).toBe(30);
  });
});
