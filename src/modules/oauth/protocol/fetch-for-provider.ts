import type { Platform } from '#platform/platform.ts';

const timeout_ms = 5_000;
/** A document of a client has at most 5 KiB; a set of keys may be larger. */
const bytes_max = 32 * 1024;
/** RFC 9110, section 15: the statuses whose responses have no body. */
const bodiless: readonly number[] = [204, 205, 304];

/**
 * Fetches what a client names by a URL: its metadata, and its keys. Like every URL from outside it goes through the guard, which permits only
 * addresses on the public internet, and no redirect is followed.
 */
export async function fetchForProvider(
  { fetchOutbound }: Pick<Platform, 'fetchOutbound'>,
  url: string | URL | Request,
  options: RequestInit | undefined,
): Promise<Response> {
  const { status, headers, body } = await fetchOutbound(String(url), {
    headers: Object.fromEntries(new Headers(options?.headers)),
    timeout_ms,
    max_bytes: bytes_max,
    redirects_max: 0,
  });
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers: entries });
}
