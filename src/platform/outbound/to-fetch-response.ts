import type { OutboundResponse } from '#platform/outbound/outbound.ts';

/** RFC 9110, section 15: the statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Converts the response of an outbound request to one of the Fetch standard, for libraries that fetch by a function of their user. */
export function toFetchResponse({ status, headers, body }: OutboundResponse): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'content-length' ? [[name, value] as [string, string]] : [],
  );
  return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers: entries });
}
