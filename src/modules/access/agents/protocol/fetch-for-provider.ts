import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import { OutboundError } from '#platform/outbound/outbound.ts';
import { toFetchResponse } from '#platform/outbound/to-fetch-response.ts';
import type { Platform } from '#platform/platform.ts';
import { selectKeys } from '../client-keys.ts';
import { findMetadataFault, selectDocument } from '../rules.ts';

const timeout_ms = 5_000;
/** A set of keys may be larger than a document of a client, whose limit the library checks. */
const bytes_max = 32 * 1024;
const document_bytes_max = 5 * 1024;

/** At most this many documents are fetched at the same time, so that slow servers cannot keep all connections of this service. */
const fetches_max = 32;

/**
 * The servers that did not answer a short time ago, and the URLs that had no document: neither is asked, and waited for, by every request. A
 * server that answers is asked for its other URLs, so that nobody can make it fail for others by asking for one that does not exist.
 */
const recentFailures = instanceMemory(() => new LRUCache<string, true>({ max: 1_000, ttl: 10_000 }));

const running = instanceMemory(() => ({ fetches: 0 }));

/** Whether a URL may be fetched now, as far as the last seconds say. */
export function isWorthFetching(platform: Pick<Platform, 'memory'>, url: string): boolean {
  const failures = recentFailures(platform);
  return !failures.has(url) && !(URL.canParse(url) && failures.has(new URL(url).host));
}

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
  const response = await limitFetches(platform, () => platform.fetchOutbound(url, request)).catch(
    (error: unknown) => {
      if (error instanceof OutboundError) recentFailures(platform).set(new URL(url).host, true);
      throw error;
    },
  );
  if (response.status !== 200) recentFailures(platform).set(url, true);
  return toFetchResponse({ ...response, body: correctDocument(url, response.body) });
}

/** Reads the document of a client, and its keys, as leniently as a registration. What is neither, or is refused, stays as it is. */
function correctDocument(url: string, body: Buffer): Buffer {
  try {
    const document = JSON.parse(new TextDecoder().decode(body)) as Readonly<Record<string, unknown>> | null;
    if (Array.isArray(document?.['keys'])) return Buffer.from(JSON.stringify(selectKeys(document)));
    const isDocument = body.length <= document_bytes_max && document?.['client_id'] === url;
    if (!isDocument || findMetadataFault(document) !== undefined) return body;
    return Buffer.from(JSON.stringify(selectDocument(document)));
  } catch {
    return body;
  }
}

async function limitFetches<Response>(
  platform: Pick<Platform, 'memory'>,
  fetch: () => Promise<Response>,
): Promise<Response> {
  const count = running(platform);
  if (count.fetches >= fetches_max) throw new Error('too many documents of clients are being fetched');
  count.fetches += 1;
  try {
    return await fetch();
  } finally {
    count.fetches -= 1;
  }
}
