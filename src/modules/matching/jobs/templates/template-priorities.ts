import { traitCodes, type TraitCode, type TraitPriorities } from '#modules/measurement/traits';
import type { Occupation, WorkStyleRating } from './onet-text.ts';
import { workStyleLayouts, type CrosswalkLink, type WorkStyleLayout } from './work-styles-crosswalk.ts';

/** A starting point for a job, derived from one occupation. */
export type JobTemplate = Occupation & { readonly trait_priorities: TraitPriorities };

/**
 * Turns the ratings of work styles into trait priorities, for all occupations at once. A priority states the demand, so that two jobs may
 * ask for the same traits to different degrees; matching compares members by what distinguishes jobs (docs/decisions/matching.md).
 *
 * 1. Combine. I(t) = Σ c(t,s) x(s) / Σ c(t,s) over the styles s of the crosswalk for which the occupation has a rating x, with the
 *    variance of the error e²(t) = {@link contrastErrorShare} Σ c² se² / (Σ c)².
 * 2. Standardise. z(t) = (I(t) - mean(t)) / sd(t), over all given occupations, and e(t) likewise.
 * 3. Separate the occupation's level L = mean of its z from its shape d(t) = z(t) - L.
 * 4. Shrink the shape. T = max(0, variance of d - mean of e²) is how much the shape of this occupation differs from a flat one beyond its
 *    errors, and d'(t) = d(t) T / (T + e²(t)). With weak evidence the shape becomes flat.
 * 5. Add up. u(t) = d'(t) + (L + 0.75 A(t)) / (1 + mean of e²), where A(t) is the standardised mean of I(t), that is how important t is in
 *    all work. With weak evidence this part becomes flat, too.
 * 6. Scale. p(t) = min(1, Σ c(t,s)) * clamp((u(t) + 0.9) / 3.2, 0, 1). A trait that the crosswalk covers partly is reduced accordingly,
 *    and a trait whose impact is not beneficial gets 0. Rounded to two decimals; values below 0.10 are dropped. An occupation that asks
 *    for nothing in particular gets 0.10 for each trait that has a rating.
 *
 * Suppressed ratings are ignored, and occupations without a rating are left out. The result is deterministic and ordered by code.
 *
 * @throws Error for a rating whose occupation is missing, for two ratings of one style, and for ratings on different scales.
 */
export function computeJobTemplates(
  occupations: readonly Occupation[],
  ratings: readonly WorkStyleRating[],
): readonly JobTemplate[] {
  const usable = ratings.filter((rating) => !rating.suppressed);
  const [first] = usable;
  if (first === undefined) return [];
  if (usable.some(({ scale }) => scale !== first.scale))
    throw new Error('The work styles are rated on different scales.');
  const layout = workStyleLayouts[first.scale];
  const demands = computeDemands(occupations, usable, layout);
  const priorities = computePriorities(demands, layout);
  return occupations
    .filter((occupation) => demands.has(occupation.onet_code))
    .map((occupation) => ({ ...occupation, trait_priorities: priorities.get(occupation.onet_code)! }))
    .sort((a, b) => (a.onet_code < b.onet_code ? -1 : 1));
}

/**
 * The share of an error that remains in the difference of two styles of one occupation: the same people rate all styles, and the errors of
 * people who rate generously are in all of them. It assumes that the errors of two styles correlate by 0.4.
 */
const contrastErrorShare = 0.6;

/** The error of a style without any published error, as a share of the variance of its ratings. */
const unpublishedErrorShare = 0.2;

/** How much the importance of a trait in all work counts, compared with the position of the occupation among all occupations. */
const importanceShare = 0.75;

const scale = { offset: 0.9, width: 3.2, lowest: 0.1 } as const;

/** How strongly an occupation demands a trait, on the scale of the ratings, and the variance of the error of a difference to others. */
type Demand = { readonly value: number; readonly error: number };
type Demands = ReadonlyMap<TraitCode, Demand>;
type Spread = { readonly mean: number; readonly variance: number };

function computeDemands(
  occupations: readonly Occupation[],
  ratings: readonly WorkStyleRating[],
  { crosswalk }: WorkStyleLayout,
): ReadonlyMap<string, Demands> {
  const typicalErrors = new Map(
    [...crosswalk.keys()].map((style) => [style, computeTypicalError(ratings, style)]),
  );
  const known = new Set(occupations.map((occupation) => occupation.onet_code));
  const byCode = new Map<string, Map<string, Demand>>();
  for (const { onet_code, work_style, rating, standard_error } of ratings) {
    if (!known.has(onet_code))
      throw new Error(`A work style is rated for ${onet_code}, which is not among the occupations.`);
    const styles = byCode.get(onet_code) ?? new Map<string, Demand>();
    if (styles.has(work_style)) throw new Error(`${onet_code} has two ratings for "${work_style}".`);
    const error = standard_error === undefined ? typicalErrors.get(work_style)! : standard_error ** 2;
    byCode.set(onet_code, styles.set(work_style, { value: rating, error: contrastErrorShare * error }));
  }
  return new Map([...byCode].map(([code, styles]) => [code, combineStyles(styles, crosswalk)]));
}

/** Computes the average variance of the published errors of a style. */
function computeTypicalError(ratings: readonly WorkStyleRating[], style: string): number {
  const ofStyle = ratings.filter(({ work_style }) => work_style === style);
  const errors = ofStyle.flatMap(({ standard_error }) =>
    standard_error === undefined ? [] : [standard_error ** 2],
  );
  if (errors.length > 0) return computeSpread(errors).mean;
  return unpublishedErrorShare * computeSpread(ofStyle.map(({ rating }) => rating)).variance;
}

function combineStyles(
  styles: ReadonlyMap<string, Demand>,
  crosswalk: WorkStyleLayout['crosswalk'],
): Demands {
  const demands = new Map<TraitCode, Demand>();
  for (const trait of traitCodes) {
    const rated = listLinks(crosswalk, trait).filter(({ style }) => styles.has(style));
    const total = sumValues(rated.map(({ weight }) => weight));
    if (total === 0) continue;
    const sumWeighted = (compute: (weight: number, style: Demand) => number) =>
      sumValues(rated.map(({ weight, style }) => compute(weight, styles.get(style)!)));
    demands.set(trait, {
      value: sumWeighted((weight, { value }) => weight * value) / total,
      error: sumWeighted((weight, { error }) => weight ** 2 * error) / total ** 2,
    });
  }
  return demands;
}

function listLinks(
  crosswalk: WorkStyleLayout['crosswalk'],
  trait: TraitCode,
): readonly { readonly style: string; readonly weight: number }[] {
  return [...crosswalk].flatMap(([style, links]: readonly [string, readonly CrosswalkLink[]]) =>
    links.filter((link) => link.trait === trait).map(({ weight }) => ({ style, weight })),
  );
}

/** What is known about a trait over all occupations: its mean and variance, its importance in all work, and how far the crosswalk covers it. */
type Baseline = Spread & { readonly importance: number; readonly reach: number };

function computePriorities(
  demands: ReadonlyMap<string, Demands>,
  layout: WorkStyleLayout,
): ReadonlyMap<string, TraitPriorities> {
  const all = [...demands.values()];
  const spreads = new Map(
    traitCodes.map((trait) => [trait, computeSpread(all.flatMap((each) => each.get(trait)?.value ?? []))]),
  );
  const overall = computeSpread(all.flatMap((each) => [...each.values()].map(({ value }) => value)));
  const baseline = new Map(
    traitCodes.map((trait) => [
      trait,
      {
        ...spreads.get(trait)!,
        importance: standardise(overall, spreads.get(trait)!.mean),
        reach: Math.min(1, sumValues(listLinks(layout.crosswalk, trait).map(({ weight }) => weight))),
      },
    ]),
  );
  const hasSigns = layout.range[0] < 0;
  return new Map(
    [...demands].map(([code, each]) => [code, computeTraitPriorities(each, baseline, hasSigns)]),
  );
}

function computeTraitPriorities(
  demands: Demands,
  baseline: ReadonlyMap<TraitCode, Baseline>,
  hasSigns: boolean,
): TraitPriorities {
  const places = [...demands].map(([trait, { value, error }]) => {
    const { variance } = baseline.get(trait)!;
    const place = standardise(baseline.get(trait)!, value);
    return { trait, value, place, error: variance < tiny ? 0 : error / variance };
  });
  const level = computeSpread(places.map(({ place }) => place)).mean;
  const observed = computeSpread(places.map(({ place }) => place)).variance;
  const averageError = computeSpread(places.map(({ error }) => error)).mean;
  const shape = Math.max(0, observed - averageError);
  const priorities: Partial<Record<TraitCode, number>> = {};
  for (const { trait, value, place, error } of places) {
    const { importance, reach } = baseline.get(trait)!;
    const trust = shape < tiny ? 0 : shape / (shape + error);
    const demand = trust * (place - level) + (level + importanceShare * importance) / (1 + averageError);
    const priority = reach * Math.min(1, Math.max(0, (demand + scale.offset) / scale.width));
    const rounded = Math.round(100 * priority) / 100;
    if (rounded >= scale.lowest && !(hasSigns && value <= 0)) priorities[trait] = rounded;
  }
  if (Object.keys(priorities).length > 0) return priorities;
  return Object.fromEntries(places.map(({ trait }) => [trait, scale.lowest]));
}

/** Less than any variance that differs from zero by more than rounding. */
const tiny = 1e-12;

/** Computes a position in standard deviations; 0 if all values are the same up to rounding. */
function standardise({ mean, variance }: Spread, value: number): number {
  return variance < tiny ? 0 : (value - mean) / Math.sqrt(variance);
}

function computeSpread(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: 0, variance: 0 };
  const mean = sumValues(values) / values.length;
  return { mean, variance: sumValues(values.map((value) => (value - mean) ** 2)) / values.length };
}

function sumValues(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
