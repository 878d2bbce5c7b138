import { continuousTraits, type ContinuousTrait, type LatentVector } from '#modules/measurement/traits';

/** The states of a stub. A claimed one is an ordinary member. */
export const stubStatuses = ['unclaimed', 'claimed'] as const;

export type StubStatus = (typeof stubStatuses)[number];

/** A stub, or the member who has claimed it. */
export type Stub = {
  readonly member_id: string;
  readonly status: StubStatus;
  readonly created_at: Date;
};

/** How well a stub is known, by the number of traits of which something was observed. */
export const attunementBands = ['Unknown', 'Emerging', 'Known', 'Attuned'] as const;

export type AttunementBand = (typeof attunementBands)[number];

/** Chooses the band: Unknown without an observation, Known from six traits on, and Attuned from fifteen on. */
export function chooseBand(trait_count: number): AttunementBand {
  if (trait_count === 0) return 'Unknown';
  if (trait_count < 6) return 'Emerging';
  return trait_count < 15 ? 'Known' : 'Attuned';
}

/** How sure an observer is. */
export const observationConfidences = ['low', 'medium', 'high'] as const;

/** What somebody has observed of a person: how much of a trait, compared with other people. */
export const observationLevels = ['much_below', 'below', 'average', 'above', 'much_above'] as const;

/** One observation of one trait. */
export type Observation = {
  readonly trait: ContinuousTrait;
  readonly level: (typeof observationLevels)[number];
  readonly confidence: (typeof observationConfidences)[number];
};

/** Where a level is, in standard deviations of the population. */
const levelValues = { much_below: -1.5, below: -0.75, average: 0, above: 0.75, much_above: 1.5 } as const;

/** The weight of an observation: 1 divided by the variance of its error. That of a person who knows another well is about 1. */
const confidenceWeights = { low: 0.25, medium: 0.5, high: 1 } as const;

/** What is known about a trait: the weights of its observations, and the sum of their values by weight. */
export type TraitEvidence = {
  readonly trait: ContinuousTrait;
  readonly count: number;
  readonly weight: number;
  readonly weighted_sum: number;
};

/** Adds up the observations of each trait. */
export function sumObservations(observations: readonly Observation[]): readonly TraitEvidence[] {
  return continuousTraits.flatMap((trait) => {
    const own = observations.filter((observation) => observation.trait === trait);
    if (own.length === 0) return [];
    const weights = own.map(({ confidence }) => confidenceWeights[confidence]);
    const weight = weights.reduce((sum, each) => sum + each, 0);
    const weighted_sum = own.reduce((sum, { level }, index) => sum + levelValues[level] * weights[index]!, 0);
    return [{ trait, count: own.length, weight, weighted_sum }];
  });
}

/**
 * The least variance that observations can lead to. However many there are, they never make a stub look as certain as an assessment does,
 * whose variance is 0.16 at its end.
 */
export const variance_min = 0.3;

/** Means and variances of the continuous traits, in the order of the taxonomy. */
export type ObservedPosterior = Pick<LatentVector, 'mean' | 'variance'>;

/** Combines the evidence with the population: a normal prior with mean 0 and variance 1 for each trait (Bayes' rule for normal errors). */
export function computePosterior(evidence: readonly TraitEvidence[]): ObservedPosterior {
  const byTrait = new Map(evidence.map((each) => [each.trait, each]));
  const weight_max = 1 / variance_min - 1;
  const posteriors = continuousTraits.map((trait) => {
    const { weight, weighted_sum } = byTrait.get(trait) ?? { weight: 0, weighted_sum: 0 };
    // More weight than this counts as this much, with the same mean of the observations.
    const counted = Math.min(weight, weight_max);
    const mean = weight === 0 ? 0 : ((weighted_sum / weight) * counted) / (1 + counted);
    return { mean, variance: 1 / (1 + counted) };
  });
  return { mean: posteriors.map(({ mean }) => mean), variance: posteriors.map(({ variance }) => variance) };
}

const unclaimed_days = 730;

/** The time before which stubs are deleted that nobody has claimed. */
export function computeOldestStubTime(now: Date): Date {
  return new Date(now.getTime() - unclaimed_days * 86_400_000);
}
