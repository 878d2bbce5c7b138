import { normalCdf, type Moments } from '@tessera/psychometrics';

/** The word for a position in the population. */
export type TraitWord = 'much_less' | 'less' | 'average' | 'more' | 'much_more';

/** Where one word ends and the next begins: percentiles of the population, and the same in standard deviations. */
const word_percentiles = [0.2, 0.4, 0.6, 0.8] as const;
const cuts = [-0.8416, -0.2533, 0.2533, 0.8416] as const;

/** Finds the word for a percentile: the middle fifth counts as average. */
export function findTraitWord(score: number): TraitWord {
  if (score < word_percentiles[0]) return 'much_less';
  if (score < word_percentiles[1]) return 'less';
  if (score <= word_percentiles[2]) return 'average';
  return score <= word_percentiles[3] ? 'more' : 'much_more';
}

/**
 * Computes how much more probable it is that a member reads the right word of a trait once its variance is reduced to `after`. Before,
 * the word is that of the mean. Answers move the mean by a normal amount whose variance is what they remove, and the word follows; the
 * expectation over it is a sum over nine equally probable movements.
 */
export function computeWordGain({ mean, variance }: Moments, after: number): number {
  const spread = Math.sqrt(Math.max(0, variance - after));
  const expected = movements.reduce<number>(
    (sum, move) => sum + computeRightness(mean + spread * move, after),
    0,
  );
  return expected / movements.length - computeRightness(mean, variance);
}

/** The medians of nine equally probable parts of the standard normal distribution. */
const movements = [-1.5932, -0.9674, -0.5895, -0.2822, 0, 0.2822, 0.5895, 0.9674, 1.5932] as const;

/** Computes the probability that the true position is within the word of the mean. */
function computeRightness(mean: number, variance: number): number {
  const sd = Math.sqrt(variance);
  const above = cuts.findIndex((cut) => mean < cut);
  const [low, high] = above < 0 ? [cuts.at(-1)!, Infinity] : [cuts[above - 1] ?? -Infinity, cuts[above]!];
  return normalCdf((high - mean) / sd) - normalCdf((low - mean) / sd);
}
