import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getItemCurves, grid } from '@tessera/psychometrics';
import { itemBank } from '../items/item-bank.ts';
import type { Answer, GradedItem } from '../items/item.ts';
import { continuousTraits, type ContinuousTrait } from '../taxonomy.ts';
import { computePosterior } from './posterior.ts';
import { judgedCovariance } from '../prior.ts';
import { listGradedItems } from '#test/modules/items.ts';

const options = fc.integer({ min: 0, max: 4 });
const answerSets = fc
  .uniqueArray(fc.constantFrom(...itemBank.graded), { minLength: 1, maxLength: 60 })
  .chain((items) => fc.tuple(...items.map((item) => options.map((option) => buildAnswer(item, option)))));

describe('the posterior', () => {
  test('is the prior before any answer', () => {
    const posterior = computePosterior([]);
    expect(posterior.mean).toEqual(continuousTraits.map(() => 0));
    expect(posterior.variance).toEqual(continuousTraits.map(() => 1));
    expect(posterior.covariance).toEqual(judgedCovariance);
  });

  test('does not depend on the order of the answers', () => {
    fc.assert(
      fc.property(
        answerSets.chain((answers) => fc.tuple(fc.constant(answers), shuffle(answers))),
        ([answers, other]) => {
          const one = computePosterior(answers);
          const two = computePosterior(other);
          for (const index of continuousTraits.keys()) {
            expect(Math.abs(one.mean[index]! - two.mean[index]!)).toBeLessThan(1e-9);
            expect(Math.abs(one.variance[index]! - two.variance[index]!)).toBeLessThan(1e-9);
          }
        },
      ),
      { seed: 7, numRuns: 50 },
    );
  });

  test('has finite means, variances between 0 and 1 and a symmetric covariance for any answers', () => {
    fc.assert(
      fc.property(answerSets, (answers) => {
        const { mean, variance, covariance } = computePosterior(answers);
        for (const [row, value] of variance.entries()) {
          expect(Math.abs(mean[row]!)).toBeLessThan(5);
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
          for (const column of variance.keys())
            expect(covariance[row]![column]).toBeCloseTo(covariance[column]![row]!, 12);
        }
      }),
      { seed: 8, numRuns: 50 },
    );
  });

  test('increases with every step of agreement with a statement, and decreases for a reversed one', () => {
    for (const item of itemBank.graded) {
      const index = continuousTraits.indexOf(item.trait);
      const means = [0, 1, 2, 3, 4].map(
        (option) => computePosterior([buildAnswer(item, option)]).mean[index]!,
      );
      if (item.reversed) means.reverse();
      expect(means).toEqual(means.toSorted((one, other) => one - other));
      expect(new Set(means).size).toBe(5);
    }
  });

  test('also informs related traits, mostly within the family', () => {
    const { mean, variance } = computePosterior(agreeWithAll('sincerity'));
    const findIndex = (trait: ContinuousTrait) => continuousTraits.indexOf(trait);
    expect(mean[findIndex('sincerity')]).toBeGreaterThan(mean[findIndex('discretion')]!);
    expect(mean[findIndex('discretion')]).toBeGreaterThan(mean[findIndex('purpose_orientation')]!);
    expect(mean[findIndex('purpose_orientation')]).toBeGreaterThan(0);
    expect(variance[findIndex('discretion')]).toBeLessThan(variance[findIndex('purpose_orientation')]!);
  });

  test('is exact for a single trait', () => {
    fc.assert(
      fc.property(fc.array(options, { minLength: 1, maxLength: 12 }), (chosen) => {
        const items = listGradedItems('persistence');
        const answers = chosen.map((option, index) => buildAnswer(items[index]!, option));
        const exact = computeMoments(
          grid.map((theta, point) => [
            theta,
            Math.exp((-theta * theta) / 2 + computeLogLikelihood(answers, items, point)),
          ]),
        );
        const index = continuousTraits.indexOf('persistence');
        expect(computePosterior(answers).mean[index]).toBeCloseTo(exact.mean, 8);
        expect(computePosterior(answers).variance[index]).toBeCloseTo(exact.variance, 8);
      }),
      { seed: 9, numRuns: 50 },
    );
  });

  test('is within 0.02 standard deviations of the exact posterior for two related traits', () => {
    const [first, second] = [listGradedItems('sincerity'), listGradedItems('discretion')];
    fc.assert(
      fc.property(fc.array(options, { minLength: 2, maxLength: 10 }), (chosen) => {
        const one = chosen
          .filter((_, index) => index % 2 === 0)
          .map((option, index) => buildAnswer(first[index]!, option));
        const two = chosen
          .filter((_, index) => index % 2 === 1)
          .map((option, index) => buildAnswer(second[index]!, option));
        const weights = grid.map((x, row): [number, number] => [
          x,
          grid.reduce((sum, y, column) => {
            const prior = (x * x - 0.8 * x * y + y * y) / (2 * (1 - 0.16));
            const likelihood =
              computeLogLikelihood(one, first, row) + computeLogLikelihood(two, second, column);
            return sum + Math.exp(likelihood - prior);
          }, 0),
        ]);
        const exact = computeMoments(weights);
        const { mean, variance } = computePosterior([...one, ...two]);
        const index = continuousTraits.indexOf('sincerity');
        expect(Math.abs(mean[index]! - exact.mean)).toBeLessThan(0.02);
        expect(Math.abs(Math.sqrt(variance[index]!) - Math.sqrt(exact.variance))).toBeLessThan(0.02);
      }),
      { seed: 10, numRuns: 10 },
    );
  });

  test('stays finite when every statement gets the same option', () => {
    for (const option of [0, 2, 4]) {
      const { mean, variance } = computePosterior(itemBank.graded.map((item) => buildAnswer(item, option)));
      for (const index of continuousTraits.keys()) {
        expect(Number.isFinite(mean[index])).toBe(true);
        expect(variance[index]).toBeGreaterThan(0);
      }
    }
    const highest = computePosterior(itemBank.graded.map((item) => buildAnswer(item, item.reversed ? 0 : 4)));
    for (const mean of highest.mean) expect(mean).toBeGreaterThan(2);
  });

  test('ignores a statement that does not apply to the member', () => {
    const item = itemBank.graded.find(({ may_not_apply }) => may_not_apply)!;
    expect(computePosterior([buildAnswer(item, 5)])).toEqual(computePosterior([]));
    expect(computePosterior([buildAnswer(item, 4)])).not.toEqual(computePosterior([]));
  });

  test('rejects an option that the scale does not have', () => {
    expect(() => computePosterior([buildAnswer(itemBank.graded[0]!, 5)])).toThrow(RangeError);
  });
});

function buildAnswer(item: GradedItem, option: number): Answer {
  return { item_id: item.id, option };
}

function agreeWithAll(trait: ContinuousTrait): Answer[] {
  return listGradedItems(trait).map((item) => buildAnswer(item, item.reversed ? 0 : 4));
}

function shuffle(answers: readonly Answer[]): fc.Arbitrary<Answer[]> {
  return fc.shuffledSubarray([...answers], { minLength: answers.length, maxLength: answers.length });
}

function computeLogLikelihood(
  answers: readonly Answer[],
  items: readonly GradedItem[],
  point: number,
): number {
  return answers.reduce(
    (sum, { option }, index) => sum + getItemCurves(items[index]!).logLikelihood[option]![point]!,
    0,
  );
}

function computeMoments(weights: readonly (readonly [number, number])[]): { mean: number; variance: number } {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const mean = weights.reduce((sum, [theta, weight]) => sum + theta * weight, 0) / total;
  const variance = weights.reduce((sum, [theta, weight]) => sum + (theta - mean) ** 2 * weight, 0) / total;
  return { mean, variance };
}
