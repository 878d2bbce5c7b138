/** The only source of wall-clock time, so that tests can stop and advance it. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that runs ahead of the clock of the machine, for programs that cannot wait until something is due. */
export type TestClock = Clock & {
  /** By how many milliseconds it is ahead. */
  readonly readAhead: () => number;
  /** Sets by how many milliseconds it is ahead. It runs on as the clock of the machine does. */
  readonly setAhead: (ahead_ms: number) => void;
};

/** Creates a test clock that shows the time of another clock until it is moved. */
export function createTestClock(base: Clock): TestClock {
  let current_ms = 0;
  return {
    now: () => new Date(base.now().getTime() + current_ms),
    readAhead: () => current_ms,
    setAhead: (ahead_ms) => void (current_ms = ahead_ms),
  };
}

/**
 * Reads the time of the world, which a test clock is ahead of. What others have signed just now is compared with it, and what is signed for
 * them carries it.
 */
export function readWorldTime({
  now,
  testClock,
}: {
  readonly now: Clock['now'];
  readonly testClock?: TestClock | undefined;
}): Date {
  return new Date(now().getTime() - (testClock?.readAhead() ?? 0));
}
