import { setImmediate as startNextTurn, setTimeout as pause } from 'node:timers/promises';

/** The longest turn of the event loop during some work. `busy_ms` is the processor time of this thread, to which other processes add little. */
export type LongestTurn = { readonly busy_ms: number; readonly elapsed_ms: number };

/** Measures turns of the event loop of this thread. One piece of work at a time can be measured. */
export type TurnMeter = {
  measure<Result>(
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly turn: LongestTurn }>;
} & Disposable;

const tick_ms = 1;

/**
 * Opens a meter: a timer that is due in every turn. What the thread has done between two of its ticks is one turn, or several that together
 * are hardly longer than a tick.
 */
export function openTurnMeter(): TurnMeter {
  let longest = { busy_ms: 0, elapsed_ms: 0 };
  let last = readClocks();
  const endTurn = () => {
    const now = readClocks();
    longest = {
      busy_ms: Math.max(longest.busy_ms, now.busy_ms - last.busy_ms),
      elapsed_ms: Math.max(longest.elapsed_ms, now.elapsed_ms - last.elapsed_ms),
    };
    last = now;
  };
  const timer = setInterval(endTurn, tick_ms);
  return {
    measure: async (work) => {
      await pause(2 * tick_ms);
      await startNextTurn();
      endTurn();
      longest = { busy_ms: 0, elapsed_ms: 0 };
      const result = await work();
      await startNextTurn();
      endTurn();
      return { result, turn: longest };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function readClocks(): LongestTurn {
  const { user, system } = process.threadCpuUsage();
  return { busy_ms: (user + system) / 1_000, elapsed_ms: performance.now() };
}
