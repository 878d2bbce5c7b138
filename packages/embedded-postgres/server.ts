import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toSpawnOptions } from './account.ts';
import type { Account } from './account.ts';
import { ENVIRONMENT, findReachablePath } from './cluster.ts';
import { endServer } from './orphans.ts';
import { SOCKET_PORT } from './socket-directory.ts';
import { waitForCondition } from './wait-for-condition.ts';

/** A server process that accepts connections. */
export type Server = {
  readonly pid: number;
  /** Resolves when the process has ended, with a description of its end and its last log lines. */
  readonly exited: Promise<string>;
  end(): Promise<void>;
};

type ServerOptions = {
  readonly name: string;
  readonly postgres: string;
  readonly cluster: string;
  readonly account: Account;
  readonly socketDirectory: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly onLaunch: () => void;
};

const SILENCE_MS = 60_000;
const LAST_LINES = 20;
const LOG_DRAIN_MS = 200;

/**
 * Starts the server and waits until it is ready. Fails if it exits, or logs nothing for 60 seconds. Recovery after a crash may take longer,
 * but logs its progress every ten seconds.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const child = spawn(options.postgres, await buildServerArguments(options), {
    ...toSpawnOptions(options.account),
    cwd: options.cluster,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // In its own session, because Ctrl-C in a terminal reaches the whole process group, and the database must outlive the last request.
    detached: true,
  });
  if (child.pid !== undefined) startGuard(child, child.pid, options);
  options.onLaunch();
  const log = followLog(child, options.log);
  const exited = describeExit(child, log.lines);
  const end = () =>
    endServer(
      (signal) => child.kill(signal),
      () => hasExited(child),
    );
  const outcome = await awaitReadiness(child, options.cluster, () => log.silenceMs());
  if (outcome === 'silent') await end();
  if (outcome !== 'ready' || child.pid === undefined) {
    throw new Error(`The database did not become ready: ${await exited}`);
  }
  detachChild(child);
  return { pid: child.pid, exited, end: () => endReferenced(child, end) };
}

/** The fixed settings come last, because the last value of a setting wins. So no option can open the server to a network. */
async function buildServerArguments(options: ServerOptions): Promise<string[]> {
  const fixedSettings = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: `"${options.socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
  };
  const settings = [...Object.entries(options.settings), ...Object.entries(fixedSettings)];
  const path = await findReachablePath(options.account, options.cluster);
  return ['-D', path, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function followLog(
  child: ChildProcess,
  log: (line: string) => void,
): { lines: string[]; silenceMs(): number } {
  const lines: string[] = [];
  let lastSign = performance.now();
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lastSign = performance.now();
    lines.push(line);
    if (lines.length > LAST_LINES) lines.shift();
    log(line);
  });
  return { lines, silenceMs: () => performance.now() - lastSign };
}

function describeExit(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => child.pid === undefined && resolve(error.message));
    child.once('exit', (code, signal) => {
      const describe = () =>
        resolve(`it ended with ${signal ?? `exit code ${code}`}. ${formatLastLines(lines)}`);
      // Backends that outlive a killed server keep the pipe open, so it may close late.
      const deadline = setTimeout(describe, LOG_DRAIN_MS);
      child.once('close', () => {
        clearTimeout(deadline);
        describe();
      });
    });
  });
}

function formatLastLines(lines: readonly string[]): string {
  return lines.length === 0 ? 'It logged nothing.' : `Its last log lines:\n${lines.join('\n')}`;
}

async function awaitReadiness(
  child: ChildProcess,
  cluster: string,
  measureSilence: () => number,
): Promise<'ready' | 'gone' | 'silent'> {
  let outcome: 'ready' | 'gone' | 'silent' | undefined;
  await waitForCondition(async () => {
    if (hasExited(child)) outcome = 'gone';
    else if (await isServerReady(cluster, child.pid)) outcome = 'ready';
    else if (measureSilence() > SILENCE_MS) outcome = 'silent';
    return outcome !== undefined;
  }, Infinity);
  return outcome!;
}

function hasExited(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/**
 * Reads the server's state from the eighth line of `postmaster.pid`. The first line must be the pid of the child, because the file may be
 * old.
 */
async function isServerReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** Lets a service that has nothing left to do exit without `stop()`. The guard then stops the server. */
function detachChild(child: ChildProcess): void {
  child.unref();
  unreference(child.stderr);
}

/**
 * Starts a guard that stops the server if this process dies without stopping it, by kill -9 or `process.exit`. The guard is a shell that
 * reads from a pipe, which the kernel closes when this process dies. The server then ends within a tenth of a second. If the guard is
 * killed too, the next start stops the server.
 */
function startGuard(
  child: ChildProcess,
  pid: number,
  { name, account }: Pick<ServerOptions, 'name' | 'account'>,
): void {
  const script = 'read -r _; kill -INT "$1"';
  const guard = spawn('/bin/sh', ['-c', script, `${name}-postgres-guard`, String(pid)], {
    ...toSpawnOptions(account),
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  unreference(guard.stdin);
  child.once('exit', () => guard.kill('SIGKILL'));
}

/** Unreferences a pipe of a child. It is a socket, although its type does not say so. */
function unreference(pipe: unknown): void {
  if (pipe instanceof Socket) pipe.unref();
}

/** References the child again, so that this process does not exit before the server has ended. */
async function endReferenced(child: ChildProcess, end: () => Promise<void>): Promise<void> {
  child.ref();
  await end();
}
