import { computeLogEvidence, grid, logGamma, toKeyedCategory } from '@tessera/psychometrics';
import { cacheByObject } from '#lib/cache-results.ts';
import { findStatement, type ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { getMarginalCurves, normalPoints, type CategoryCurves } from './marginal-curves.ts';

export type StatementAnswer<Trait extends string = string> = {
  readonly item: GradedItem<Trait>;
  readonly option: number;
};

/** Lists the answers that say something about a trait: those to statements that apply and that no decision has retired. */
export function listStatementAnswers<Trait extends string>(
  answers: readonly Answer[],
  bank: ItemBank<Trait>,
): readonly StatementAnswer<Trait>[] {
  return answers.flatMap(({ item_id, option }) => {
    const item = findStatement(bank, item_id);
    return item && item.weight !== 0 && !isSkipped(item, option) ? [{ item, option }] : [];
  });
}

/** How much better two other ways of answering explain answers than the traits alone do: ln P(answers | way) - ln P(answers | traits). */
export type AnswerEvidence = { readonly careless: number; readonly idealised: number };

/**
 * Compares three models of how answers came about by their likelihoods. A ratio of likelihoods is the most powerful statistic for telling
 * two models of answering apart (Levine and Drasgow 1988, Psychometrika 53). It tells careless answers from honest ones much better than
 * the standardised likelihood lz (Drasgow, Levine and Williams 1985), which docs/decisions/answer-quality.md compares.
 *
 * - Traits: the answers follow from traits that correlate as in the bank, and from two styles. A tendency to agree more or less than most
 *   members do shifts all statements and is normal with a standard deviation of 0.35. Four in ten members use the scale in a way of their
 *   own: nearly all answers one step further out, half of them at the end, half of those at an end one step further in, or half of all. (The
 *   share of answers at an end differs by 17 points between 1,400 real people.)
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
  const compute = (part: readonly StatementAnswer[], move: Move, shifts = agreement) =>
    computeLikelihood(part, bank, move, shifts);
  const traits = addLogarithms([
    Math.log(1 - style_share * styles.length) + compute(answers, 'keep'),
    ...styles.map((style) => Math.log(style_share) + compute(answers, style, noAgreement)),
  ]);
  const middle = Math.round(answers.length / 2);
  const careless = [0, middle].map(
    (start) => compute(answers.slice(0, start), 'keep') + computeCarelessLikelihood(answers.slice(start)),
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
  moveOutwards: (category, top) => ({
    to: Math.min(top, Math.max(0, category + Math.sign(category - top / 2))),
    probability: 0.9,
  }),
  moveToEnd: (category, top) => ({
    to: category === top / 2 ? category : category < top / 2 ? 0 : top,
    probability: 0.5,
  }),
  avoidEnds: (category, top) => ({ to: Math.min(top - 1, Math.max(1, category)), probability: 0.5 }),
  moveInwards: (category, top) => ({
    to:
      category < top / 2
        ? Math.min(Math.floor(top / 2), category + 1)
        : Math.max(Math.ceil(top / 2), category - 1),
    probability: 0.5,
  }),
} as const satisfies Record<
  string,
  (category: number, top: number) => { readonly to: number; readonly probability: number }
>;

type Move = keyof typeof moves;

/** The styles of using the scale. Each is the style of one member in ten. */
const styles: readonly Move[] = ['moveOutwards', 'moveToEnd', 'avoidEnds', 'moveInwards'];
const style_share = 0.1;

/** Agreeing more (positive) or less than most members, in points of the grid, and how probable that is. */
type Shift = { readonly steps: number; readonly weight: number };

const agreement: readonly Shift[] = normalPoints.map(({ value, weight }) => ({
  steps: Math.round(8 * 0.35 * value),
  weight,
}));
const noAgreement: readonly Shift[] = [{ steps: 0, weight: 1 }];

/** Computes ln of the likelihood of the answers over the population and the errors of the parameters. */
function computeLikelihood(
  answers: readonly StatementAnswer[],
  bank: ItemBank<string>,
  move: Move,
  shifts: readonly Shift[],
): number {
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
  const getCurves = getMarginalCurves(bank);
  const sum = new Float64Array(grid.length);
  const last = grid.length - 1;
  for (const { item, option } of answers) {
    const curve = getMovedCurves(getCurves(item))(move)[toKeyedCategory(item, option)]!;
    const step = item.reversed ? -steps : steps;
    for (let point = 0; point <= last; point++)
      sum[point]! += curve[Math.min(last, Math.max(0, point + step))]!;
  }
  return sum;
}

/** Computes everything that the evidence needs of a statement, so that a first measurement need not do so for all at once. */
export function prepareEvidenceCurves(item: GradedItem<string>, bank: ItemBank<string>): void {
  const getMoved = getMovedCurves(getMarginalCurves(bank)(item));
  for (const move of Object.keys(moves) as Move[]) getMoved(move);
}

/** Returns a function that computes ln P(category | trait) on the grid once for each move. */
const getMovedCurves = cacheByObject((curves: CategoryCurves) => {
  const known = new Map<Move, CategoryCurves>();
  return (move: Move): CategoryCurves => {
    const moved = known.get(move) ?? computeMovedCurves(curves, move);
    known.set(move, moved);
    return moved;
  };
});

function computeMovedCurves(curves: CategoryCurves, move: Move): CategoryCurves {
  const top = curves.length - 1;
  const moved = curves.map((curve) => new Float64Array(curve.length));
  for (const [category, curve] of curves.entries()) {
    const { to, probability } = moves[move](category, top);
    for (let point = 0; point < curve.length; point++) {
      moved[category]![point]! += (1 - probability) * curve[point]!;
      moved[to]![point]! += probability * curve[point]!;
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
