import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAnswers } from '#test/modules/culture.ts';
import { bravingDimensions, bravingItems, cvfBlocks, cvfQuadrants, statementIds } from './questionnaire.ts';
import { cvf_total, dimension_max, computePoints, computeScores, type Answers } from './score.ts';

const answers: fc.Arbitrary<Answers> = fc.record({
  braving: fc.record(
    Object.fromEntries(bravingItems.map(({ item_id }) => [item_id, fc.integer({ min: 0, max: 4 })])),
  ),
  cvf: fc.record(
    Object.fromEntries(
      cvfBlocks.map(({ block_id }) => [
        block_id,
        fc.shuffledSubarray([...statementIds], { minLength: 4, maxLength: 4 }),
      ]),
    ),
  ),
});
const several = fc.array(answers, { minLength: 1, maxLength: 30 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('the questionnaire', () => {
  test('has four statements for each dimension of BRAVING, two of them reversed, with distinct ids and texts', () => {
    for (const dimension of bravingDimensions) {
      const items = bravingItems.filter((item) => item.dimension === dimension);
      expect([items.length, items.filter(({ reversed }) => reversed).length]).toEqual([4, 2]);
    }
    expect(new Set(bravingItems.map(({ item_id }) => item_id)).size).toBe(28);
    expect(new Set(bravingItems.map(({ text }) => text)).size).toBe(28);
  });

  test('has six blocks with one statement for each quadrant, each quadrant once or twice in each position', () => {
    expect(cvfBlocks).toHaveLength(6);
    for (const { statements } of cvfBlocks) {
      expect(statements.map(({ quadrant }) => quadrant).toSorted()).toEqual([...cvfQuadrants].toSorted());
      expect(statements.map(({ statement_id }) => statement_id)).toEqual([...statementIds]);
    }
    for (const quadrant of cvfQuadrants)
      for (const place of [0, 1, 2, 3]) {
        const count = cvfBlocks.filter(({ statements }) => statements[place]!.quadrant === quadrant).length;
        expect([1, 2]).toContain(count);
      }
  });
});

describe('the points of one respondent', () => {
  test('are within their bounds, and those of the quadrants always have the same sum', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const { braving, cvf } = computePoints(given);
        for (const each of braving) expect(each >= 0 && each <= dimension_max).toBe(true);
        for (const each of cvf) expect(each >= 0 && each <= cvf_total / 2).toBe(true);
        expect(sum(cvf)).toBe(cvf_total);
      }),
    );
  });

  test('are highest for full trust, zero for no trust, and in the middle for a respondent who always agrees', () => {
    expect(computePoints(buildAnswers(4)).braving).toEqual(Array(7).fill(dimension_max));
    expect(computePoints(buildAnswers(0)).braving).toEqual(Array(7).fill(0));
    const alwaysAgrees = {
      ...buildAnswers(4),
      braving: Object.fromEntries(bravingItems.map(({ item_id }) => [item_id, 4])),
    };
    expect(computePoints(alwaysAgrees).braving).toEqual(Array(7).fill(dimension_max / 2));
  });

  test('are highest for the quadrant that is always ranked first, and zero for the one ranked last', () => {
    const { cvf } = computeScores([
      computePoints(buildAnswers(2, ['market', 'clan', 'hierarchy', 'adhocracy'])),
    ]);
    expect(cvf.market).toBe(0.5);
    expect(cvf.clan).toBeCloseTo(1 / 3);
    expect(cvf.hierarchy).toBeCloseTo(1 / 6);
    expect(cvf.adhocracy).toBe(0);
  });

  test('rise with agreement to a statement for a dimension, and fall with agreement to one against it', () => {
    for (const { item_id, dimension, reversed } of bravingItems) {
      const middle = buildAnswers(2);
      const more = computePoints({ ...middle, braving: { ...middle.braving, [item_id]: 3 } });
      const changed = more.braving.map((points, place) => points - computePoints(middle).braving[place]!);
      const expected = bravingDimensions.map((each) => (each === dimension ? (reversed ? -1 : 1) : 0));
      expect(changed).toEqual(expected);
    }
  });
});

describe('the scores of several respondents', () => {
  test('do not depend on their order', () => {
    fc.assert(
      fc.property(
        several.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(computeScores(shuffled.map(computePoints))).toEqual(computeScores(all.map(computePoints)));
        },
      ),
    );
  });

  test('are within their bounds, and the quadrants sum to one', () => {
    fc.assert(
      fc.property(several, (all) => {
        const { braving, cvf } = computeScores(all.map(computePoints));
        for (const each of Object.values(braving)) expect(each >= 0 && each <= 1).toBe(true);
        for (const each of Object.values(cvf)) expect(each >= 0 && each <= 0.5).toBe(true);
        expect(sum(Object.values(cvf))).toBeCloseTo(1, 12);
      }),
    );
  });

  test('of respondents with equal answers are the scores of one of them', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 12 }), (given, count) => {
        const one = computeScores([computePoints(given)]);
        const many = computeScores(Array.from({ length: count }, () => computePoints(given)));
        for (const dimension of bravingDimensions)
          expect(many.braving[dimension]).toBeCloseTo(one.braving[dimension], 12);
        for (const quadrant of cvfQuadrants) expect(many.cvf[quadrant]).toBeCloseTo(one.cvf[quadrant], 12);
      }),
    );
  });
});
