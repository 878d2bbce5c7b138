import type { TaskContext } from '#platform/queue/task.ts';
import { requireTestClock } from './require-test-clock.ts';
import { computeStop, step_ms_min, type ClockWay } from './rules.ts';
import { advanceAhead } from './store.ts';

/** The name of the task that moves the clock, which does not wait for itself. */
export const clock_task = 'sandbox.moveClock';

/**
 * Moves the test clock to `target`, from one time at which something is due to the next, and lets that be done. The first step is a minute, so that what
 * runs every minute, such as payouts, comes before what looks every night at what has waited for too long.
 *
 * @param reportStop Called at each stop with the time of the clock, when everything is done that was due by then.
 */
export async function passTime(
  context: TaskContext,
  { target, longest_ms }: Omit<ClockWay, 'now'>,
  reportStop: (now: Date) => Promise<void> = async () => undefined,
): Promise<void> {
  const { database, queue, signal } = context;
  const clock = requireTestClock(context);
  for (let step_ms = step_ms_min; ; step_ms = longest_ms) {
    await queue.finishDue(clock_task, signal);
    const now = clock.now();
    await reportStop(now);
    if (now >= target) return;
    const stop = computeStop({ now, target, longest_ms: step_ms }, await queue.findNextDue());
    const ahead_ms = clock.readAhead() + stop.getTime() - now.getTime();
    // Stored first, so that the clock of a process that ends here does not go back.
    await advanceAhead(database, ahead_ms);
    clock.setAhead(ahead_ms);
  }
}
