import { findStatement, type ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { fillNormalWeights, getItemCurves, grid } from './item-curves.ts';
import { logGamma } from './special-functions.ts';

/** A given answer to a statement. */
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

/**
 * Computes how much better the traits explain the answers than carelessness does: ln P(answers | traits) - ln P(answers | careless).
 *
 * This is the most powerful statistic for telling two models of answering apart (Levine and Drasgow 1988, Psychometrika 53). It tells
 * careless answers from honest ones much better than the standardised likelihood lz (Drasgow, Levine and Williams 1985), which decision 0045 compares.
 *
 * - A member answers according to the traits, which are independent and standard normal here, and agrees more or less than most members by
 *   a shift of all statements, which is normal with a standard deviation of 0.35.
 * - A careless respondent chooses each option with a frequency of their own, whatever the statement says. All frequencies are equally
 *   probable beforehand. This includes choosing at random and choosing one option throughout.
 */
export function computeTraitEvidence(answers: readonly StatementAnswer[]): number {
  return computeTraitLikelihood(answers) - computeCarelessLikelihood(answers);
}

/** Agreeing more (positive) or less than most members, in points of the grid, and how probable each is. */
const shifts = [-8, -6, -4, -2, 0, 2, 4, 6, 8];
const shiftWeights = normalise(shifts.map((shift) => Math.exp(-((shift / 8 / 0.35) ** 2) / 2)));

function computeTraitLikelihood(answers: readonly StatementAnswer[]): number {
  const traits = [...Map.groupBy(answers, ({ item }) => item.trait).values()];
  return addLogarithms(
    shifts.map(
      (shift, index) =>
        Math.log(shiftWeights[index]!) +
        traits.reduce((sum, own) => sum + computeMarginalLikelihood(own, shift), 0),
    ),
  );
}

/** Computes ln of the integral of the likelihood of one trait's answers over the population. */
function computeMarginalLikelihood(answers: readonly StatementAnswer[], shift: number): number {
  const logarithms = Float64Array.from(populationWeights, (weight) => Math.log(weight));
  for (const { item, option } of answers) {
    const curve = getItemCurves(item).logLikelihood[option]!;
    const step = item.reversed ? -shift : shift;
    for (let point = 0; point < logarithms.length; point++)
      logarithms[point]! += curve[Math.min(grid.length - 1, Math.max(0, point + step))]!;
  }
  return addLogarithms(logarithms);
}

const populationWeights = ((weights) => {
  fillNormalWeights(weights, 0, 1);
  return normalise(Array.from(weights));
})(new Float64Array(grid.length));

/** Computes ln of the Dirichlet-multinomial probability of the options, with a uniform distribution over the frequencies. */
function computeCarelessLikelihood(answers: readonly StatementAnswer[]): number {
  const options = Math.max(0, ...answers.map(({ item }) => item.thresholds.length + 1));
  const counts = Array.from({ length: options }, () => 0);
  for (const { option } of answers) counts[option]!++;
  const sum = counts.reduce((total, count) => total + logGamma(count + 1), 0);
  return answers.length === 0 ? 0 : logGamma(options) - logGamma(options + answers.length) + sum;
}

function normalise(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Computes ln of the sum of the exponentials. */
function addLogarithms(logarithms: ArrayLike<number>): number {
  let peak = -Infinity;
  for (let index = 0; index < logarithms.length; index++) peak = Math.max(peak, logarithms[index]!);
  let sum = 0;
  for (let index = 0; index < logarithms.length; index++) sum += Math.exp(logarithms[index]! - peak);
  return peak + Math.log(sum);
}
