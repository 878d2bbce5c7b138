import type { Clock, TestClock } from '#platform/clock.ts';

/** The clock of a queue: that of the machine, or one that is ahead of it. */
export type QueueClock = Clock & Partial<Pick<TestClock, 'readAhead'>>;

/** By how many milliseconds the clock is ahead of that of the database. */
export function readAhead(clock: QueueClock): number {
  return clock.readAhead?.() ?? 0;
}
