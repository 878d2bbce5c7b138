import { traitCodes } from '#modules/measurement/traits';
import type { WorkStyleRating } from '../../src/modules/matching/jobs/templates/onet-text.ts';
import { workStyleLayouts } from '../../src/modules/matching/jobs/templates/work-styles-crosswalk.ts';

/**
 * Computes the priorities of the earlier templates, which contrast each trait with the occupation's own mean: clamp((z - mean z + 0.5) / 2).
 * They are the starting point of the comparison.
 *
 * @returns a vector for each occupation, in order of code.
 */
export function computeFormerPriorities(ratings: readonly WorkStyleRating[]): readonly Float64Array[] {
  const styles = [...workStyleLayouts.IM.crosswalk.keys()];
  const shrunk = new Map<string, Map<string, number>>();
  for (const style of styles) {
    const ofStyle = ratings.filter(({ work_style, suppressed }) => work_style === style && !suppressed);
    const { mean, variance } = computeSpread(ofStyle.map(({ rating }) => rating));
    const errors = ofStyle.flatMap(({ standard_error }) => (standard_error ? [standard_error ** 2] : []));
    const typical = computeSpread(errors).mean;
    const signal = Math.max(variance - typical, variance / 10);
    for (const { onet_code, rating, standard_error } of ofStyle) {
      const error = standard_error === undefined ? typical : standard_error ** 2;
      const row = shrunk.get(onet_code) ?? new Map<string, number>();
      shrunk.set(onet_code, row.set(style, mean + ((rating - mean) * signal) / (signal + error)));
    }
  }
  const rows = [...shrunk].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return computeContrasts(rows);
}

function computeContrasts(rows: readonly ReadonlyMap<string, number>[]): readonly Float64Array[] {
  const links = traitCodes.map((code) =>
    [...workStyleLayouts.IM.crosswalk].flatMap(([style, of]) =>
      of.filter(({ trait }) => trait === code).map(({ weight }) => ({ style, weight })),
    ),
  );
  const weights = links.map((of) => of.reduce((sum, { weight }) => sum + weight, 0));
  const demands = rows.map((row) =>
    links.map((of, slot) =>
      weights[slot] === 0
        ? Number.NaN
        : of.reduce((sum, { style, weight }) => sum + weight * row.get(style)!, 0) / weights[slot]!,
    ),
  );
  const spreads = traitCodes.map((_, slot) => computeSpread(demands.map((demand) => demand[slot]!)));
  return demands.map((demand) => {
    const places = demand.map(
      (value, slot) => (value - spreads[slot]!.mean) / Math.sqrt(spreads[slot]!.variance),
    );
    const known = places.filter((place) => !Number.isNaN(place));
    const level = computeSpread(known).mean;
    return Float64Array.from(places, (place, slot) => {
      if (Number.isNaN(place)) return 0;
      const reach = Math.min(1, weights[slot]!);
      const priority = Math.round(100 * reach * Math.min(1, Math.max(0, (place - level + 0.5) / 2))) / 100;
      return priority < 0.1 ? 0 : priority;
    });
  });
}

function computeSpread(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
}
