import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { getMatchIndex } from './match-index.ts';
import { deleteNode, upsertNode } from './store-nodes.ts';

const report_every_ms = 10_000;

/** Reports the index of this process to the other nodes of the service, which share the database. */
type IndexReporter = AsyncDisposable & {
  /** The id of this process among the nodes. */
  readonly id: string;
  readonly name: string;
  report(): Promise<void>;
  /** Reports now and every ten seconds. */
  start(): void;
};

/** The reporter of a running service. */
export const getIndexReporter = instanceMemory(openIndexReporter);

function openIndexReporter(platform: Platform): IndexReporter {
  const id = randomUUID();
  const name = `${hostname().slice(0, 100)}, process ${process.pid}`;
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    const { lag_seconds = null, ...state } = getMatchIndex(platform).readState();
    return upsertNode(platform.database, { id, name, lag_seconds, ...state });
  };
  // A report that fails is missing for ten seconds; the database being unavailable is in the log.
  const reportQuietly = () => void report().catch(() => undefined);
  return {
    id,
    name,
    report,
    start: () => {
      reportQuietly();
      timer = setInterval(reportQuietly, report_every_ms);
      timer.unref();
    },
    [Symbol.asyncDispose]: async () => {
      if (!timer) return;
      clearInterval(timer);
      await deleteNode(platform.database, id).catch(() => undefined);
    },
  };
}

/** Builds the index of a running service in the background, refreshes it continuously, and reports its state to the other nodes. */
export function watchMatchIndex(platform: Platform): void {
  getMatchIndex(platform).watch();
  getIndexReporter(platform).start();
}
