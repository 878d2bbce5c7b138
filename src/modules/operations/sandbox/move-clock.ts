import { task, type TaskContext } from '#platform/queue/task.ts';
import { clock_task, passTime } from './pass-time.ts';
import { requireTestClock } from './require-test-clock.ts';
import { computeLongestStep } from './rules.ts';
import { playYear, type PlayedYear } from './year/play-year.ts';

/** `to`: the time to which the clock goes, in ISO 8601. `year`: what is played while it goes on. */
type Data = { readonly to: string } | { readonly year: PlayedYear };

/**
 * Moves the test clock to a time, or through a year that is played. Both are runs of one task, so that they follow each other: only one of them moves the
 * clock at a time.
 */
export const moveClock = task<Data>({
  name: clock_task,
  retry_seconds: [1, 10, 60],
  merge_by: (data) => ('year' in data ? data.year.id : data.to),
  run: (context, data) => ('year' in data ? playYear(context, data.year) : goTo(context, new Date(data.to))),
});

async function goTo(context: TaskContext, target: Date): Promise<void> {
  const began = requireTestClock(context).now();
  const countSeconds = (until: Date) => Math.max(0, Math.round((until.getTime() - began.getTime()) / 1_000));
  const way = { target, longest_ms: computeLongestStep(began, target) };
  await passTime(context, way, (now) =>
    context.reportProgress(Math.min(countSeconds(now), countSeconds(target)), countSeconds(target)),
  );
}
