import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from './directory.ts';

/** The resources that a process has used since it started: processor time in microseconds, and resident memory in bytes. */
export type Usage = { readonly cpu_us: number; readonly rss: number };

const reporter = path.join(import.meta.dirname, 'report-usage.ts');

type ChildOptions = {
  readonly env?: NodeJS.ProcessEnv;
  /** The file descriptor for its output; without one the output is discarded. */
  readonly output?: number;
};

/** Starts a Node process in the repository that reports its usage on request. The cleaning ends it. */
export function startNode(
  cleaning: AsyncDisposableStack,
  words: readonly string[],
  { env = process.env, output }: ChildOptions = {},
): ChildProcess {
  const child = spawn(process.execPath, ['--import', reporter, ...words], {
    cwd: root,
    env,
    stdio: ['ignore', output ?? 'ignore', 'inherit', 'ipc'],
  });
  cleaning.defer(() => stopChild(child));
  return child;
}

/** Requests the usage of a process that {@link startNode} started. */
export async function requestUsage(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  // Messages between processes have no types; `report-usage.ts` sends this one.
  return (await receiveMessage(child)) as Usage;
}

/** Waits for the port on which a child listens. */
export async function receivePort(child: ChildProcess): Promise<number> {
  const port = await receiveMessage(child);
  if (typeof port !== 'number') throw new Error(String(port));
  return port;
}

/** Waits until a child reports success; any other message is an error. */
export async function receiveDone(child: ChildProcess): Promise<void> {
  const outcome = await receiveMessage(child);
  if (outcome !== 'done') throw new Error(String(outcome));
}

/** Waits for the next message of a child; throws if it ends without one. */
export function receiveMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const acceptMessage = (message: unknown) => {
      child.off('exit', rejectExit);
      resolve(message);
    };
    const rejectExit = (code: number | null) => {
      child.off('message', acceptMessage);
      reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`));
    };
    child.once('message', acceptMessage).once('exit', rejectExit);
  });
}

/** Signals a process to end, and waits until it has ended. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
