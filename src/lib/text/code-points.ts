/** Comes after every character of a text that people enter, in the order of code points. */
export const last_character = '\u{10ffff}';

/** Compares texts by code points, like the collation "C" of PostgreSQL. */
export function compareCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
