import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import { readAhead, type QueueClock } from '#platform/queue/queue-clock.ts';
import type { Runner } from '#platform/queue/runner.ts';
import { listDueNames } from '#platform/queue/stored-tasks.ts';

const look_again_ms = 10;

/** Runs the due tasks of the runners, and what these queue, until none is due and none runs. */
export async function finishDueTasks(
  database: Database,
  clock: QueueClock,
  runners: readonly Runner[],
  signal: AbortSignal,
): Promise<void> {
  const names = runners.map(({ task }) => task.name);
  for (;;) {
    signal.throwIfAborted();
    const due = new Set(await listDueNames(database, names, readAhead(clock)));
    const counts = await Promise.all(
      runners.filter(({ task }) => due.has(task.name)).map((runner) => runner.work()),
    );
    // Those that are running were claimed by the workers of this process, and may queue more.
    if (due.size === 0 && runners.every((runner) => runner.listRunning().size === 0)) return;
    if (counts.every((count) => count === 0)) await pause(look_again_ms, undefined, { signal });
  }
}
