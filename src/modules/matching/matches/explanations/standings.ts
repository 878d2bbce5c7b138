import { normalCdf, type Moments } from '@tessera/psychometrics';
import {
  claimPosition,
  computePosition,
  toTraitSlot,
  type Certainty,
  type LatentVector,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { listDescribedTraits } from './described-traits.ts';

/** Where the answers place a person: above the average, far above it, below it, far below it, or between the lowest and the highest fifth. */
export const standingSides = ['far_above', 'above', 'middle', 'below', 'far_below'] as const;

export type Side = (typeof standingSides)[number];

/** That a trait is more, or less, pronounced in a person than all others that are described, and how certain that is. */
export type Extreme = { readonly extreme: 'most' | 'least'; readonly certainty: 'clear' | 'likely' };

/** How far the answers say where a person is in a trait that a job asks for. An open standing has no side. */
export type Standing = {
  readonly code: TraitCode;
  readonly standing: Certainty;
  readonly side: Side | null;
  /** Whether the trait stands out among those that are described; null if it does not. */
  readonly extreme: Extreme | null;
};

/**
 * Describes a person in the three to five things that a job asks most, the most important first. A clear side is one that the 95 % bounds support, a
 * likely one has a probability of at least 0.9, and everything else is open. So each trait says one of eight things, and which of them is the most and
 * the least pronounced, as far as the answers support it. `job` are the priorities as the organisation set them: with those of a policy, each new version of it would describe other traits.
 */
export function describeStandings(
  job: TraitPriorities,
  { mean, variance }: LatentVector,
): readonly Standing[] {
  const described = listDescribedTraits(job).map((code) => {
    const slot = toTraitSlot(code);
    return { code, mean: mean[slot]!, variance: variance[slot]! };
  });
  return described.map((trait) => ({
    code: trait.code,
    ...findStanding(trait),
    extreme: findExtreme(
      trait,
      described.filter((other) => other !== trait),
    ),
  }));
}

const sides = {
  much_more: 'far_above',
  more: 'above',
  average: 'middle',
  less: 'below',
  much_less: 'far_below',
} as const;

function findStanding(estimate: Moments): Pick<Standing, 'standing' | 'side'> {
  const { word, certainty } = claimPosition(computePosition(estimate));
  if (word === null || certainty === 'open') return { standing: 'open', side: null };
  return { standing: certainty, side: sides[word] };
}

/** How probable it has to be that a trait is the most or the least pronounced: as for a clear and for a likely side. */
const extreme_probability = { clear: 0.975, likely: 0.9 } as const;

/** Finds whether a trait stands out among the others. Of two, the less pronounced says nothing that the other does not say. */
function findExtreme(trait: Moments, others: readonly Moments[]): Extreme | null {
  if (others.length === 0) return null;
  const extremes = others.length === 1 ? (['most'] as const) : (['most', 'least'] as const);
  for (const extreme of extremes) {
    const sign = extreme === 'most' ? 1 : -1;
    // The probabilities that each of the others is beyond it may overlap, so that their sum is never too small.
    const doubt = others.reduce((sum, other) => sum + 1 - normalCdf(sign * compareMoments(trait, other)), 0);
    if (1 - doubt >= extreme_probability.clear) return { extreme, certainty: 'clear' };
    if (1 - doubt >= extreme_probability.likely) return { extreme, certainty: 'likely' };
  }
  return null;
}

/** Computes by how many standard deviations of their difference one estimate exceeds another. */
function compareMoments(one: Moments, other: Moments): number {
  return (one.mean - other.mean) / Math.sqrt(one.variance + other.variance);
}
