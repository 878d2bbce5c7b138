import { setTimeout as pause } from 'node:timers/promises';
import type { ArchiveState } from './archive-state.ts';
import type { ArchiveStorage } from './archive-storage.ts';
import { openArchive } from './open-archive.ts';
import { createArchiver, type Archiver, type ArchiveSettings } from './archiver.ts';
import { readDrillRecord } from './drill-record.ts';

/** What the service sends to this process: the settings when it starts it, and later that it stops. */
export type ArchiveOrder = ArchiveSettings | 'stop';

const interval_ms = 15_000;

/*
 * A process of its own, which `supervise-archive.ts` starts: a storage that is slow or stuck holds the few threads in which Node reads and writes files, and
 * with them everything else that this process does. It ends with the service.
 */
const stopping = new AbortController();
process.once('disconnect', () => {
  process.exitCode = 0;
  // oxlint-disable-next-line unicorn/no-process-exit -- the storage may be stuck, and what is half written is ignored.
  process.exit();
});
process.once('message', (settings: ArchiveSettings) => {
  process.once('message', () => stopping.abort());
  void followDatabase(settings);
});

async function followDatabase(settings: ArchiveSettings): Promise<void> {
  const archiver = createArchiver(settings);
  const storage = openArchive(settings.archive, settings.dataDir);
  let state: ArchiveState = { range: null, fault: null, drill: null };
  for (;;) {
    // What was written before the order to stop is archived too.
    const isLast = stopping.signal.aborted;
    state = await advance(archiver, storage, state);
    process.send!(state);
    if (isLast) break;
    // The first backup is followed at once, because nothing can be restored before.
    if (state.range === null && state.fault === null) await archiver.settle();
    else await pause(interval_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  process.disconnect();
}

async function advance(
  archiver: Archiver,
  storage: ArchiveStorage,
  before: ArchiveState,
): Promise<ArchiveState> {
  try {
    const range = await archiver.advance();
    return { range, fault: null, drill: await readDrillRecord(storage) };
  } catch (error) {
    return { ...before, fault: (error as Error).message };
  }
}
