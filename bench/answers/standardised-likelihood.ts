import { computeCategoryProbabilities, toKeyedCategory } from '@tessera/psychometrics';
import type { ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { StatementAnswer } from '../../src/modules/measurement/traits/measurement/person-fit.ts';

/**
 * Computes lz, the standardised log-likelihood of the answers at the estimated traits (Drasgow, Levine and Williams 1985, Br J Math Stat
 * Psychol 38): ln L less its expectation, divided by its standard deviation. Low values say that the answers do not fit the traits.
 */
export function computeStandardisedLikelihood(
  answers: readonly StatementAnswer[],
  mean: readonly number[],
  bank: ItemBank<string>,
): number {
  let excess = 0;
  let variance = 0;
  for (const { item, option } of answers) {
    const probabilities = computeCategoryProbabilities(item, mean[bank.slots.get(item.trait)!]!);
    const logarithms = probabilities.map(Math.log);
    const expected = average(probabilities, logarithms);
    excess += logarithms[toKeyedCategory(item, option)]! - expected;
    variance += average(
      probabilities,
      logarithms.map((value) => (value - expected) ** 2),
    );
  }
  return variance === 0 ? 0 : excess / Math.sqrt(variance);
}

function average(probabilities: readonly number[], values: readonly number[]): number {
  return probabilities.reduce((sum, probability, index) => sum + probability * values[index]!, 0);
}
