import {
  bravingDimensions,
  bravingItems,
  cvfBlocks,
  cvfQuadrants,
  type BravingDimension,
  type CvfQuadrant,
  type StatementId,
} from './questionnaire.ts';

/** One respondent's answers: item → step of agreement, 0 to 4; block → its statements from the one most like us to the least. */
export type Answers = {
  readonly braving: Readonly<Record<string, number>>;
  readonly cvf: Readonly<Record<string, readonly StatementId[]>>;
};

/** All that is kept of one respondent's answers: points in the order of the dimensions and of the quadrants. */
export type Points = { readonly braving: readonly number[]; readonly cvf: readonly number[] };

/** What a culture profile says. */
export type Scores = {
  /** Share of the points that there are, 0 to 1: 0.5 is neither agreement nor disagreement. */
  readonly braving: Readonly<Record<BravingDimension, number>>;
  /** Share of all points that were given, 0 to 0.5; the four sum to 1, and 0.25 is neither more nor less than the others. */
  readonly cvf: Readonly<Record<CvfQuadrant, number>>;
};

const agreement_max = 4;

/** The most points of one respondent in one dimension. */
export const dimension_max = (agreement_max * bravingItems.length) / bravingDimensions.length;

/** The points of one respondent over all quadrants: 3, 2, 1 and 0 in each block. */
export const cvf_total = 6 * cvfBlocks.length;

/** The points of complete answers: agreement, turned round where a statement speaks against its dimension; 3 for the first place in a block to 0 for the last. */
export function computePoints({ braving, cvf }: Answers): Points {
  const agreement = bravingItems.map(({ item_id, dimension, reversed }): GivenPoints => {
    const option = braving[item_id]!;
    return { name: dimension, points: reversed ? agreement_max - option : option };
  });
  const places = cvfBlocks.flatMap(({ block_id, statements }) =>
    statements.map(({ statement_id, quadrant }): GivenPoints => {
      const place = cvf[block_id]!.indexOf(statement_id);
      return { name: quadrant, points: statements.length - 1 - place };
    }),
  );
  return { braving: sumPoints(bravingDimensions, agreement), cvf: sumPoints(cvfQuadrants, places) };
}

type GivenPoints = { readonly name: BravingDimension | CvfQuadrant; readonly points: number };

function sumPoints(names: readonly GivenPoints['name'][], given: readonly GivenPoints[]): readonly number[] {
  return names.map((name) => given.reduce((sum, each) => (each.name === name ? sum + each.points : sum), 0));
}

/** The scores of several respondents together; each counts the same. Sums of integers, so their order cannot matter. */
export function computeScores(respondents: readonly Points[]): Scores {
  const computeShares = <Name extends string>(names: readonly Name[], part: keyof Points, most: number) =>
    Object.fromEntries(
      names.map((name, place) => [
        name,
        respondents.reduce((sum, points) => sum + points[part][place]!, 0) / (most * respondents.length),
      ]),
    ) as Record<Name, number>;
  return {
    braving: computeShares(bravingDimensions, 'braving', dimension_max),
    cvf: computeShares(cvfQuadrants, 'cvf', cvf_total),
  };
}
