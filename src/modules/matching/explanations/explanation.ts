import { normalCdf, traitCodes, type TraitCode, type TraitPriorities } from '#modules/traits';
import { toTraitWeights } from '../engine/slots.ts';
import { computeBelonging, type Belonging, type Culture, type TraitPosterior } from './belonging.ts';

/** The traits and labels of an explanation without its sentences, as it is stored. */
export type Explanation = {
  /** The traits of the job that contribute most to the fit, in descending order. */
  readonly strengths: readonly TraitCode[];
  /** The traits that the job asks for much and in which the member is probably below average, the largest loss first. */
  readonly growth: readonly TraitCode[];
  readonly belonging: Belonging;
};

const traits_max = 3;

/** The required probability that a trait is above the population's average for a strength, or below it for a growth area. */
const certainty = { strength: 0.8, growth: 0.6 } as const;

/** The lowest trait priority for which a growth area is named. */
const growthPriority = 0.5;

/**
 * Explains a match. The strengths are up to three traits with the largest contributions w·m to the fit and P(trait > 0) >= 0.8. The growth
 * areas are up to three traits with w >= 0.5 and P(trait < 0) >= 0.6, the largest loss first.
 */
export function explainMatch(
  member: TraitPosterior,
  job: TraitPriorities,
  culture: Culture | undefined,
): Explanation {
  const weights = toTraitWeights(job);
  const traits = traitCodes.map((code, slot) => ({
    code,
    weight: weights[slot]!,
    contribution: weights[slot]! * member.mean[slot]!,
    above: computeProbabilityAbove(member.mean[slot]!, member.variance[slot]!),
  }));
  const strengths = traits
    .filter(({ weight, above }) => weight > 0 && above >= certainty.strength)
    .toSorted((one, other) => other.contribution - one.contribution);
  const growth = traits
    .filter(({ weight, above }) => weight >= growthPriority && 1 - above >= certainty.growth)
    .toSorted((one, other) => one.contribution - other.contribution);
  const selectCodes = (some: readonly { code: TraitCode }[]) =>
    some.slice(0, traits_max).map(({ code }) => code);
  return {
    strengths: selectCodes(strengths),
    growth: selectCodes(growth),
    belonging: computeBelonging(member, job, culture),
  };
}

/** Computes P(trait > 0) for a normal posterior. With zero variance the result is 0 or 1. */
function computeProbabilityAbove(mean: number, variance: number): number {
  return variance > 0 ? normalCdf(mean / Math.sqrt(variance)) : Number(mean > 0);
}
