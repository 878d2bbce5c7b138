import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import type { PageReply } from './page-reply.ts';

const remembered_max = 2_000;
const remembered_ms = 600_000;

/** Sendings of forms, each with the reply to it. */
const sentForms = instanceMemory(
  () => new LRUCache<string, Promise<PageReply>>({ max: remembered_max, ttl: remembered_ms }),
);

/**
 * Handles a sending of a form once: a second click gets the reply to the first. Operations that create or pay also recognise it in the
 * database, as an Idempotency-Key, so that this holds on several nodes. A form that failed may be sent again.
 *
 * @param sending What {@link identifySending} computes.
 */
export async function handleOnce(
  platform: Platform,
  sending: string,
  handle: () => Promise<{ readonly reply: PageReply; readonly succeeded: boolean }>,
): Promise<PageReply> {
  const known = sentForms(platform).get(sending);
  if (known) return known;
  const forget = () => void sentForms(platform).delete(sending);
  const handling = handle().then(({ reply, succeeded }) => {
    if (!succeeded) forget();
    return reply;
  });
  handling.catch(forget);
  sentForms(platform).set(sending, handling);
  return handling;
}
