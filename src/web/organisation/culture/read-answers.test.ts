import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAnswers } from './read-answers.ts';

const ids = ['a', 'b', 'c', 'd'];
const questions = {
  scale: ['no', 'perhaps', 'yes'],
  braving: [{ item_id: 'one' }, { item_id: 'two' }],
  cvf: [{ block_id: 'day', statements: ids.map((statement_id) => ({ statement_id })) }],
};

test('complete answers are read in the order of their places', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ids, { minLength: 4 }), fc.nat({ max: 2 }), (order, option) => {
      const ranks = order.map((id, place) => [`rank_day_${id}`, String(place + 1)]);
      const fields = { item_one: String(option), item_two: '0', ...Object.fromEntries(ranks) };
      expect(readAnswers(questions, fields)).toEqual({
        answers: { braving: { one: option, two: 0 }, cvf: { day: order } },
        missing: [],
      });
    }),
  );
});

test('what is missing, unknown or has two equal places is named', () => {
  const ranks = { rank_day_a: '1', rank_day_b: '2', rank_day_c: '2', rank_day_d: '4' };
  const { missing } = readAnswers(questions, { item_one: '3', ...ranks });
  expect(missing).toEqual([
    { name: 'item_one', kind: 'item' },
    { name: 'item_two', kind: 'item' },
    { name: 'rank_day', kind: 'block' },
  ]);
  expect(readAnswers(questions, {}).missing).toHaveLength(3);
});
