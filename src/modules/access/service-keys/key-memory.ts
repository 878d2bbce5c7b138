import { LRUCache } from 'lru-cache';
import type { LoggedInCaller } from '#lib/caller.ts';
import { isUseStored } from '#modules/access/agents';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { listOpenKeys, updateLastUses } from './store.ts';
import { toCaller } from './to-caller.ts';

const remembered_max = 10_000;
/** What is changed on another process counts here after this time. */
const remembered_ms = 1_000;
/** How often the keys in use are looked up again, all with one statement for each batch, so that requests seldom have to. */
const refresh_ms = 400;
const batch_max = 1_000;

/** Who calls by a key, and until when. */
export type KnownKey = { readonly caller: LoggedInCaller; readonly expires_at: Date };

type RememberedKey = {
  caller: LoggedInCaller;
  expires_at: Date;
  /** By what it is looked up again; undefined if it is not. */
  readonly hash: Buffer | undefined;
  /** When the database was asked, in milliseconds since 1970. */
  found_ms: number;
  isUsed: boolean;
};

/** The keys that this process has looked up, by Authorization header. */
export type KeyMemory = AsyncDisposable & {
  /** Finds a key that was looked up within the last second. */
  readonly find: (authorization: string) => KnownKey | undefined;
  readonly remember: (authorization: string, key: Omit<RememberedKey, 'isUsed'>) => void;
  /** Makes this process look all keys up again. */
  readonly forget: () => void;
};

export const getKeyMemory = instanceMemory(openKeyMemory);

function openKeyMemory(platform: Platform): KeyMemory {
  const keys = new LRUCache<string, RememberedKey>({ max: remembered_max });
  let timer: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> | undefined;
  let isClosed = false;
  const refreshSoon = () => {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      // What this misses, the next request looks up itself.
      refreshing = refresh(platform, keys).catch(() => undefined);
      void refreshing.then(() => (timer = undefined));
    }, refresh_ms).unref();
  };
  return {
    find: (authorization) => {
      const known = keys.get(authorization);
      if (!known || Math.abs(platform.now().getTime() - known.found_ms) >= remembered_ms) return undefined;
      known.isUsed = true;
      refreshSoon();
      return known;
    },
    remember: (authorization, key) => {
      keys.set(authorization, { ...key, isUsed: true });
      refreshSoon();
    },
    forget: () => keys.clear(),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      clearTimeout(timer);
      await refreshing;
    },
  };
}

/** Looks up the keys that were used since the last time. One that is not accepted any more is forgotten. */
async function refresh(platform: Platform, keys: LRUCache<string, RememberedKey>): Promise<void> {
  const used = [...keys.entries()].filter(([, { hash, isUsed }]) => isUsed && hash !== undefined);
  for (let place = 0; place < used.length; place += batch_max) {
    const batch = used.slice(place, place + batch_max);
    const now = platform.now();
    const hashes = batch.flatMap(([, { hash }]) => hash ?? []);
    const found = await listOpenKeys(platform.database, { hashes, now });
    const byHash = new Map(found.map((key) => [key.presented_hash.toString('hex'), key]));
    for (const [authorization, known] of batch) {
      // It may have been forgotten meanwhile, because of a change that the statement did not see.
      if (keys.peek(authorization) !== known) continue;
      const key = byHash.get(known.hash!.toString('hex'));
      if (!key) keys.delete(authorization);
      else {
        const { expires_at } = key;
        Object.assign(known, {
          caller: toCaller(platform, key),
          expires_at,
          found_ms: now.getTime(),
          isUsed: false,
        });
      }
    }
    const stored = found.filter(({ last_used_at }) => isUseStored(last_used_at, now)).map(({ id }) => id);
    if (stored.length > 0) await updateLastUses(platform.database, stored, now);
  }
}
