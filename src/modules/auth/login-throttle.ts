import { LRUCache } from 'lru-cache';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { instanceMemory } from './instance-memory.ts';

const attempts_max = 10;
const window_ms = 15 * 60_000;
const remembered_max = 50_000;

type Window = { attempts: number; readonly since_ms: number };

const windows = instanceMemory(() => new LRUCache<string, Window>({ max: remembered_max }));

/**
 * Runs a check of a password: ten failures within 15 minutes under one `key` (an account, seen from one address), and the rest wait. An
 * attempt counts before it is decided, so that guesses sent all at once count as well; one that breaks off is taken back. Each process
 * counts for itself, and limits switched off switch this off.
 *
 * @throws Refusal `too_many_requests`.
 */
export async function throttled(
  platform: Platform,
  key: string,
  check: () => Promise<boolean>,
): Promise<boolean> {
  if (!platform.config.rateLimits) return check();
  const known = windows(platform);
  const now_ms = platform.clock.now().getTime();
  const found = known.get(key);
  const window = found && now_ms - found.since_ms < window_ms ? found : { attempts: 0, since_ms: now_ms };
  if (window.attempts >= attempts_max) throw tooMany(window.since_ms + window_ms - now_ms);
  window.attempts++;
  known.set(key, window);
  try {
    const passed = await check();
    if (passed) known.delete(key);
    return passed;
  } catch (error) {
    window.attempts--;
    throw error;
  }
}

function tooMany(wait_ms: number): Refusal {
  return new Refusal('too_many_requests', {
    detail: 'Too many failed logins: wait for the seconds in Retry-After.',
    headers: { 'retry-after': String(Math.ceil(wait_ms / 1000)) },
  });
}
