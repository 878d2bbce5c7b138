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
  const scaled = scalePriorities(priorities);
  const total = scaled.reduce((sum, [, priority]) => sum + priority, 0);
  // The largest is 1 now. Most jobs end here, and each reply that shows a job asks.
  if (1 / total <= largestShare) return { priorities, limited: [] };
  const shares = computeShares(scaled, total);
  const limited: TraitCode[] = [];
  for (let over = listExceeding(shares); over.length > 0; over = listExceeding(shares)) {
    const excess = over.reduce((sum, code) => sum + shares.get(code)! - largestShare, 0);
    for (const code of over) shares.set(code, largestShare);
    limited.push(...over);
    const others = continuousTraits.filter((code) => !limited.includes(code));
    for (const code of others) shares.set(code, (shares.get(code) ?? 0) + excess / others.length);
  }
  return limited.length === 0 ? { priorities, limited } : { priorities: Object.fromEntries(shares), limited };
}

type Scaled = readonly (readonly [code: string, priority: number])[];

/** Divides priorities by the largest, because tiny ones would underflow in a sum. */
function scalePriorities(priorities: TraitPriorities): Scaled {
  const largest = Math.max(...Object.values(priorities));
  return Object.entries(priorities).map(([code, priority]) => [code, priority / largest] as const);
}

/** Computes the shares of all traits with a priority above zero. */
function computeShares(scaled: Scaled, total: number): Map<TraitCode, number> {
  const shares = new Map<TraitCode, number>();
  for (const [code, priority] of scaled)
    if (isTraitCode(code) && priority > 0) shares.set(code, priority / total);
  return shares;
}

/** A share that exceeds the limit by less than this is a rounding error. */
const rounding = 1e-9;

function listExceeding(shares: ReadonlyMap<TraitCode, number>): readonly TraitCode[] {
  return [...shares].filter(([, share]) => share > largestShare + rounding).map(([code]) => code);
}

const nameList = new Intl.ListFormat('en-GB');

/** Describes, for the organisation, how its priorities differ from the weights of the fit; empty if they do not. */
export function describeLimits(priorities: TraitPriorities): string[] {
  const { limited } = limitPriorities(priorities);
  if (limited.length === 0) return [];
  return [
    `In the fit, no trait has more than 40 % of the weight. What exceeds this for ${nameList.format(limited)} is spread over the other traits.`,
  ];
}
