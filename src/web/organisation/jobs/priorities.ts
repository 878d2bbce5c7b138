import { continuousTraits, type ContinuousTrait, type TraitPriorities } from '#modules/measurement/traits';

/** Sliders move in steps of a twentieth. */
const steps = 20;

/** The place of a slider for a priority. */
export function toPlace(priority: number): number {
  return Math.round(priority * steps) / steps;
}

/** How many priorities an occupation proposes. A job that asks for everything distinguishes nobody. */
const proposed_max = 5;

/** The priorities that an occupation proposes: the strongest of those that have a slider. Of equal ones, the first in the order of traits. */
export function proposePriorities(ratings: TraitPriorities): TraitPriorities {
  const rated = continuousTraits
    .map((code) => [code, ratings[code] ?? 0] as const)
    .filter(([, rating]) => toPlace(rating) > 0);
  const strongest = rated.toSorted(([, one], [, other]) => other - one).slice(0, proposed_max);
  return Object.fromEntries(strongest);
}

export function nameSlider(code: ContinuousTrait): string {
  return `priority_${code}`;
}

/**
 * Reads the sliders. A slider that was not moved keeps the exact number from which it started, so that saving a job without a change
 * changes nothing. Traits without a slider keep theirs, and a trait at zero is left out.
 */
export function readPriorities(
  fields: Readonly<Record<string, string>>,
  start: TraitPriorities,
): TraitPriorities {
  const moved = continuousTraits.map((code) => {
    const before = start[code] ?? 0;
    const text = fields[nameSlider(code)];
    const place = text === undefined || text === '' ? toPlace(before) : Number(text);
    // The operation refuses a number that is not one.
    return [code, place === toPlace(before) ? before : Number.isNaN(place) ? -1 : place] as const;
  });
  return Object.fromEntries(
    Object.entries({ ...start, ...Object.fromEntries(moved) }).filter(([, value]) => value !== 0),
  );
}

/** The three fields in which a job without priorities names the traits that matter most, and what each of them sets. */
export const picks = [
  ['pick_1', 0.9],
  ['pick_2', 0.75],
  ['pick_3', 0.5],
] as const;

/** Moves the sliders of the traits that are named as the three that matter most. The first field that names a trait counts. */
export function applyPicks(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const moved = picks.toReversed().flatMap(([name, priority]) => {
    const code = continuousTraits.find((each) => each === fields[name]);
    return code === undefined ? [] : [[nameSlider(code), String(priority)] as const];
  });
  const cleared = picks.flatMap(([name]) => (fields[name] === undefined ? [] : [[name, ''] as const]));
  return { ...fields, ...Object.fromEntries([...cleared, ...moved]) };
}
