import { normalCdf, traitCodes, type TraitCode, type TraitPriorities } from '#modules/traits';
import { computeBelonging, type Belonging, type Culture, type TraitPosterior } from './belonging.ts';
import { toTraitWeights } from '../engine/slots.ts';

/** Which traits and labels an explanation speaks of, without their words: what is kept. */
export type Explanation = {
  /** Of the traits that the job asks for, those that speak most for the member, most first. */
  readonly strengths: readonly TraitCode[];
  /** Of those that the job asks for much, the ones that probably come less easily. */
  readonly growth: readonly TraitCode[];
  readonly belonging: Belonging;
};

const most = 3;

/** How probable it must be that a trait is above the average of the population to be a strength, below it to be room to grow. */
const certainty = { strength: 0.8, growth: 0.6 } as const;

/** The priority from which on a weakness is worth a word. */
const growthPriority = 0.5;

/**
 * Explains a match. Strengths are the three largest contributions w·m to the fit with P(trait > 0) >= 0.8; room to grow is in up to three
 * traits with w >= 0.5 and P(trait < 0) >= 0.6, what the job loses most by first.
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
  const selectCodes = (some: readonly { code: TraitCode }[]) => some.slice(0, most).map(({ code }) => code);
  return {
    strengths: selectCodes(strengths),
    growth: selectCodes(growth),
    belonging: computeBelonging(member, job, culture),
  };
}

/** P(trait > 0) for a normal posterior; a trait that is known exactly is above or not. */
function computeProbabilityAbove(mean: number, variance: number): number {
  return variance > 0 ? normalCdf(mean / Math.sqrt(variance)) : Number(mean > 0);
}
