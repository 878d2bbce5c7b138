import { LRUCache } from 'lru-cache';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { instanceMemory } from './instance-memory.ts';

const attempts_max = 10;
const window_ms = 15 * 60_000;
const remembered_max = 50_000;

type Window = { attempts: number; readonly since_ms: number };

const windows = instanceMemory(() => new LRUCache<string, Window>({ max: remembered_max }));

/** An attempt to log in that has been counted; `succeeded` takes the count back. */
export type Attempt = { readonly succeeded: () => void };

/**
 * Counts an attempt before the password is looked at, so that guesses sent all at once count as well: ten failures within 15 minutes for
 * one account from one address, and the rest wait. An unknown account is counted like a known one. Each process counts for itself, and
 * limits switched off switch this off.
 *
 * @throws Refusal `too_many_requests`.
 */
export function countAttempt(platform: Platform, email: string, address: string): Attempt {
  if (!platform.config.rateLimits) return { succeeded: () => undefined };
  const known = windows(platform);
  const key = `${address} ${email}`;
  const now_ms = platform.clock.now().getTime();
  const found = known.get(key);
  const window = found && now_ms - found.since_ms < window_ms ? found : { attempts: 0, since_ms: now_ms };
  if (window.attempts >= attempts_max) throw tooMany(window.since_ms + window_ms - now_ms);
  window.attempts++;
  known.set(key, window);
  return { succeeded: () => void known.delete(key) };
}

function tooMany(wait_ms: number): Refusal {
  return new Refusal('too_many_requests', {
    detail: 'Too many failed logins: wait for the seconds in Retry-After.',
    headers: { 'retry-after': String(Math.ceil(wait_ms / 1000)) },
  });
}
