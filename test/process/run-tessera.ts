import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A process of `src/main.ts`, and what it has said so far. */
export type TesseraProcess = {
  readonly process: ChildProcess;
  readonly readOutput: () => string;
  readonly readErrors: () => string;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Resolves with the address of the ready line; rejects if the process ends before. */
  readonly ready: Promise<string>;
};

const root = new URL('../../', import.meta.url);

/** Runs Tessera in a process of its own, with no other variables than these. It does not outlive the test file. */
export function runTessera(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TesseraProcess {
  const child = spawn(process.execPath, ['src/main.ts', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterAll(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal!));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const address = /^tessera ready (\S+)$/m.exec(said.out)?.[1];
      if (address) resolve(address);
    });
    void exited.then((code) =>
      reject(new Error(`it ended with ${code} before it was ready: ${said.err}${said.out}`)),
    );
  });
  ready.catch(() => undefined);
  return { process: child, readOutput: () => said.out, readErrors: () => said.err, exited, ready };
}

/** A directory of its own, which the database's account may pass through; the data directory in it is not there yet. */
export async function prepareDataDir(): Promise<string> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'tessera-process-'));
  await chmod(scratch, 0o755);
  afterAll(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
  return path.join(scratch, 'data');
}

/** Ports that nobody listens on a moment ago. */
export async function findFreePorts(): Promise<{ TESSERA_PORT: string; TESSERA_INTERNAL_PORT: string }> {
  const [port, internalPort] = await Promise.all([findFreePort(), findFreePort()]);
  return { TESSERA_PORT: String(port), TESSERA_INTERNAL_PORT: String(internalPort) };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
