import { execFile } from 'node:child_process';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitForCondition } from './wait-for-condition.ts';

const run = promisify(execFile);

/**
 * The ways to end a server, and how long to wait for each: a fast shutdown, which rolls open transactions back and writes a
 * checkpoint; an immediate one, which leaves recovery to the next start; and the kernel's.
 */
const ENDINGS = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
] as const;

/** Ends a server, more firmly each time that it does not follow. */
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
 * Stops the server that a killed service left behind on `cluster`. Call it with the data directory locked: only then is whatever runs
 * there an orphan. A new server is started instead of adopting this one, because its settings and its log are not ours.
 */
export async function stopOrphans(cluster: string): Promise<void> {
  await endServer(
    (signal) => signalServers(cluster, signal),
    async () => (await listServers(cluster)).length === 0,
  );
  await deleteRecycledPid(cluster);
}

/** The pid in `postmaster.pid`, of a live server or of one that was killed. */
async function readRecordedPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? pid : undefined;
}

/** The postmaster passes a signal on to its processes. Without it, they are on their own and know no gentle end. */
async function signalServers(cluster: string, signal: NodeJS.Signals): Promise<void> {
  const pids = await listServers(cluster);
  const recorded = await readRecordedPid(cluster);
  const postmaster = pids.find((pid) => pid === recorded);
  const isLed = postmaster !== undefined;
  for (const pid of isLed && signal !== 'SIGKILL' ? [postmaster] : pids) {
    try {
      process.kill(pid, !isLed && signal === 'SIGINT' ? 'SIGQUIT' : signal);
    } catch {
      // It has ended by itself since we looked.
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
 * Every process of a server works in the cluster's directory, so this finds the backends of a killed postmaster too, and takes no
 * stranger with a recycled pid for one. A zombie has no working directory any more.
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
 * PostgreSQL refuses to start while the pid in `postmaster.pid` belongs to any live process of its account, and in a restarted
 * container the pids are the same again. We know that no server is left, so the file goes if its pid is somebody else's by now;
 * otherwise PostgreSQL handles it, with its own checks.
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
