import {
  bravingDimensions,
  bravingItems,
  cvfBlocks,
  cvfQuadrants,
  type BravingDimension,
  type CvfQuadrant,
  type StatementId,
} from './questionnaire.ts';

/** One respondent's answers: item → step of agreement, 0 to 4; block → its statements, from most to least fitting. */
export type Answers = {
  readonly braving: Readonly<Record<string, number>>;
  readonly cvf: Readonly<Record<string, readonly StatementId[]>>;
};

/** The part of one respondent's answers that is stored: points in the order of the dimensions and of the quadrants. */
export type Points = { readonly braving: readonly number[]; readonly cvf: readonly number[] };

/** What an organisation declares: its agreement in each dimension, 0 to 4, and the quadrants from what counts most to what counts least. */
export type Declaration = {
  readonly braving: Readonly<Record<BravingDimension, number>>;
  readonly cvf: readonly CvfQuadrant[];
};

/** The numbers of a culture profile. */
export type Scores = {
  /** Share of the possible points, 0 to 1; 0.5 is neither agreement nor disagreement. */
  readonly braving: Readonly<Record<BravingDimension, number>>;
  /** Share of all points given, 0 to 0.5; the four sum to 1, and 0.25 is the average. */
  readonly cvf: Readonly<Record<CvfQuadrant, number>>;
};

const agreement_max = 4;

/** The most points of one respondent in one dimension. */
export const dimension_max = (agreement_max * bravingItems.length) / bravingDimensions.length;

/** The points of one respondent over all quadrants: 3, 2, 1 and 0 in each block. */
export const cvf_total = 6 * cvfBlocks.length;

/**
 * Computes the points of complete answers: the agreement, reversed for statements against their dimension; and from 3 for the first place in
 * a block to 0 for the last.
 */
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

function sumPoints(names: readonly GivenPoints['name'][], all: readonly GivenPoints[]): readonly number[] {
  return names.map((name) => all.reduce((sum, each) => (each.name === name ? sum + each.points : sum), 0));
}

/** Computes the scores of several respondents with equal weights. They are sums of integers, so the order has no effect. */
export function computeScores(respondents: readonly Points[]): Scores {
  const computeShares = <Name extends string>(names: readonly Name[], part: keyof Points, most: number) =>
    // The type of Object.fromEntries forgets the names of the keys.
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

/** Computes the scores of a declaration: those of one respondent who agrees as much with every statement of a dimension, and gives every block this order. */
export function computeDeclaredScores({ braving, cvf }: Declaration): Scores {
  return computeScores([
    {
      braving: bravingDimensions.map((dimension) => (dimension_max / agreement_max) * braving[dimension]),
      cvf: cvfQuadrants.map(
        (quadrant) => cvfBlocks.length * (cvfQuadrants.length - 1 - cvf.indexOf(quadrant)),
      ),
    },
  ]);
}
