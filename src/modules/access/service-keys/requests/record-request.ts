import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { cacheResults } from '#lib/cache-results.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { KeyRequest as ServedRequest } from '#platform/http/server.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { kept_max, toRowPath, type KeyRequest } from './rules.ts';
import { deleteExcessRequests, insertRequests } from './store.ts';

const flush_after_ms = 1_000;
/** What waits beyond this is not recorded. A process serves fewer requests in a second. */
const pending_max = 10_000;
const batch_max = 1_000;
const counted_keys_max = 10_000;

/** The requests that this process has served and not written yet. */
type RequestMemory = AsyncDisposable & {
  readonly record: (request: KeyRequest) => void;
  readonly flush: () => Promise<void>;
};

/** The requests of this process. The first call decides whose place their statements take, so it is made before there are requests. */
export const getRequestMemory = instanceMemory(openRequestMemory);

const toPath = cacheResults(1_000, toRowPath);

/** Records a request by a service key. It is written later, with others; a crash loses those of the last second. */
export function recordRequest(platform: Platform, served: ServedRequest): void {
  const { id, service_key_id, method, url, status, code = null, duration_ms } = served;
  const path = url === undefined ? null : toPath(url);
  const at = platform.now();
  const answered = { status, code, duration_ms: Math.round(duration_ms) };
  getRequestMemory(platform).record({ id, service_key_id, at, method, path, ...answered });
}

/** Writes what this process has recorded. */
export function flushRequests(services: Pick<Services, 'memory'>): Promise<void> {
  return getRequestMemory(services).flush();
}

function openRequestMemory({ database, log }: Platform): RequestMemory {
  const runApart = AsyncLocalStorage.snapshot();
  let pending: KeyRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushed = Promise.resolve();
  /** How many requests of each key were written since the excess ones were last deleted. */
  const written = new LRUCache<string, number>({ max: counted_keys_max });
  const write = async () => {
    while (pending.length > 0) {
      const batch = pending.slice(0, batch_max);
      pending = pending.slice(batch_max);
      await insertRequests(database, batch);
      const excessive = countWritten(written, batch);
      if (excessive.length > 0) await deleteExcessRequests(database, excessive, kept_max);
    }
  };
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'recent requests of service keys could not be written');
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    flushed = flushed.then(() => runApart(write)).catch(warn);
    return flushed;
  };
  return {
    record: (request) => {
      if (pending.length >= pending_max) return;
      pending.push(request);
      timer ??= setTimeout(() => void flush(), flush_after_ms).unref();
    },
    flush,
    [Symbol.asyncDispose]: flush,
  };
}

/** Counts what was written. @returns the keys of which many were written since their last time. */
function countWritten(written: LRUCache<string, number>, batch: readonly KeyRequest[]): readonly string[] {
  for (const { service_key_id } of batch) written.set(service_key_id, (written.get(service_key_id) ?? 0) + 1);
  const ids = new Set(batch.map(({ service_key_id }) => service_key_id));
  const excessive = [...ids].filter((id) => (written.get(id) ?? 0) >= kept_max);
  for (const id of excessive) written.delete(id);
  return excessive;
}
