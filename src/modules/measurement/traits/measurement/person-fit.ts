import { getItemCurves, grid, logGamma, toKeyedCategory } from '@tessera/psychometrics';
import { findStatement, type ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { traitFamilies } from '../taxonomy.ts';
import { priorCorrelation } from '../prior.ts';

export type StatementAnswer<Trait extends string = string> = {
  readonly item: GradedItem<Trait>;
  readonly option: number;
};

/** Lists the answers that say something about a trait: those to statements that apply. */
export function listStatementAnswers<Trait extends string>(
  answers: readonly Answer[],
  bank: ItemBank<Trait>,
): readonly StatementAnswer<Trait>[] {
  return answers.flatMap(({ item_id, option }) => {
    const item = findStatement(bank, item_id);
    return item && !isSkipped(item, option) ? [{ item, option }] : [];
  });
}

/** How much better two other ways of answering explain answers than the traits alone do: ln P(answers | way) - ln P(answers | traits). */
export type AnswerEvidence = { readonly careless: number; readonly idealised: number };

/**
 * Compares three models of how answers came about by their likelihoods. A ratio of likelihoods is the most powerful statistic for telling
 * two models of answering apart (Levine and Drasgow 1988, Psychometrika 53). It tells careless answers from honest ones much better than
 * the standardised likelihood lz (Drasgow, Levine and Williams 1985), which docs/decisions/measurement.md compares.
 *
 * - Traits: the answers follow from traits that correlate as in the prior, and from two styles. A tendency to agree more or less than most
 *   members do shifts all statements and is normal with a standard deviation of 0.35. One in twenty members prefers the ends of the scale,
 *   and one in twenty avoids them. (Higher shares would take clicks around the middle for a style.)
 * - Careless: from the beginning or from the middle on, each option is chosen with a frequency of the respondent's own, whatever the
 *   statement says. All frequencies are equally probable beforehand. This includes choosing at random and choosing one option throughout.
 * - Idealised: as with traits, but nine of ten answers are one step more favourable than that.
 */
export function computeAnswerEvidence(answers: readonly StatementAnswer[]): AnswerEvidence {
  const traits = addLogarithms(
    styles.map(({ move, weight }) => Math.log(weight) + computeLikelihood(answers, move)),
  );
  const middle = Math.round(answers.length / 2);
  const careless = [0, middle].map(
    (start) =>
      computeLikelihood(answers.slice(0, start), keepAnswer) +
      computeCarelessLikelihood(answers.slice(start)),
  );
  return {
    careless: addLogarithms(careless) - Math.LN2 - traits,
    idealised: computeLikelihood(answers, improveAnswer) - traits,
  };
}

/** What becomes of the category that the traits suggest, `top` being the highest: another category, and how probable it is. */
type Move = (category: number, top: number) => { readonly to: number; readonly probability: number };

const keepAnswer: Move = (category) => ({ to: category, probability: 1 });
const improveAnswer: Move = (category, top) => ({ to: Math.min(top, category + 1), probability: 0.9 });
const moveOutwards: Move = (category, top) => ({
  to: Math.min(top, Math.max(0, category + Math.sign(category - top / 2))),
  probability: 0.5,
});
const moveInwards: Move = (category, top) => ({
  to: Math.min(top - 1, Math.max(1, category)),
  probability: 0.5,
});

const styles = [
  { move: keepAnswer, weight: 0.9 },
  { move: moveOutwards, weight: 0.05 },
  { move: moveInwards, weight: 0.05 },
] as const;

/** Returns ln P(option | trait) on the grid if answers are moved. The curves of all options are computed once. */
function getMovedCurve({ item, option }: StatementAnswer, move: Move): Float64Array {
  if (move === keepAnswer) return getItemCurves(item).logLikelihood[option]!;
  const known = movedCurves.get(item) ?? new Map<Move, readonly Float64Array[]>();
  movedCurves.set(item, known);
  const curves = known.get(move) ?? computeMovedCurves(item, move);
  known.set(move, curves);
  return curves[option]!;
}

const movedCurves = new WeakMap<GradedItem<string>, Map<Move, readonly Float64Array[]>>();

function computeMovedCurves(item: GradedItem<string>, move: Move): readonly Float64Array[] {
  const { logLikelihood } = getItemCurves(item);
  const top = logLikelihood.length - 1;
  const moved = logLikelihood.map((curve) => new Float64Array(curve.length));
  for (const [option, curve] of logLikelihood.entries()) {
    const { to, probability } = move(toKeyedCategory(item, option), top);
    const target = toKeyedCategory(item, to);
    for (const [point, own] of curve.entries()) {
      moved[option]![point]! += (1 - probability) * Math.exp(own);
      moved[target]![point]! += probability * Math.exp(own);
    }
  }
  return moved.map((curve) => curve.map(Math.log));
}

/** Every second point of the grid, which is fine enough for likelihoods of single persons. */
const points = Array.from({ length: (grid.length + 1) / 2 }, (_, index) => 2 * index);

/** Agreeing more (positive) or less than most members, in points of the grid, and ln of how probable each is. */
const shifts = [-6, -3, 0, 3, 6];
const shiftWeights = computeNormalLogWeights(shifts, 0, (8 * 0.35) ** 2);

/**
 * The correlations of the prior as factors: a trait is a general part, a part of its family and a part of its own, each normal. The general
 * and the family parts have the variances of the correlations. The general part also has the variance by which all norms may be wrong
 * together (0.4, docs/decisions/measurement.md), so that a population whose level is not known is not taken for one that idealises.
 */
const { within_family, across_families } = priorCorrelation;
const general_variance = across_families + 0.4 ** 2;
const generalValues = Array.from(
  { length: 9 },
  (_, index) => Math.sqrt(general_variance) * (index - 4) * 0.75,
);
const generalWeights = computeNormalLogWeights(generalValues, 0, general_variance);
const familyValues = Array.from({ length: 19 }, (_, index) => (index - 9) / 3);
const familyWeights = generalValues.map((general) =>
  computeNormalWeights(familyValues, general, within_family - across_families),
);
const traitWeights = familyValues.map((family) =>
  computeNormalWeights(
    points.map((point) => grid[point]!),
    family,
    1 - within_family,
  ),
);

/** The families by trait. A trait that is not part of the taxonomy is a family of its own. */
const families: ReadonlyMap<string, string> = new Map(
  Object.entries(traitFamilies).flatMap(([family, traits]) => traits.map((trait) => [trait, family])),
);

/** Computes ln of the likelihood of the answers over the population. */
function computeLikelihood(answers: readonly StatementAnswer[], move: Move): number {
  if (answers.length === 0) return 0;
  const byTrait = [...Map.groupBy(answers, ({ item }) => item.trait).values()];
  const byFamily = [
    ...Map.groupBy(byTrait, ([answer]) => families.get(answer!.item.trait) ?? answer!.item.trait).values(),
  ];
  return addLogarithms(
    shifts.map((shift, index) => {
      const byGeneral = addCurves(
        byFamily.map((traits) => averageByRows(computeFamilyCurve(traits, move, shift), familyWeights)),
      );
      return (
        shiftWeights[index]! +
        addLogarithms(generalWeights.map((weight, general) => weight + byGeneral[general]!))
      );
    }),
  );
}

/** Computes ln P(answers of the traits | the general and the family part) at the values of their sum. */
function computeFamilyCurve(
  traits: readonly (readonly StatementAnswer[])[],
  move: Move,
  shift: number,
): Float64Array {
  return addCurves(
    traits.map((answers) => averageByRows(computeTraitCurve(answers, move, shift), traitWeights)),
  );
}

function addCurves(curves: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(curves[0]!.length);
  for (const curve of curves) for (let place = 0; place < sum.length; place++) sum[place]! += curve[place]!;
  return sum;
}

/** Computes ln P(answers of one trait | trait) at the points. */
function computeTraitCurve(answers: readonly StatementAnswer[], move: Move, shift: number): Float64Array {
  const sum = new Float64Array(points.length);
  for (const answer of answers) {
    const curve = getMovedCurve(answer, move);
    const step = answer.item.reversed ? -shift : shift;
    const last = grid.length - 1;
    for (let place = 0; place < sum.length; place++)
      sum[place]! += curve[Math.min(last, Math.max(0, 2 * place + step))]!;
  }
  return sum;
}

/**
 * Computes ln of the weighted means of the exponentials, one for each row of weights. The weights of a row sum to 1. Loops take a third of
 * the time of `map` and `from` here.
 */
function averageByRows(logarithms: Float64Array, rows: readonly Float64Array[]): Float64Array {
  const size = logarithms.length;
  let peak = -Infinity;
  for (let place = 0; place < size; place++) peak = Math.max(peak, logarithms[place]!);
  for (let place = 0; place < size; place++) scaled[place] = Math.exp(logarithms[place]! - peak);
  const averages = new Float64Array(rows.length);
  for (let row = 0; row < averages.length; row++) {
    const weights = rows[row]!;
    let sum = 0;
    for (let place = 0; place < size; place++) sum += weights[place]! * scaled[place]!;
    averages[row] = peak + Math.log(sum);
  }
  return averages;
}

const scaled = new Float64Array(grid.length);

/** Computes ln of the Dirichlet-multinomial probability of the options, with a uniform distribution over the frequencies. */
function computeCarelessLikelihood(answers: readonly StatementAnswer[]): number {
  const options = Math.max(0, ...answers.map(({ item }) => item.thresholds.length + 1));
  const counts = Array.from({ length: options }, () => 0);
  for (const { option } of answers) counts[option]!++;
  const sum = counts.reduce((total, count) => total + logGamma(count + 1), 0);
  return answers.length === 0 ? 0 : logGamma(options) - logGamma(options + answers.length) + sum;
}

/** Computes ln of normal densities at values, scaled so that they sum to 1. */
function computeNormalLogWeights(
  values: readonly number[],
  mean: number,
  variance: number,
): readonly number[] {
  const logarithms = values.map((value) => -((value - mean) ** 2) / variance / 2);
  const total = addLogarithms(logarithms);
  return logarithms.map((each) => each - total);
}

function computeNormalWeights(values: readonly number[], mean: number, variance: number): Float64Array {
  return Float64Array.from(computeNormalLogWeights(values, mean, variance), Math.exp);
}

/** Computes ln of the sum of the exponentials. */
function addLogarithms(logarithms: readonly number[]): number {
  const peak = Math.max(...logarithms);
  return peak + Math.log(logarithms.reduce((sum, each) => sum + Math.exp(each - peak), 0));
}
