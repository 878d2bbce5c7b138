import { task } from '#platform/queue/task.ts';
import { requireTestClock } from './require-test-clock.ts';
import { computeStop } from './rules.ts';
import { advanceAhead } from './store.ts';

/** `to`: the time to which the clock goes, in ISO 8601. */
type Data = { readonly to: string };

/** Moves the test clock from one time at which something is due to the next, and lets that be done, until it has reached `to`. */
export const moveClock = task<Data>({
  name: 'sandbox.moveClock',
  retry_seconds: [1, 10, 60],
  run: async (context, { to }) => {
    const { database, queue, reportProgress, signal } = context;
    const clock = requireTestClock(context);
    const target = new Date(to);
    const began = clock.now();
    const countSeconds = (until: Date) =>
      Math.max(0, Math.round((until.getTime() - began.getTime()) / 1_000));
    for (;;) {
      await queue.finishDue(moveClock.name, signal);
      const now = clock.now();
      await reportProgress(Math.min(countSeconds(now), countSeconds(target)), countSeconds(target));
      if (now >= target) return;
      const stop = computeStop({ began, now, target }, await queue.findNextDue());
      const ahead_ms = clock.readAhead() + stop.getTime() - now.getTime();
      // Stored first, so that the clock of a process that ends here does not go back.
      await advanceAhead(database, ahead_ms);
      clock.setAhead(ahead_ms);
    }
  },
});
