import { Refusal } from '#lib/refusal.ts';

/** What a sandbox was seeded with, and its test clock. */
export type Sandbox = {
  /** By how many milliseconds the test clock is ahead of the clock of the machine. */
  readonly ahead_ms: number;
  /** What the made-up people were drawn with; null until all of them are stored. */
  readonly seed: number | null;
  readonly member_count: number | null;
  readonly created_at: Date;
};

const day_ms = 86_400_000;

/** The longest way of one advance: a stage of 30 days, and a day. */
export const advance_seconds_max = 31 * 86_400;

/** How far the clock can be ahead. The database refuses to forget audit entries of less than 184 days by its own clock, and they are kept for three years. */
const ahead_days_max = 800;

/**
 * Decides to which time the clock is advanced.
 *
 * @throws Refusal `clock_backwards`, `clock_limit_reached`.
 */
export function computeTarget(
  { now, ahead_ms }: { readonly now: Date; readonly ahead_ms: number },
  advance_seconds: number,
): Date {
  if (advance_seconds <= 0) throw new Refusal('clock_backwards');
  if (ahead_ms + advance_seconds * 1_000 > ahead_days_max * day_ms) throw new Refusal('clock_limit_reached');
  return new Date(now.getTime() + advance_seconds * 1_000);
}

/** The clock stops no more often than this, even if more is due. */
const step_ms_min = 60_000;

/** How often the tasks that run by a schedule run at least on a long way: as after a pause, one run makes up for several. */
const stops_min = 8;

/**
 * Decides where the clock stops next on its way to `target`: when the next task is due that waits for its time, and for the tasks that run by a
 * schedule once a day, or eight times on a longer way.
 */
export function computeStop(
  { began, now, target }: { readonly began: Date; readonly now: Date; readonly target: Date },
  next: Date | undefined,
): Date {
  const [now_ms, target_ms] = [now.getTime(), target.getTime()];
  const longest_ms = Math.max(day_ms, (target_ms - began.getTime()) / stops_min);
  const wanted_ms = Math.min(next?.getTime() ?? Infinity, now_ms + longest_ms);
  return new Date(Math.min(Math.max(wanted_ms, now_ms + step_ms_min), target_ms));
}
