import { computeLogEvidence, grid, logGamma, toKeyedCategory } from '@tessera/psychometrics';
import { cacheByObject } from '#lib/cache-results.ts';
import { findStatement, type ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { getMarginalCurves, normalPoints, type CategoryCurves } from './marginal-curves.ts';

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
 * - Traits: the answers follow from traits that correlate as in the bank, and from two styles. A tendency to agree more or less than most
 *   members do shifts all statements and is normal with a standard deviation of 0.35. One in twenty members prefers the ends of the scale,
 *   and one in twenty avoids them. (Higher shares would take clicks around the middle for a style.)
 * - Careless: from the beginning or from the middle on, each option is chosen with a frequency of the respondent's own, whatever the
 *   statement says. All frequencies are equally probable beforehand. This includes choosing at random and choosing one option throughout.
 * - Idealised: as with traits, but nine of ten answers are one step more favourable than that.
 *
 * The first and the third are averaged over the errors of the bank's parameters, so that answers are only taken for careless if no
 * plausible parameters explain them.
 */
export function computeAnswerEvidence(
  answers: readonly StatementAnswer[],
  bank: ItemBank<string>,
): AnswerEvidence {
  const compute = (part: readonly StatementAnswer[], move: Move) => computeLikelihood(part, bank, move);
  const traits = addLogarithms(
    styles.map(({ move, weight }) => Math.log(weight) + compute(answers, move)),
  );
  const middle = Math.round(answers.length / 2);
  const careless = [0, middle].map(
    (start) =>
      compute(answers.slice(0, start), 'keep') + computeCarelessLikelihood(answers.slice(start)),
  );
  return {
    careless: addLogarithms(careless) - Math.LN2 - traits,
    idealised: compute(answers, 'improve') - traits,
  };
}

/** What becomes of the category that the traits suggest, `top` being the highest: another category, and how probable it is. */
const moves = {
  keep: (category) => ({ to: category, probability: 1 }),
  improve: (category, top) => ({ to: Math.min(top, category + 1), probability: 0.9 }),
  outwards: (category, top) => ({
    to: Math.min(top, Math.max(0, category + Math.sign(category - top / 2))),
    probability: 0.5,
  }),
  inwards: (category, top) => ({ to: Math.min(top - 1, Math.max(1, category)), probability: 0.5 }),
} as const satisfies Record<
  string,
  (category: number, top: number) => { readonly to: number; readonly probability: number }
>;

type Move = keyof typeof moves;

const styles = [
  { move: 'keep', weight: 0.9 },
  { move: 'outwards', weight: 0.05 },
  { move: 'inwards', weight: 0.05 },
] as const;

/** Agreeing more (positive) or less than most members, in points of the grid. */
const shifts = normalPoints.map(({ value, weight }) => ({ steps: Math.round(8 * 0.35 * value), weight }));

/** Computes ln of the likelihood of the answers over the population and the errors of the parameters. */
function computeLikelihood(answers: readonly StatementAnswer[], bank: ItemBank<string>, move: Move): number {
  if (answers.length === 0) return 0;
  const bySlot = [...Map.groupBy(answers, ({ item }) => bank.slots.get(item.trait)!)];
  return addLogarithms(
    shifts.map(({ steps, weight }) => {
      let scales = Math.log(weight);
      const factors = bySlot.map(([trait, own]) => {
        const curve = sumCurves(own, bank, move, steps);
        const peak = curve.reduce((most, value) => Math.max(most, value), -Infinity);
        scales += peak;
        return { trait, likelihood: curve.map((value) => Math.exp(value - peak)) };
      });
      return scales + computeLogEvidence(getPopulation(bank), factors);
    }),
  );
}

/** Computes ln P(answers to the statements of one trait | trait) on the grid. */
function sumCurves(
  answers: readonly StatementAnswer[],
  bank: ItemBank<string>,
  move: Move,
  steps: number,
): Float64Array {
  const curves = getMovedCurves(bank)[move];
  const sum = new Float64Array(grid.length);
  const last = grid.length - 1;
  for (const { item, option } of answers) {
    const curve = curves.get(item.id)![toKeyedCategory(item, option)]!;
    const step = item.reversed ? -steps : steps;
    for (let point = 0; point <= last; point++)
      sum[point]! += curve[Math.min(last, Math.max(0, point + step))]!;
  }
  return sum;
}

/** Returns ln P(category | trait) on the grid by statement, for each move. */
const getMovedCurves = cacheByObject((bank: ItemBank<string>) => {
  const marginal = getMarginalCurves(bank);
  const moveAll = (move: Move) => {
    const moveOnce = cacheByObject((curves: CategoryCurves) => moveCurves(curves, move));
    return new Map([...marginal].map(([id, curves]) => [id, moveOnce(curves)]));
  };
  return {
    keep: moveAll('keep'),
    improve: moveAll('improve'),
    outwards: moveAll('outwards'),
    inwards: moveAll('inwards'),
  };
});

function moveCurves(curves: CategoryCurves, move: Move): CategoryCurves {
  const top = curves.length - 1;
  const moved = curves.map((curve) => new Float64Array(curve.length));
  for (const [category, curve] of curves.entries()) {
    const { to, probability } = moves[move](category, top);
    for (const [point, own] of curve.entries()) {
      moved[category]![point]! += (1 - probability) * own;
      moved[to]![point]! += probability * own;
    }
  }
  return moved.map((curve) => curve.map(Math.log));
}

/**
 * Returns the covariance of the traits with the error of their norms as if all norms were wrong together, so that a population whose level
 * is not known is not taken for one that idealises.
 */
const getPopulation = cacheByObject(({ covariance, errors }: ItemBank<string>) =>
  covariance.map((row) => row.map((value) => value + errors.shared.location ** 2)),
);

/** Computes ln of the Dirichlet-multinomial probability of the options, with a uniform distribution over the frequencies. */
function computeCarelessLikelihood(answers: readonly StatementAnswer[]): number {
  const options = Math.max(0, ...answers.map(({ item }) => item.thresholds.length + 1));
  const counts = Array.from({ length: options }, () => 0);
  for (const { option } of answers) counts[option]!++;
  const sum = counts.reduce((total, count) => total + logGamma(count + 1), 0);
  return answers.length === 0 ? 0 : logGamma(options) - logGamma(options + answers.length) + sum;
}

/** Computes ln of the sum of the exponentials. */
function addLogarithms(logarithms: readonly number[]): number {
  const peak = Math.max(...logarithms);
  return peak + Math.log(logarithms.reduce((sum, each) => sum + Math.exp(each - peak), 0));
}
