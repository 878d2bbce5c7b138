import { defineLimit, perDay, perMinute } from '#platform/limits/rate-windows.ts';

/**
 * Requests of volunteers are counted apart, by network: a page takes two requests an answer, so that a class of thirty people in one room has
 * four answers a minute each. How many begin is limited apart.
 */
export const volunteerLimit = defineLimit('volunteer', [perMinute(240), perDay(12_000)], {
  address_groups: 4,
});
