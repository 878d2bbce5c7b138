/** The only source of wall-clock time, so that tests can stop and advance it. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
