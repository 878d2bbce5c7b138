/** Seeded randomness: the same seed gives the same population on every machine. */
export type Random = {
  /** In [0, 1). */
  uniform(): number;
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Standard normal, by Box and Muller (1958). */
  normal(): number;
};

/** Mulberry32: 32 bits of state, plenty for synthetic people and useless for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(uniform() * bound);
  return {
    uniform,
    below,
    pick: (items) => items[below(items.length)]!,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
