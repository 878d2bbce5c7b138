import { defineLimit, perDay, perMinute } from '#platform/limits/rate-windows.ts';

/**
 * The requests of the assessment are counted apart, so that a quick one does not reach the limit of a member, and leaves the member's other requests
 * untouched: twice the longest assessment, which has 120 items, with its repetitions.
 */
export const assessmentLimit = defineLimit('assessment', [perMinute(240), perDay(2_000)]);
