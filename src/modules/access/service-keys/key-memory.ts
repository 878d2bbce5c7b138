import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import type { LoggedInCaller } from '#lib/caller.ts';
import { isUseStored } from '#modules/access/agents';
import { readChanges, type Change, type ChangeMark } from '#platform/database/change-log.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { listKeyChanges, updateLastUses } from './store.ts';

const remembered_max = 20_000;
/** What is changed on another process counts here after this time. */
const current_ms = 1_000;
/** How often the changes are read while keys are in use, beside the requests. */
const refresh_ms = 400;
/** After a longer pause nothing is remembered. Changes are kept for an hour. */
const pause_max_ms = 60_000;
/** After this time a key is looked up again, even if no change is known. */
const remembered_ms = 600_000;
const uses_max = 1_000;

/** Who calls by a key, and until when. */
export type KnownKey = {
  readonly caller: LoggedInCaller;
  readonly expires_at: Date;
  /** Until when the key that was replaced is accepted, if it is that one. */
  readonly replaced_at: Date | null;
};

type RememberedKey = KnownKey & { readonly found_ms: number; last_used_at: Date | null };

/** The keys that this process has looked up, by Authorization header. */
export type KeyMemory = AsyncDisposable & {
  /** Finds a key that no change has reached within the last second. */
  readonly find: (authorization: string) => KnownKey | undefined;
  /** Reads the changes, if that was not done within the last second. */
  readonly refresh: () => Promise<void>;
  /** Counts what was forgotten so far. What was looked up before that is out of date. */
  readonly countForgotten: () => number;
  /** Remembers what was looked up after so much was forgotten. */
  readonly remember: (authorization: string, key: KnownKey, last_used_at: Date, forgotten: number) => void;
  /** Makes this process look all keys up again. */
  readonly forget: () => void;
};

export const getKeyMemory = instanceMemory(openKeyMemory);

function openKeyMemory(platform: Platform): KeyMemory {
  // What all requests wait for takes no place of the one that began it.
  const runApart = AsyncLocalStorage.snapshot();
  const keys = new LRUCache<string, RememberedKey>({ max: remembered_max });
  const used = new Set<RememberedKey>();
  let read_ms = -Infinity;
  let since: ChangeMark | undefined;
  let forgotten = 0;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;
  let isClosed = false;

  const isCurrent = () => Math.abs(platform.now().getTime() - read_ms) < current_ms;
  const forget = () => {
    keys.clear();
    forgotten++;
  };
  const forgetPage = (page: readonly Change[]) => {
    if (page.length === 0) return;
    forgotten++;
    const ids = new Set(page.map(({ id }) => id));
    // The session of a program is its key.
    for (const [authorization, { caller }] of keys.entries())
      if (ids.has(caller.session_id)) keys.delete(authorization);
  };
  const readOn = async () => {
    const now_ms = platform.now().getTime();
    if (Math.abs(now_ms - read_ms) >= pause_max_ms) since = undefined;
    const from = since;
    // If this fails, the next reading begins from scratch.
    since = undefined;
    const { mark, is_continued } = await readChanges(platform.database, listKeyChanges, from, forgetPage);
    // What was looked up before may have changed unseen.
    if (!is_continued) forget();
    [since, read_ms] = [mark, now_ms];
  };
  const refresh = () => (reading ??= runApart(readOn).finally(() => (reading = undefined)));
  const refreshLater = () => {
    // What this misses, the next request reads itself.
    const work = refresh().then(() => storeUses(platform, used));
    void work.catch(() => undefined).finally(() => (timer = undefined));
  };
  const refreshSoon = () => {
    if (isClosed || timer) return;
    timer = runApart(setTimeout, refreshLater, refresh_ms).unref();
  };
  return {
    find: (authorization) => {
      const known = keys.get(authorization);
      if (!known || !isCurrent() || isOutdated(known, platform.now())) return undefined;
      used.add(known);
      refreshSoon();
      return known;
    },
    refresh: async () => {
      if (!isCurrent()) await refresh();
    },
    countForgotten: () => forgotten,
    remember: (authorization, key, last_used_at, before) => {
      if (before === forgotten)
        keys.set(authorization, { ...key, last_used_at, found_ms: platform.now().getTime() });
      refreshSoon();
    },
    forget,
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      clearTimeout(timer);
      await reading?.catch(() => undefined);
    },
  };
}

function isOutdated({ found_ms, replaced_at }: RememberedKey, now: Date): boolean {
  return Math.abs(now.getTime() - found_ms) >= remembered_ms || (replaced_at !== null && now >= replaced_at);
}

/** Stores the last uses, each once a minute. */
async function storeUses({ database, now }: Platform, used: Set<RememberedKey>): Promise<void> {
  const used_at = now();
  const due = [...used].filter(({ last_used_at }) => isUseStored(last_used_at, used_at));
  used.clear();
  for (const each of due) each.last_used_at = used_at;
  const ids = [...new Set(due.map(({ caller }) => caller.session_id))];
  for (let place = 0; place < ids.length; place += uses_max)
    await updateLastUses(database, ids.slice(place, place + uses_max), used_at);
}
