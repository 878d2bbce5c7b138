/** A source of numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Creates a source that gives the same numbers for the same seed on every machine (mulberry32). For simulations, never for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws a standard normal number (Box and Muller, 1958). */
export function drawStandardNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Draws a whole number from 0 to `bound` - 1. */
export function drawBelow(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}

/** Picks one of the items, each with the same probability. */
export function pickOne<Item>(random: Random, items: readonly Item[]): Item {
  return items[drawBelow(random, items.length)]!;
}
