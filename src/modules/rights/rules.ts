import { computeWaitSeconds } from '#lib/wait-window.ts';

/** How long a finished export can be fetched. */
const export_days = 7;

/** How many exports a member may ask for within a day: each is kept for a week. */
export const exports_per_day_max = 5;

/** Far beyond what a member can bring together, and small enough for the database and for memory. */
export const archive_bytes_max = 20 * 1024 * 1024;

const day_ms = 24 * 3_600_000;

/** When the data of an account may be erased whose deletion was asked for at `now`. */
export function computeEraseTime(now: Date, retention_seconds: number): Date {
  return new Date(now.getTime() + retention_seconds * 1000);
}

/** Exports that were asked for before this are gone. */
export function computeOldestExportTime(now: Date): Date {
  return new Date(now.getTime() - export_days * day_ms);
}

/** Seconds to wait before another export, given when those of the last days were asked for; 0 where it may start now. */
export function computeExportWaitSeconds(requested_at: readonly Date[], now: Date): number {
  return computeWaitSeconds(requested_at, { events_max: exports_per_day_max, window_ms: day_ms }, now);
}
