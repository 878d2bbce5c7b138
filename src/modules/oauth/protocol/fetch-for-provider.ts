import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';

const timeout_ms = 5_000;
/** A document of a client has at most 5 KiB; a set of keys may be larger. */
const bytes_max = 32 * 1024;
/** RFC 9110, section 15: the statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The URLs that failed a short time ago: a server that does not answer must not be asked, and waited for, by every request. */
export const recentFailures = instanceMemory(() => new LRUCache<string, true>({ max: 1_000, ttl: 10_000 }));

/**
 * Fetches what a client names by a URL: its metadata, and its keys. Like every URL from outside it goes through the guard, which permits only
 * addresses on the public internet, and no redirect is followed.
 */
export async function fetchForProvider(
  platform: Pick<Platform, 'fetchOutbound' | 'memory'>,
  url: string,
  options: RequestInit | undefined,
): Promise<Response> {
  const request = {
    headers: Object.fromEntries(new Headers(options?.headers)),
    timeout_ms,
    max_bytes: bytes_max,
    redirects_max: 0,
  };
  const { status, headers, body } = await platform.fetchOutbound(url, request).catch((error: unknown) => {
    recentFailures(platform).set(url, true);
    throw error;
  });
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers: entries });
}
