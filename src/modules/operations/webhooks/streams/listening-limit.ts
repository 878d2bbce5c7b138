import { defineLimit, perDay, perMinute } from '#platform/limits/rate-windows.ts';

/**
 * What a program that listens asks and reports is counted apart, so that events that come in quick succession leave the other requests of its key untouched: three
 * requests an event.
 */
export const listeningLimit = defineLimit('listening', [perMinute(1_200), perDay(200_000)]);
