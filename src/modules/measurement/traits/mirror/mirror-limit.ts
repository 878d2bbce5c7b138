import { defineLimit, perDay, perMinute } from '#platform/limits/rate-windows.ts';

/**
 * First mirrors are counted apart, by network: a page takes two requests an answer, so that this is four mirrors a minute, and about 130 a day from one
 * office. A script that tries answers until it likes the picture ends soon.
 */
export const mirrorLimit = defineLimit('first mirror', [perMinute(120), perDay(4_000)], {
  address_groups: 4,
});
