import { computeWaitSeconds } from '#lib/wait-window.ts';

/** How long a data export can be downloaded. */
const export_days = 7;

/** How many exports a member may start within a day; limited because each is stored for a week. */
export const exports_per_day_max = 5;

/** Far more than one member's data, and small enough for the database and for memory. */
export const archive_bytes_max = 20 * 1024 * 1024;

const day_ms = 24 * 3_600_000;

/** When the data of an account may be erased if its deletion is requested at `now`. */
export function computeEraseTime(now: Date, retention_seconds: number): Date {
  return new Date(now.getTime() + retention_seconds * 1000);
}

/** The time before which exports are deleted. */
export function computeOldestExportTime(now: Date): Date {
  return new Date(now.getTime() - export_days * day_ms);
}

/** Seconds until another export may start, given when the recent ones were requested; 0 if it may start now. */
export function computeExportWaitSeconds(requested_at: readonly Date[], now: Date): number {
  return computeWaitSeconds(requested_at, { events_max: exports_per_day_max, window_ms: day_ms }, now);
}
