import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packAnswers, unpackAnswers } from './packed-answers.ts';

const answers = fc.array(
  fc.record({ item_id: fc.constantFrom('sin_01', 'sin_02', 'fai_07'), option: fc.nat({ max: 9 }) }),
);

test('packed answers are what they were, respondent by respondent', () => {
  fc.assert(
    fc.property(fc.array(answers), (answerSets) => {
      expect(unpackAnswers(packAnswers(answerSets))).toEqual(answerSets);
    }),
  );
});
