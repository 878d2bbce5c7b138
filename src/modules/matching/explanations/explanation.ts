import { normalCdf, traitCodes, type TraitCode, type TraitPriorities } from '#modules/traits';
import { toTraitWeights } from '../engine/slots.ts';
import type { Values } from '../engine/terms.ts';
import { computeBelonging, type Belonging, type Culture, type TraitPosterior } from './belonging.ts';

/** What is known about a member's trait: probably above average, probably below it, or neither. */
export type TraitState = 'strength' | 'unclear' | 'growth';

/** The traits and labels of an explanation without its sentences, as it is stored. */
export type Explanation = {
  /** The traits that the job asks for most, the most important first, whether the member has them or not. */
  readonly priorities: readonly { readonly code: TraitCode; readonly state: TraitState }[];
  /** The traits of the job in which the member is probably above average, the largest contribution first. */
  readonly strengths: readonly TraitCode[];
  /** The traits that the job asks for much and in which the member is probably below average, the largest loss first. */
  readonly growth: readonly TraitCode[];
  readonly belonging: Belonging;
  /** Whether it follows from parameters that are not yet calibrated. */
  readonly provisional: boolean;
};

/** What a member brings to an explanation: the posterior, and the values that the member has stated; null if there are none. */
export type ExplainedMember = TraitPosterior & {
  readonly provisional: boolean;
  readonly values: Values | null;
};

const priorities_max = 2;

/** The required probability that a trait is above the population's average for a strength, or below it for a growth area. */
const certainty = { strength: 0.8, growth: 0.6 } as const;

/** The lowest priority for which a growth area is named, as a share of the job's highest. */
const growthShare = 0.5;

/**
 * Explains a match. Strengths are the traits with a priority and P(trait > 0) >= 0.8. Growth areas are the traits with at least half of the
 * highest priority and P(trait < 0) >= 0.6. Every named priority has one of the two states or neither, by the same probabilities.
 */
export function explainMatch(
  member: ExplainedMember,
  job: TraitPriorities,
  culture: Culture | undefined,
): Explanation {
  const weights = toTraitWeights(job);
  const lowest = growthShare * Math.max(...weights);
  const traits = traitCodes
    .map((code, slot) => ({
      code,
      weight: weights[slot]!,
      contribution: weights[slot]! * member.mean[slot]!,
      state: findState(member.mean[slot]!, member.variance[slot]!),
    }))
    .filter(({ weight }) => weight > 0);
  return {
    priorities: traits
      .toSorted((one, other) => other.weight - one.weight)
      .slice(0, priorities_max)
      .map(({ code, state }) => ({ code, state })),
    strengths: traits
      .filter(({ state }) => state === 'strength')
      .toSorted((one, other) => other.contribution - one.contribution)
      .map(({ code }) => code),
    growth: traits
      .filter(({ state, weight }) => state === 'growth' && weight >= lowest)
      .toSorted((one, other) => one.contribution - other.contribution)
      .map(({ code }) => code),
    belonging: computeBelonging(member, job, culture),
    provisional: member.provisional,
  };
}

function findState(mean: number, variance: number): TraitState {
  const above = computeProbabilityAbove(mean, variance);
  if (above >= certainty.strength) return 'strength';
  return 1 - above >= certainty.growth ? 'growth' : 'unclear';
}

/** Computes P(trait > 0) for a normal posterior. With zero variance the result is 1, 0, or 1/2 at the average itself. */
function computeProbabilityAbove(mean: number, variance: number): number {
  return variance > 0 ? normalCdf(mean / Math.sqrt(variance)) : (1 + Math.sign(mean)) / 2;
}
