/** How many events are allowed within a sliding window of time. */
export type WaitWindow = { readonly events_max: number; readonly window_ms: number };

/**
 * Computes the seconds until another event is allowed, given the times of earlier events. Returns 0 if it is allowed now.
 *
 * @param times The times of the earlier events, in any order.
 */
export function computeWaitSeconds(
  times: readonly Date[],
  { events_max, window_ms }: WaitWindow,
  now: Date,
): number {
  const now_ms = now.getTime();
  const recent = times.map((time) => time.getTime()).filter((time_ms) => time_ms > now_ms - window_ms);
  if (recent.length < events_max) return 0;
  const freeing_ms = recent.toSorted((one, other) => other - one)[events_max - 1]!;
  return Math.ceil((freeing_ms + window_ms - now_ms) / 1000);
}

/** Computes the whole seconds until a time, rounded up; 0 if it has passed. */
export function computeSecondsUntil(until: Date, now: Date): number {
  return Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000));
}
