import { clearances, type Clearance, type JobConstraints } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';

/** People who meet the conditions of a job, as a band: at least the first number, and fewer than the second. */
export type ReachBand = { readonly at_least: number; readonly less_than: number };

/** Below this, a band says nothing more. */
const least = 20;

/** By how much the bounds of the bands are moved, differently for each question. */
const shift_max = 0.15;

/**
 * Rounds a number of people to a band whose bounds are 0, 20, 50, 100, 200, 500 and so on. The number is first multiplied by a factor near 1
 * that is always the same for one question: who adds a condition to see whether a bound is crossed cannot tell one person from the factor.
 *
 * @param chance From 0 to 1, derived from the question and a secret.
 */
export function computeBand(people: number, chance: number): ReachBand {
  const shifted = people * (1 - shift_max + 2 * shift_max * chance);
  if (shifted < least) return { at_least: 0, less_than: least };
  const power = 10 ** Math.floor(Math.log10(shifted));
  const [at_least, less_than] = [
    [1, 2],
    [2, 5],
    [5, 10],
  ].findLast(([from]) => from! * power <= shifted) as [number, number];
  return { at_least: at_least * power, less_than: less_than * power };
}

/** Years of experience beyond these are counted together. */
export const years_max = 40;

/** The conditions of a job, as the cells of the count are selected by them. */
export type ReachFilter = {
  readonly countries: readonly string[] | null;
  readonly states: readonly string[] | null;
  readonly years_min: number;
  readonly education_levels: readonly string[];
  readonly clearances: readonly string[];
};

/** Selects the cells of the people who meet the conditions. */
export function buildFilter(constraints: JobConstraints, clearance_required: Clearance): ReachFilter {
  const { location_countries, location_states, years_experience_min = 0, education_level_min } = constraints;
  return {
    countries: location_countries ?? null,
    states: location_states ?? null,
    years_min: Math.min(years_max, years_experience_min),
    education_levels: educationLevels.slice(
      education_level_min ? educationLevels.indexOf(education_level_min) : 0,
    ),
    clearances: clearances.slice(clearances.indexOf(clearance_required)),
  };
}

const count_age_max_ms = 10 * 60_000;

/** Says whether the people must be counted again. */
export function isOutdated(counted_at: Date | undefined, now: Date): boolean {
  return counted_at === undefined || now.getTime() - counted_at.getTime() > count_age_max_ms;
}
