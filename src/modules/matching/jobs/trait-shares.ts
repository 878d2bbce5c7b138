import {
  continuousTraits,
  isTraitCode,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';

/** The largest share of a job's weight that one trait has in the fit. */
export const largestShare = 0.4;

/** Priorities in which no trait has more than {@link largestShare} of the weight, and the traits that were limited to it. */
export type LimitedPriorities = {
  readonly priorities: TraitPriorities;
  readonly limited: readonly TraitCode[];
};

/**
 * Limits each trait to 40 % of the weight. What exceeds it is spread evenly over the other measured traits, so that a tier never speaks of
 * a single trait. Priorities without such a trait are returned as they are; others sum to 1. Negative numbers are not allowed.
 */
export function limitPriorities(priorities: TraitPriorities): LimitedPriorities {
  const shares = computeShares(priorities);
  const limited = listLimited(shares);
  if (limited.length === 0) return { priorities, limited };
  const spread = new Map(shares);
  const others = listOthers(limited);
  const excess = limited.reduce((sum, code) => sum + spread.get(code)! - largestShare, 0);
  for (const code of limited) spread.set(code, largestShare);
  for (const code of others) spread.set(code, (spread.get(code) ?? 0) + excess / others.length);
  return { priorities: Object.fromEntries(spread), limited };
}

type Share = readonly [code: TraitCode, share: number];

/** Computes the shares of all traits with a priority above zero. */
function computeShares(priorities: TraitPriorities): readonly Share[] {
  const entries = Object.entries(priorities);
  // Divided by the largest first, because tiny ones would underflow in a sum.
  const largest = Math.max(...entries.map(([, priority]) => priority));
  const total = entries.reduce((sum, [, priority]) => sum + priority / largest, 0);
  return entries.flatMap(([code, priority]): readonly Share[] =>
    isTraitCode(code) && priority > 0 ? [[code, priority / largest / total]] : [],
  );
}

/** Lists the traits that exceed the limit, and one that exceeds it with its part of what the other gives away. Three cannot: they would have more than all. */
function listLimited(shares: readonly Share[]): readonly TraitCode[] {
  const over = shares.filter(([, share]) => isAboveLimit(share));
  const [largest] = over;
  const codes = over.map(([code]) => code);
  if (over.length !== 1 || !largest) return codes;
  const others = listOthers(codes);
  const part = (largest[1] - largestShare) / others.length;
  const second = shares.find(([code, share]) => others.includes(code) && isAboveLimit(share + part));
  return second ? [...codes, second[0]] : codes;
}

/** Lists the measured traits among which the excess of some traits is spread. */
function listOthers(limited: readonly TraitCode[]): readonly TraitCode[] {
  return continuousTraits.filter((code) => !limited.includes(code));
}

/** What exceeds the limit by less than this is a rounding error. */
const rounding = 1e-9;

function isAboveLimit(share: number): boolean {
  return share > largestShare + rounding;
}

/** Describes, for the organisation, how its priorities differ from the weights of the fit; empty if they do not. Each reply that shows a job asks. */
export function describeLimits(priorities: TraitPriorities): string[] {
  const limited = listLimited(computeShares(priorities));
  if (limited.length === 0) return [];
  return [
    `In the fit, no trait has more than 40 % of the weight. What exceeds this for ${limited.join(' and ')} is spread over the other traits.`,
  ];
}
