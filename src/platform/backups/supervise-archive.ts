import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#platform/telemetry/log.ts';
import type { ArchiveOrder } from './archive-process.ts';
import { openArchive } from './open-archive.ts';
import type { ArchiveState } from './archive-state.ts';
import type { ArchiveSettings } from './archiver.ts';

const restart_wait_ms = 5_000;
/** For the last of the log. A storage that takes longer does not hold the stop of the service up. */
const stop_wait_ms = 5_000;

/**
 * Runs what makes the archive in a process of its own, and starts that again if it ends.
 *
 * @param setState Receives what is known, every 15 seconds and when that changes.
 * @returns a function that archives the rest of the log and ends the process, within five seconds. Call it while the database still runs.
 */
export function superviseArchive(
  settings: ArchiveSettings,
  log: Logger,
  setState: (state: ArchiveState) => void,
): () => Promise<void> {
  const archive = openArchive(settings.archive, settings.dataDir).name;
  const stopping = new AbortController();
  let fault: string | null = null;
  const accept = (state: ArchiveState): void => {
    if (state.fault !== fault) reportFault(log, archive, state.fault);
    fault = state.fault;
    setState(state);
  };
  let running = start();

  function start(): ChildProcess {
    const child = fork(new URL('archive-process.ts', import.meta.url), {
      env: {},
      serialization: 'advanced',
    });
    child.on('message', accept);
    child.on('error', () => undefined);
    child.once('exit', () => void restart());
    child.send(settings satisfies ArchiveOrder, () => undefined);
    return child;
  }
  async function restart(): Promise<void> {
    if (stopping.signal.aborted) return;
    log.error({ archive }, 'the process that keeps the archive ended and is started again');
    await pause(restart_wait_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (!stopping.signal.aborted) running = start();
  }
  return async () => {
    stopping.abort();
    await end(running);
  };
}

function reportFault(log: Logger, archive: string, fault: string | null): void {
  if (fault === null) log.info({ archive }, 'the archive follows the database again');
  else log.error({ archive, fault }, 'the archive does not follow the database');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.send('stop' satisfies ArchiveOrder, () => undefined);
  const deadline = setTimeout(() => child.kill('SIGKILL'), stop_wait_ms);
  await ended;
  clearTimeout(deadline);
}
