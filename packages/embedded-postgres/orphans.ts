import { execFile } from 'node:child_process';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitForCondition } from './wait-for-condition.ts';

const run = promisify(execFile);

/**
 * The signals that end a server, and how long to wait after each: a fast shutdown, which rolls back open transactions and writes a
 * checkpoint; an immediate shutdown, which leaves recovery to the next start; and a kill.
 */
const ENDINGS = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
] as const;

/** Ends a server, with a stronger signal each time it does not stop. */
export async function endServer(
  send: (signal: NodeJS.Signals) => unknown,
  isGone: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const [signal, patienceMs] of ENDINGS) {
    if (await isGone()) return;
    await send(signal);
    if (await waitForCondition(isGone, patienceMs)) return;
  }
  throw new Error('The database did not stop.');
}

/**
 * Stops the server that a killed service left running on `cluster`. Call it with the data directory locked, because only then is a server
 * that runs there an orphan. It is not adopted, because this service controls neither its settings nor its log.
 */
export async function stopOrphans(cluster: string): Promise<void> {
  await endServer(
    (signal) => signalServers(cluster, signal),
    async () => (await listServers(cluster)).length === 0,
  );
  await deleteRecycledPid(cluster);
}

/** Reads the pid in `postmaster.pid`, of a running server or of one that was killed. */
async function readRecordedPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? pid : undefined;
}

/** Signals the postmaster, which passes the signal on to its processes. Without a postmaster, the processes are signalled directly. */
async function signalServers(cluster: string, signal: NodeJS.Signals): Promise<void> {
  const pids = await listServers(cluster);
  const recorded = await readRecordedPid(cluster);
  const postmaster = pids.find((pid) => pid === recorded);
  for (const pid of postmaster !== undefined && signal !== 'SIGKILL' ? [postmaster] : pids) {
    try {
      // SIGINT only cancels the statement of a process that has no postmaster.
      process.kill(pid, postmaster === undefined && signal === 'SIGINT' ? 'SIGQUIT' : signal);
    } catch {
      // The process has ended in the meantime.
    }
  }
}

async function listServers(cluster: string): Promise<number[]> {
  if (process.platform === 'linux') return listProcessesIn(cluster);
  const postmaster = await readRecordedPid(cluster);
  if (postmaster === undefined) return [];
  const command = await run('ps', ['-o', 'command=', '-p', String(postmaster)]).catch(() => ({ stdout: '' }));
  return command.stdout.includes('postgres') && command.stdout.includes(cluster) ? [postmaster] : [];
}

/**
 * Lists the processes of a server by their working directory, which is the cluster's. This also finds the backends of a killed postmaster,
 * and excludes unrelated processes with a recycled pid. A zombie no longer has a working directory.
 */
async function listProcessesIn(cluster: string): Promise<number[]> {
  const home = await stat(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
      if (cwd?.ino !== home.ino || cwd.dev !== home.dev) return [];
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return name.trim() === 'postgres' ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/**
 * Deletes `postmaster.pid` if its pid now belongs to another process. PostgreSQL refuses to start while that pid belongs to any running
 * process of its account, and a restarted container uses the same pids again. At this point no server is left. If no process has the pid,
 * PostgreSQL handles the file itself.
 */
async function deleteRecycledPid(cluster: string): Promise<void> {
  const pid = await readRecordedPid(cluster);
  if (pid === undefined) return;
  try {
    process.kill(pid, 0);
  } catch {
    return;
  }
  await unlink(join(cluster, 'postmaster.pid'));
}
