import { continuousTraits, type ContinuousTrait, type TraitPriorities } from '#modules/measurement/traits';

/** Sliders move in steps of a twentieth. */
const steps = 20;

/** The place of a slider for a priority. */
export function toPlace(priority: number): number {
  return Math.round(priority * steps) / steps;
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
