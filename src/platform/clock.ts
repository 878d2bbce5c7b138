/** The only source of wall-clock time, so that tests can stand still and jump. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
