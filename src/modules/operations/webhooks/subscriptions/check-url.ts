import { createFieldRefusal } from '#lib/refusal.ts';
import type { Config } from '#platform/config.ts';
import { checkOutboundUrl, describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';

/** @throws Refusal `field_invalid` for a URL to which the service would never send a request. */
export function checkUrl(config: Pick<Config, 'production' | 'outboundPrivate'>, url: string): void {
  try {
    checkOutboundUrl(url, { allowPrivate: config.outboundPrivate });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw createFieldRefusal('field_invalid', '/url', describeOutboundError(error, config));
  }
}
