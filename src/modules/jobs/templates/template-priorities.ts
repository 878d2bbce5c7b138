import { traitCodes, type TraitCode, type TraitPriorities } from '#modules/traits';
import type { Occupation, WorkStyleRating } from './onet-text.ts';
import {
  workStyles,
  workStylesCrosswalk,
  type CrosswalkLink,
  type WorkStyle,
} from './work-styles-crosswalk.ts';

/** A starting point for a job, derived from one occupation. */
export type JobTemplate = Occupation & { readonly trait_priorities: TraitPriorities };

/**
 * Turns the importance of work styles into trait priorities, for all occupations at once. A priority is a position among occupations:
 * nearly every style is important in nearly every occupation (means of 3.4 to 4.4 out of 5), so the importance alone hardly distinguishes jobs.
 *
 * 1. Shrink. x' = m + (x - m) * v / (v + se²), where m is the style's mean over occupations and v its variance without sampling error.
 *    If no standard error was published, the style's average one is used. This moves imprecise ratings towards the mean.
 * 2. Combine. I(t) = Σ c(t,s) x'(s) / Σ c(t,s) over the styles s of the crosswalk for which the occupation has a rating.
 * 3. Standardise. z(t) = (I(t) - mean(t)) / sd(t), over all given occupations.
 * 4. Contrast. d(t) = z(t) - mean of the occupation's z values: the demand for t relative to the occupation's overall demand.
 * 5. Scale. p(t) = min(1, Σ c(t,s)) * clamp((d(t) + 0.5) / 2, 0, 1): an average demand gets 0.25, a demand 1.5 sd above average gets 1,
 *    and a trait that the crosswalk covers partly is reduced accordingly. Rounded to two decimals; values below 0.10 are dropped.
 *
 * Every occupation with a rating has at least one trait, because the largest d is never below 0. Suppressed ratings are ignored, and
 * occupations without a rating are left out. The result is deterministic and ordered by code.
 *
 * @throws Error for a rating whose occupation is missing, and for two ratings of one style.
 */
export function computeJobTemplates(
  occupations: readonly Occupation[],
  ratings: readonly WorkStyleRating[],
): readonly JobTemplate[] {
  const profiles = computeImportanceProfiles(
    occupations,
    shrinkToMean(ratings.filter((rating) => !rating.suppressed)),
  );
  const baseline = computeBaseline([...profiles.values()]);
  return occupations
    .filter((occupation) => profiles.has(occupation.onet_code))
    .map((occupation) => ({
      ...occupation,
      trait_priorities: computeTraitPriorities(profiles.get(occupation.onet_code)!, baseline),
    }))
    .sort((a, b) => (a.onet_code < b.onet_code ? -1 : 1));
}

type Spread = { readonly mean: number; readonly variance: number };
type Profile = ReadonlyMap<TraitCode, number>;
type Baseline = ReadonlyMap<TraitCode, Spread>;

function shrinkToMean(ratings: readonly WorkStyleRating[]): readonly WorkStyleRating[] {
  return workStyles.flatMap((style) => shrinkStyle(ratings.filter((rating) => rating.work_style === style)));
}

function shrinkStyle(ratings: readonly WorkStyleRating[]): readonly WorkStyleRating[] {
  const { mean, variance } = computeSpread(ratings.map((rating) => rating.importance));
  const errors = ratings.flatMap(({ standard_error }) =>
    standard_error === undefined ? [] : [standard_error ** 2],
  );
  const typicalError = computeSpread(errors).mean;
  // At least a tenth of the variance counts as true, so that a noisy style does not lose all influence.
  const trueVariance = Math.max(variance - typicalError, variance / 10);
  return ratings.map((rating) => {
    const error = rating.standard_error === undefined ? typicalError : rating.standard_error ** 2;
    const trust = trueVariance === 0 ? 0 : trueVariance / (trueVariance + error);
    return { ...rating, importance: mean + (rating.importance - mean) * trust };
  });
}

function computeImportanceProfiles(
  occupations: readonly Occupation[],
  ratings: readonly WorkStyleRating[],
): ReadonlyMap<string, Profile> {
  const known = new Set(occupations.map((occupation) => occupation.onet_code));
  const byCode = new Map<string, Map<WorkStyle, number>>();
  for (const { onet_code, work_style, importance } of ratings) {
    if (!known.has(onet_code))
      throw new Error(`A work style is rated for ${onet_code}, which is not among the occupations.`);
    const styles = byCode.get(onet_code) ?? new Map<WorkStyle, number>();
    if (styles.has(work_style)) throw new Error(`${onet_code} has two ratings for "${work_style}".`);
    byCode.set(onet_code, styles.set(work_style, importance));
  }
  return new Map([...byCode].map(([code, styles]) => [code, computeTraitImportances(styles)]));
}

function computeTraitImportances(styles: ReadonlyMap<WorkStyle, number>): Profile {
  const profile = new Map<TraitCode, number>();
  for (const trait of traitCodes) {
    const ratedLinks = listLinks(trait).filter(({ style }) => styles.has(style));
    const weight = sumValues(ratedLinks.map((link) => link.weight));
    if (weight > 0)
      profile.set(trait, sumValues(ratedLinks.map((link) => link.weight * styles.get(link.style)!)) / weight);
  }
  return profile;
}

function listLinks(trait: TraitCode): readonly { readonly style: WorkStyle; readonly weight: number }[] {
  return workStyles.flatMap((style) => {
    const links: readonly CrosswalkLink[] = workStylesCrosswalk[style];
    return links.filter((link) => link.trait === trait).map((link) => ({ style, weight: link.weight }));
  });
}

function computeBaseline(profiles: readonly Profile[]): Baseline {
  const computeTraitSpread = (trait: TraitCode): Spread =>
    computeSpread(profiles.flatMap((profile) => profile.get(trait) ?? []));
  return new Map(traitCodes.map((trait) => [trait, computeTraitSpread(trait)]));
}

function computeTraitPriorities(profile: Profile, baseline: Baseline): TraitPriorities {
  const places = [...profile].map(
    ([trait, importance]) => [trait, computePlace(baseline.get(trait)!, importance)] as const,
  );
  const mean = sumValues(places.map(([, place]) => place)) / places.length;
  const priorities: Partial<Record<TraitCode, number>> = {};
  for (const [trait, place] of places) {
    const reach = Math.min(1, sumValues(listLinks(trait).map((link) => link.weight)));
    const priority = Math.round(100 * reach * Math.min(1, Math.max(0, (place - mean + 0.5) / 2))) / 100;
    if (priority >= 0.1) priorities[trait] = priority;
  }
  return priorities;
}

/** Computes a position in standard deviations; 0 if all occupations have the same value up to rounding. */
function computePlace({ mean, variance }: Spread, value: number): number {
  return variance < 1e-12 ? 0 : (value - mean) / Math.sqrt(variance);
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
