import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { root } from './directory.ts';

/** What a process has used since it started: processor time in microseconds, and resident memory in bytes. */
export type Usage = { readonly cpu_us: number; readonly rss: number };

const reporter = path.join(import.meta.dirname, 'report-usage.ts');

/** Starts a Node process of the repository that can be asked for its usage; it ends with the cleaning. */
export function startNode(
  cleaning: AsyncDisposableStack,
  words: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const [output = 'ignore', errors = 'inherit'] = (options.stdio as [] | undefined)?.slice(1) ?? [];
  const child = spawn(process.execPath, ['--import', reporter, ...words], {
    cwd: root,
    ...options,
    stdio: ['ignore', output, errors, 'ipc'],
  });
  cleaning.defer(() => stopChild(child));
  return child;
}

/** Asks a process that {@link startNode} started. */
export async function requestUsage(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  return (await receiveMessage(child)) as Usage;
}

/** The next message of a child; fails where it ends without one. */
export async function receiveMessage(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController();
  const gone = once(child, 'exit', { signal: listening.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: listening.signal }), gone])) as [
      unknown,
    ];
    return message;
  } finally {
    listening.abort();
    gone.catch(() => undefined);
  }
}

/** Asks a process to end, and waits until it is gone. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** A port that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
