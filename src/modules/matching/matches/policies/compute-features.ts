import { builtInNorms, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { computeFitWeights, computeRelativeMeans } from '#modules/matching/engine';
import { computeBelonging, type BelongingLabel, type Culture, type TraitPosterior } from '../belonging.ts';

/** How much a label of belonging counts in the outcome model; nothing if it is not known. */
const belongingValues: Readonly<Record<BelongingLabel, number>> = {
  high: 0.5,
  moderate: 0,
  low: -0.5,
  unknown: 0,
};

/**
 * Computes what the outcome model knows of a match: the share of each trait in the fit by the organisation's own priorities, which add up to the fit;
 * authenticity, acceptance and complementarity; and a 1. Nothing else enters. The fit has the scale of the built-in norms, so that
 * observations of all years have the same one.
 */
export function computeFeatures(
  member: TraitPosterior,
  priorities: TraitPriorities,
  culture: Culture | undefined,
): readonly number[] {
  const { relative } = computeFitWeights(priorities, builtInNorms);
  const means = computeRelativeMeans(member.mean);
  const { authenticity, acceptance, complementarity } = computeBelonging(
    { mean: member.mean, variance: member.variance },
    priorities,
    culture,
  );
  return [
    ...traitCodes.map((_, trait) => relative[trait]! * means[trait]!),
    ...[authenticity, acceptance, complementarity].map((label) => belongingValues[label]),
    1,
  ];
}
