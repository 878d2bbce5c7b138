import { Refusal } from '#lib/refusal.ts';

/** Runs work, with a limit on how much of it runs at the same time. */
export type ConcurrencyLimiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a limiter that runs at most `running_max` calls at the same time and queues at most `waiting_max`. If the queue is full, it refuses
 * the call at once with Refusal `overloaded`, because a longer queue would only delay every caller.
 */
export function createConcurrencyLimiter(running_max: number, waiting_max: number): ConcurrencyLimiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const startNext = waiting.shift();
    if (startNext) startNext();
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
