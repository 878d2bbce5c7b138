import { createSeededRandom, drawStandardNormal } from '#lib/seeded-random.ts';
import { traitCodes, type TraitPriorities } from '#modules/traits';
import { computeStandardWeights } from '../engine/fit.ts';

/** How well somebody would belong, in words; `unknown` as long as the organisation has no culture profile. */
export const belongingLabels = ['high', 'moderate', 'low', 'unknown'] as const;

export type BelongingLabel = (typeof belongingLabels)[number];

export type Belonging = Readonly<Record<'authenticity' | 'acceptance' | 'complementarity', BelongingLabel>>;

/** A member's posterior: means and variances in the 20 slots, in standard deviations of the population. */
export type TraitPosterior = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/** What belonging reads of a culture profile: shares of trust from 0 to 1, and of what counts, which sum to 1. */
export type Culture = {
  readonly braving: Readonly<Record<'nonjudgment' | 'generosity' | 'boundaries', number>>;
  readonly cvf: Readonly<Record<Quadrant, number>>;
};

type Quadrant = 'clan' | 'adhocracy' | 'market' | 'hierarchy';

/**
 * Which traits go with preferring each quadrant of the competing values framework, after how Cameron and Quinn (2011) describe the four;
 * values are not measured themselves yet. Provisional, and used for words alone: no tier comes from it.
 */
const quadrantTraits: Readonly<Record<Quadrant, TraitPriorities>> = {
  clan: { collaborative_orientation: 1, empathic_attunement: 1 },
  adhocracy: { exploratory_curiosity: 1, change_agility: 1, ambiguity_tolerance: 1 },
  market: { achievement_drive: 1, persistence: 0.5, social_initiative: 0.5 },
  hierarchy: { structure_preference: 1, accountability: 0.5 },
};

const quadrants = Object.keys(quadrantTraits) as Quadrant[];

const quadrantWeights = quadrants.map((quadrant) => computeStandardWeights(quadrantTraits[quadrant]));

/**
 * Who needs a dimension of trust more than others do: whoever regains balance slowly needs to be able to ask for help, whoever is open
 * and attentive needs good intentions to be assumed, whoever works best alone needs a no to be respected. Provisional as well.
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

/** What an average person needs of a dimension, and a standard deviation more, on the scale of its score. */
const needScale = { average: 0.5, deviation: 0.125 } as const;

/** How probable a label other than `moderate` has to be, as of the tiers. */
const certainty = 0.8;

const cuts = {
  authenticity: { high: 0.5, low: 0 },
  acceptance: { high: -0.05, low: -0.15 },
  complementarity: { high: 0.8, low: 0.3 },
} as const;

/**
 * The three sides of belonging. Authenticity: the correlation of what the member prefers with what counts in the organisation; a
 * correlation, as scores that sum to one have no level. Acceptance: how far the organisation falls short of the trust that the member
 * needs; more than needed does no harm. Complementarity: what the member brings of the job's traits beyond what the culture stresses.
 * `high` and `low` are said where they are 80 % probable, else `moderate`.
 */
export function computeBelonging(
  member: TraitPosterior,
  job: TraitPriorities,
  culture: Culture | undefined,
): Belonging {
  if (!culture) return { authenticity: 'unknown', acceptance: 'unknown', complementarity: 'unknown' };
  const possible = buildPossibleVectors(member);
  const wanted = normaliseWeights(computeStandardWeights(job));
  const stressed = computeStressedTraits(culture);
  return {
    authenticity: chooseLabel(
      possible.map((vector) => computeAuthenticity(vector, culture)),
      cuts.authenticity,
    ),
    acceptance: chooseLabel(
      possible.map((vector) => -computeTrustShortfall(vector, culture)),
      cuts.acceptance,
    ),
    complementarity: chooseLabel(
      possible.map((vector) => computeComplementarity(vector, wanted, stressed)),
      cuts.complementarity,
    ),
  };
}

/** Pearson's correlation over the four quadrants; 0 where the organisation prefers none, as then nobody fits it worse than others. */
function computeAuthenticity(vector: Float64Array, { cvf }: Culture): number {
  const preferred = centreValues(quadrantWeights.map((weights) => dot(weights, vector)));
  const counts = centreValues(quadrants.map((quadrant) => cvf[quadrant]));
  const size = Math.sqrt(dot(preferred, preferred) * dot(counts, counts));
  return size < 1e-9 ? (cuts.authenticity.high + cuts.authenticity.low) / 2 : dot(preferred, counts) / size;
}

/** How much of the trust that is needed is not there, on average over the three dimensions. */
function computeTrustShortfall(vector: Float64Array, { braving }: Culture): number {
  const short = needs.map(({ dimension, sign, weights }) => {
    const needed = needScale.average + needScale.deviation * sign * dot(weights, vector);
    return Math.max(0, Math.min(1, needed) - braving[dimension]);
  });
  return short.reduce((sum, each) => sum + each, 0) / needs.length;
}

function computeComplementarity(vector: Float64Array, wanted: Float64Array, stressed: Float64Array): number {
  return wanted.reduce((sum, share, slot) => sum + share * Math.max(0, vector[slot]! - stressed[slot]!), 0);
}

/** Where the culture puts its weight, in standard deviations: a quadrant at an equal share stresses nothing, at twice that two. */
function computeStressedTraits({ cvf }: Culture): Float64Array {
  const stressed = new Float64Array(traitCodes.length);
  for (const [place, quadrant] of quadrants.entries()) {
    const more = 8 * (cvf[quadrant] - 0.25);
    for (const [slot, weight] of quadrantWeights[place]!.entries()) stressed[slot]! += more * weight;
  }
  return stressed;
}

function chooseLabel(
  values: readonly number[],
  { high, low }: { readonly high: number; readonly low: number },
): BelongingLabel {
  const computeShare = (is: (value: number) => boolean) => values.filter(is).length / values.length;
  if (computeShare((value) => value >= high) >= certainty) return 'high';
  return computeShare((value) => value < low) >= certainty ? 'low' : 'moderate';
}

/** Vectors that the member may have, each as likely: the same draws for everybody, so that the same facts give the same words. */
function buildPossibleVectors({ mean, variance }: TraitPosterior): readonly Float64Array[] {
  const sd = variance.map(Math.sqrt);
  return draws.map((draw) => draw.map((normal, slot) => mean[slot]! + sd[slot]! * normal));
}

const drawPairs = 200;

/** In pairs of opposites, so that their mean is exact. A share of 400 is off by less than 0.02 mostly. */
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
