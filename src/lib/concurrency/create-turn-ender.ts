import { setImmediate as startNextTurn } from 'node:timers/promises';

/** Long work begins another turn of the event loop after this time, so that requests come in between. */
const turn_ms = 10;

/**
 * Returns a function to call between the steps of long work: it waits for the next turn of the event loop if the work has taken ten
 * milliseconds since the last one. Steps of less than a millisecond need no other rule.
 *
 * @example const endLongTurn = createTurnEnder(); for (const each of many) { await endLongTurn(); compute(each); }
 */
export function createTurnEnder(readTime: () => number = () => performance.now()): () => Promise<void> {
  let began_ms = readTime();
  return async () => {
    if (readTime() - began_ms < turn_ms) return;
    await startNextTurn();
    began_ms = readTime();
  };
}
