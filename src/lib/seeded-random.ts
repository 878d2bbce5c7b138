/** A source of numbers from 0 up to, and without, 1. */
export type Random = () => number;

/** Numbers that are the same for the same seed on every machine (mulberry32): for simulations and demonstrations, never for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A standard normal number, by Box and Muller (1958). */
export function drawStandardNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A whole number from 0 to `bound` - 1. */
export function drawBelow(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}

/** One of the items, each as likely as the others. */
export function pickOne<Item>(random: Random, items: readonly Item[]): Item {
  return items[drawBelow(random, items.length)]!;
}
