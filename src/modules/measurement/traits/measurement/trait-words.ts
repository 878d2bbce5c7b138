import { normalCdf, type Moments } from '@tessera/psychometrics';

/** The words for a position in the population. */
export const traitWords = ['much_less', 'less', 'average', 'more', 'much_more'] as const;

export type TraitWord = (typeof traitWords)[number];

/** How far the measurement supports a word. */
export const certainties = ['clear', 'likely', 'open'] as const;

export type Certainty = (typeof certainties)[number];

/** What may be said about a position: the word that its bounds support. A likely word leaves the other side possible, and an open position has none. */
export type Claim = { readonly word: TraitWord | null; readonly certainty: Certainty };

/** Where one word ends and the next begins, in standard deviations of the population: at its 20th, 40th, 60th and 80th percentile. */
const cuts = [-0.8416, -0.2533, 0.2533, 0.8416] as const;
const [lowest_fifth, highest_fifth] = [0.2, 0.8] as const;

/** The standard normal quantile of 0.9: a side is likely if nine of ten people with such answers are on it. */
const likely_quantile = 1.2816;

/**
 * Decides what may be said about a position, for all pages, texts and programs. A side is clear if the 95 % bounds leave out the middle of the
 * population, and the middle is clear if they leave out both its lowest and its highest fifth. A side is likely if its probability is at least 0.9.
 */
export function claimPosition({ score, confidence, lower_bound, upper_bound }: Position): Claim {
  if (lower_bound > 0.5)
    return { word: lower_bound >= highest_fifth ? 'much_more' : 'more', certainty: 'clear' };
  if (upper_bound < 0.5)
    return { word: upper_bound <= lowest_fifth ? 'much_less' : 'less', certainty: 'clear' };
  if (lower_bound >= lowest_fifth && upper_bound <= highest_fifth)
    return { word: 'average', certainty: 'clear' };
  const least = normalCdf(likely_quantile * Math.sqrt(1 - confidence));
  if (confidence === 0 || Math.max(score, 1 - score) < least) return { word: null, certainty: 'open' };
  return { word: score > 0.5 ? 'more' : 'less', certainty: 'likely' };
}

/** Computes the position of a normal estimate: its percentile, the percentiles of its 95 % bounds, and its confidence, which is 0 before any answer. */
export function computePosition({ mean, variance }: Moments): Position {
  const margin = bound_distance * Math.sqrt(variance);
  return {
    score: normalCdf(mean),
    confidence: Math.min(1, Math.max(0, 1 - variance)),
    lower_bound: normalCdf(mean - margin),
    upper_bound: normalCdf(mean + margin),
  };
}

/** A position with its 95 % bounds, each a share of the population, and 1 less its variance. */
type Position = {
  readonly score: number;
  readonly confidence: number;
  readonly lower_bound: number;
  readonly upper_bound: number;
};

/** Half the width of 95 % bounds, in standard deviations. */
export const bound_distance = 1.96;

/**
 * Computes the point within the 95 % bounds of a normal estimate that is nearest to the middle of the population, in the unit of the estimate. It
 * is zero if the bounds hold the middle. A label that is cut from this point claims nothing that the bounds do not support.
 */
export function computeSupportedDistance({ mean, variance }: Moments): number {
  return Math.sign(mean) * Math.max(0, Math.abs(mean) - bound_distance * Math.sqrt(variance));
}

/** How probable it has to be that a way of acting is preferred to all others. */
const way_probability = { clear: 0.95, likely: 0.8 } as const;

/** Decides how far a member's preferred way of acting is known, from the probability that it is preferred to all others. */
export function claimWay(probability: number): Certainty {
  if (probability >= way_probability.clear) return 'clear';
  return probability >= way_probability.likely ? 'likely' : 'open';
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
