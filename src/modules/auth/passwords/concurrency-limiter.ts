import { Refusal } from '#lib/refusal.ts';

/** Runs work, at most so much of it at once. */
export type ConcurrencyLimiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets at most `running_max` pieces of work run and `waiting_max` wait in line. Whoever comes to a full line is refused at once, because a
 * line that only grows helps nobody.
 *
 * The work of a full line is refused with Refusal `overloaded`.
 */
export function createConcurrencyLimiter(running_max: number, waiting_max: number): ConcurrencyLimiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  const enter = () => {
    if (running < running_max) return void running++;
    if (waiting.length >= waiting_max) throw new Refusal('overloaded', { headers: { 'retry-after': '5' } });
    return new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
