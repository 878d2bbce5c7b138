import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { cvfQuadrants, type CultureBasis, type CvfQuadrant } from '#modules/organisations/culture';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { type Values, computeStandardWeights } from '#modules/matching/engine';

/** How well a member would belong in an organisation; `unknown` if the organisation has no culture profile. */
export const belongingLabels = ['high', 'moderate', 'low', 'unknown'] as const;

export type BelongingLabel = (typeof belongingLabels)[number];

export type Belonging = Readonly<Record<'authenticity' | 'acceptance' | 'complementarity', BelongingLabel>>;

/** A member's posterior: means and variances of the 20 slots, in standard deviations of the population. */
export type TraitPosterior = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/** The parts of a culture profile that belonging uses: trust from 0 to 1 by dimension, and the shares of the four quadrants, which sum to 1. */
export type Culture = {
  readonly braving: Readonly<Record<'nonjudgment' | 'generosity' | 'boundaries', number>>;
  readonly cvf: Readonly<Record<CvfQuadrant, number>>;
};

/** A culture, and what its profile is based on. */
export type BasedCulture = Culture & { readonly basis: CultureBasis };

/**
 * The traits that indicate a preference for each quadrant of the Competing Values Framework, based on the descriptions by Cameron and Quinn
 * (2011), for members who have not stated their values. Provisional, and used only for explanations: no tier depends on it.
 */
const quadrantTraits: Readonly<Record<CvfQuadrant, TraitPriorities>> = {
  clan: { collaborative_orientation: 1, empathic_attunement: 1 },
  adhocracy: { exploratory_curiosity: 1, change_agility: 1, ambiguity_tolerance: 1 },
  market: { achievement_drive: 1, persistence: 0.5, social_initiative: 0.5 },
  hierarchy: { structure_preference: 1, accountability: 0.5 },
};

const quadrantWeights = cvfQuadrants.map((quadrant) => computeStandardWeights(quadrantTraits[quadrant]));

/**
 * The traits that increase or decrease the need for each dimension of trust. A member who recovers slowly needs to be able to ask for help
 * without being judged, an open and attentive member needs others to assume good intentions, and an independent member needs others to
 * respect a no. Also provisional.
 */
const needs = [
  {
    dimension: 'nonjudgment',
    sign: -1,
    weights: computeStandardWeights({ pressure_response: 1, recovery_resilience: 1 }),
  },
  {
    dimension: 'generosity',
    sign: 1,
    weights: computeStandardWeights({ sincerity: 1, empathic_attunement: 1 }),
  },
  { dimension: 'boundaries', sign: 1, weights: computeStandardWeights({ autonomy_drive: 1 }) },
] as const;

/** The need of an average member for a dimension of trust, and one standard deviation of it, on the scale of the dimension. */
const needScale = { average: 0.5, deviation: 0.125 } as const;

/** The required probability of a label other than `moderate`, as for the tiers. */
const certainty = 0.8;

const cuts = {
  authenticity: { high: 0.5, low: 0 },
  acceptance: { high: -0.05, low: -0.15 },
  complementarity: { high: 0.8, low: 0.3 },
} as const;

/**
 * Computes the three dimensions of belonging. A label is `high` or `low` if that is at least 80 % probable, and `moderate` otherwise.
 *
 * - Authenticity: the correlation between the member's values, as stated or else as the traits indicate, and the organisation's. A
 *   correlation is used because shares that sum to one have no level.
 * - Acceptance: how much of the trust that the member needs the organisation lacks. More trust than needed makes no difference.
 * - Complementarity: how strongly the member has the traits that the job asks for, beyond those that the culture already emphasises.
 */
export function computeBelonging(
  member: TraitPosterior & { readonly values?: Values | null },
  job: TraitPriorities,
  culture: Culture | undefined,
): Belonging {
  if (!culture) return { authenticity: 'unknown', acceptance: 'unknown', complementarity: 'unknown' };
  const vectors = buildPossibleVectors(member);
  const shares = normaliseWeights(computeStandardWeights(job));
  const emphasis = computeCulturalEmphasis(culture);
  return {
    authenticity: chooseLabel(
      member.values
        ? [
            computeValueCorrelation(
              cvfQuadrants.map((quadrant) => member.values![quadrant]),
              culture,
            ),
          ]
        : vectors.map((vector) => computeValueCorrelation(derivePreferences(vector), culture)),
      cuts.authenticity,
    ),
    acceptance: chooseLabel(
      vectors.map((vector) => -computeTrustShortfall(vector, culture)),
      cuts.acceptance,
    ),
    complementarity: chooseLabel(
      vectors.map((vector) => computeComplementarity(vector, shares, emphasis)),
      cuts.complementarity,
    ),
  };
}

/** The labels of an alignment: as those of belonging, but never unknown. */
export const alignmentLabels = ['high', 'moderate', 'low'] as const;

type AlignmentLabel = (typeof alignmentLabels)[number];

/** How well a member and a culture suit each other, whatever the job. */
export type Alignment = Readonly<Record<'authenticity' | 'acceptance', AlignmentLabel>>;

/**
 * Computes the two dimensions of belonging that concern no job, as {@link computeBelonging} does, from the measured traits alone: what a
 * member states for matching is not sold.
 */
export function computeAlignment(member: TraitPosterior, culture: Culture): Alignment {
  const vectors = buildPossibleVectors(member);
  return {
    authenticity: chooseLabel(
      vectors.map((vector) => computeValueCorrelation(derivePreferences(vector), culture)),
      cuts.authenticity,
    ),
    acceptance: chooseLabel(
      vectors.map((vector) => -computeTrustShortfall(vector, culture)),
      cuts.acceptance,
    ),
  };
}

/** Derives a preference for each quadrant from the traits. */
function derivePreferences(vector: Float64Array): readonly number[] {
  return quadrantWeights.map((weights) => dot(weights, vector));
}

/**
 * Computes Pearson's correlation over the four quadrants. If either side values all quadrants equally, the result is between the cuts, so
 * that the label is `moderate`.
 */
function computeValueCorrelation(preferences: readonly number[], { cvf }: Culture): number {
  const preferred = centreValues(preferences);
  const valued = centreValues(cvfQuadrants.map((quadrant) => cvf[quadrant]));
  const size = Math.sqrt(dot(preferred, preferred) * dot(valued, valued));
  return size < 1e-9 ? (cuts.authenticity.high + cuts.authenticity.low) / 2 : dot(preferred, valued) / size;
}

/** Computes how much of the needed trust is missing, on average over the three dimensions. */
function computeTrustShortfall(vector: Float64Array, { braving }: Culture): number {
  const shortfalls = needs.map(({ dimension, sign, weights }) => {
    const needed = needScale.average + needScale.deviation * sign * dot(weights, vector);
    return Math.max(0, Math.min(1, needed) - braving[dimension]);
  });
  return shortfalls.reduce((sum, shortfall) => sum + shortfall, 0) / needs.length;
}

function computeComplementarity(vector: Float64Array, shares: Float64Array, emphasis: Float64Array): number {
  return shares.reduce((sum, share, slot) => sum + share * Math.max(0, vector[slot]! - emphasis[slot]!), 0);
}

/** Computes how much the culture emphasises each trait, in standard deviations: 0 for a quadrant with an equal share, 2 for twice that share. */
function computeCulturalEmphasis({ cvf }: Culture): Float64Array {
  const emphasis = new Float64Array(traitCodes.length);
  for (const [index, quadrant] of cvfQuadrants.entries()) {
    const excess = 8 * (cvf[quadrant] - 0.25);
    for (const [slot, weight] of quadrantWeights[index]!.entries()) emphasis[slot]! += excess * weight;
  }
  return emphasis;
}

function chooseLabel(
  values: readonly number[],
  { high, low }: { readonly high: number; readonly low: number },
): AlignmentLabel {
  const computeShare = (is: (value: number) => boolean) => values.filter(is).length / values.length;
  if (computeShare((value) => value >= high) >= certainty) return 'high';
  return computeShare((value) => value < low) >= certainty ? 'low' : 'moderate';
}

/** Draws equally likely vectors from the member's posterior. The random numbers are fixed, so that the same input gives the same labels. */
function buildPossibleVectors({ mean, variance }: TraitPosterior): readonly Float64Array[] {
  const sd = variance.map(Math.sqrt);
  return draws.map((draw) => draw.map((normal, slot) => mean[slot]! + sd[slot]! * normal));
}

const drawPairs = 200;

/** Pairs of opposite numbers, so that their mean is exactly 0. The standard error of a share of 400 draws is about 0.02. */
const draws: readonly Float64Array[] = ((random) =>
  Array.from({ length: drawPairs }, () => traitCodes.map(() => drawStandardNormal(random))).flatMap(
    (draw) => [Float64Array.from(draw), Float64Array.from(draw, (normal) => -normal)],
  ))(createSeededRandom(20));

function normaliseWeights(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function centreValues(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let place = 0; place < one.length; place += 1) sum += one[place]! * other[place]!;
  return sum;
}
