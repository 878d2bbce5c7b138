import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { expect } from 'vitest';
import { cleanUpAfterFile } from '../clean-up.ts';

/** `tessera` of an installed package, while it runs. */
export type Listener = {
  readonly process: ChildProcess;
  /** What it has printed. */
  readonly readOutput: () => string;
};

/** Runs `tessera` of the package that is installed in a folder. It is killed after the test file. */
export function runTessera(
  folder: string,
  { url, key }: { readonly url: string; readonly key: string },
  ...arguments_: readonly string[]
): Listener {
  const program = path.join(folder, 'node_modules/.bin/tessera');
  const environment = { PATH: process.env['PATH'], TESSERA_URL: url, TESSERA_KEY: key };
  const child = spawn(process.execPath, [program, ...arguments_], { cwd: folder, env: environment });
  cleanUpAfterFile(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  return { process: child, readOutput: () => output };
}

/** Starts `tessera listen`, and waits until it listens. */
export async function startListener(
  folder: string,
  connection: { readonly url: string; readonly key: string },
  ...arguments_: readonly string[]
): Promise<Listener> {
  const listener = runTessera(folder, connection, 'listen', ...arguments_);
  await expect.poll(listener.readOutput, { timeout: 20_000 }).toContain('The secret of the signatures');
  return listener;
}

/** Ends a program as a person does with Ctrl and C. @returns its exit code. */
export async function interrupt({ process: child }: Listener): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = (await exited) as [number | null];
  return code;
}

/** Opens a way to a service that can be cut: connections break, and new ones are refused until it is mended. */
export async function openBreakableWay(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
    }
    return undefined;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUpAfterFile(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => void (isCut = false),
  };
}
