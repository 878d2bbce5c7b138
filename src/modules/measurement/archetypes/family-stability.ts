import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { traitCodes, type LatentVector } from '#modules/measurement/traits';
import { computeDirections, findNearest } from './assignment.ts';
import { archetypeTemplates, type ArchetypeFamily } from './templates.ts';

/** How probable each family is as the result of another assessment of the same precision; the probabilities sum to 1. */
export type FamilyProbabilities = Readonly<Record<ArchetypeFamily, number>>;

/**
 * The probability that another assessment leads to the same family, for each certainty above `low`. An archetype is assigned from `medium`
 * on, and a credential attests it if the certainty is `high`.
 */
export const certaintyCuts = { high: 0.8, medium: 0.7 } as const;

/**
 * Computes how probable each family is as the result of another assessment of the same precision.
 *
 * With the reliability r = 1 - s² of a trait, whose standard deviation in the population is 1, the second posterior mean is normal with mean
 * r m and variance r (1 + r) s²: the true value is normal with mean m and variance s², and the second mean given the true value t with mean
 * r t and variance r s². 1,000 fixed draws of second means are assigned like the first, so that the same vector always gives the same
 * result. The standard error of a probability of 0.8 is 0.013. The errors of traits count as independent, which makes the probabilities 3 to 4
 * points too low on average (`archetype-retest.test.ts`). Takes 0.3 ms.
 */
export function computeFamilyProbabilities({ mean, variance }: LatentVector): FamilyProbabilities {
  const reliabilities = variance.map((spread) => Math.max(0, 1 - spread));
  const centre = mean.map((each, slot) => reliabilities[slot]! * each);
  const deviation = reliabilities.map((r, slot) => Math.sqrt(r * (1 + r) * variance[slot]!));
  // About a vector of which nothing is known, each draw says the same: nothing.
  if ([...centre, ...deviation].every((each) => each === 0)) return nothingKnown;
  const directions = computeDirections(variance);
  const counts = { wayfinding: 0, craft: 0, fellowship: 0, stewardship: 0 };
  const second = new Float64Array(mean.length);
  for (const draw of draws) {
    for (let slot = 0; slot < second.length; slot += 1)
      second[slot] = centre[slot]! + deviation[slot]! * draw[slot]!;
    counts[archetypeTemplates[findNearest(directions, second)]!.family] += 1;
  }
  // Counted first: a thousand times a thousandth is more than 1.
  const shares = Object.entries(counts).map(([family, count]) => [family, count / draws.length]);
  return Object.fromEntries(shares) as FamilyProbabilities;
}

/** Converts the probability of the nearest archetype's family to a label. It is never `high` if the measurement is provisional. */
export function toCertainty(probability: number, provisional = false): 'high' | 'medium' | 'low' {
  if (probability >= certaintyCuts.high && !provisional) return 'high';
  return probability >= certaintyCuts.medium ? 'medium' : 'low';
}

const nothingKnown: FamilyProbabilities = {
  wayfinding: 0.25,
  craft: 0.25,
  fellowship: 0.25,
  stewardship: 0.25,
};

const draws: readonly Float64Array[] = drawNormals(1_000);

function drawNormals(count: number): Float64Array[] {
  const random = createSeededRandom(12);
  return Array.from({ length: count }, () => Float64Array.from(traitCodes, () => drawStandardNormal(random)));
}
