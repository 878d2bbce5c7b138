import { computeCorrelation } from '@tessera/psychometrics';
import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { computePosterior } from '../measurement/posterior.ts';

/** The first and the second test of a person. */
export type RetestPair = { readonly first: readonly Answer[]; readonly second: readonly Answer[] };

/** A correlation with its 95 % interval. */
export type Interval = { readonly correlation: number; readonly lower: number; readonly upper: number };

export type RetestCorrelation = Interval & { readonly trait: string };

/** Fewer pairs say too little. */
export const fewest_pairs = 30;

/** Correlates the measurements of two tests, trait by trait. Both are scored with this bank. */
export function computeRetestCorrelations(
  pairs: readonly RetestPair[],
  bank: ItemBank<string>,
): readonly RetestCorrelation[] {
  const isKnown = ({ item_id }: Answer) => bank.itemsById.has(item_id);
  const measured = pairs.map(({ first, second }) =>
    [first, second].map((answers) => computePosterior(answers.filter(isKnown), bank).mean),
  );
  return bank.traits.map((trait, slot) => {
    const [first, second] = [0, 1].map((test) => measured.map((means) => means[test]![slot]!));
    return { trait, ...computeInterval(computeCorrelation(first!, second!), pairs.length) };
  });
}

/**
 * Computes the 95 % interval of a correlation (Fisher 1921, Metron 1). `people` must be more than three; `variance` is that of the transformed correlation as
 * a multiple of the one for normal variables.
 */
export function computeInterval(correlation: number, people: number, variance = 1): Interval {
  const margin = 1.96 * Math.sqrt(variance / (people - 3));
  const place = Math.atanh(Math.min(0.9999, Math.max(-0.9999, correlation)));
  return { correlation, lower: Math.tanh(place - margin), upper: Math.tanh(place + margin) };
}
