import type { Place } from './subdivisions.ts';

/**
 * Finds a place by its code or name, as a person types it: accents, case, punctuation, "the" and "&" make no difference. An exact code comes
 * before a name.
 *
 * @param otherNames Further names of the same places, by name, with their codes.
 */
export function findPlace(
  places: readonly Place[],
  text: string,
  otherNames: Readonly<Record<string, string>> = {},
): string | undefined {
  const code = text.trim().toUpperCase();
  if (places.some(([each]) => each === code)) return code;
  const typed = simplify(text);
  const found = places.find(([, name]) => simplify(name) === typed);
  if (found || typed === '') return found?.[0];
  return Object.entries(otherNames).find(([name]) => simplify(name) === typed)?.[1];
}

const proposed_max = 3;

/** Proposes names for a text that is none: those that begin with it, contain it, or differ in at most a quarter of its letters. */
export function proposePlaces(places: readonly Place[], text: string): readonly string[] {
  const typed = simplify(text);
  if (typed.length < 3 || typed.length > 60) return [];
  return places
    .map(([, name]) => ({ name, distance: measureDistance(simplify(name), typed) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(typed.length / 4)))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, proposed_max)
    .map(({ name }) => name);
}

function simplify(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ');
  const words = letters.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && word !== 'the');
  return words.join(' ');
}

/** Zero if a name begins with the text, one if it contains it, otherwise the edits between them. */
function measureDistance(name: string, typed: string): number {
  if (name.startsWith(typed)) return 0;
  return name.includes(typed) ? 1 : countEdits(name, typed);
}

/** Counts the letters to insert, delete or replace (Levenshtein 1966). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index++) {
    const next = [index + 1];
    for (let place = 0; place < other.length; place++) {
      const replaced = row[place]! + (one[index] === other[place] ? 0 : 1);
      next.push(Math.min(replaced, row[place + 1]! + 1, next[place]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
