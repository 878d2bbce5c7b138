import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUpAfterFile } from '../clean-up.ts';
import { findFreePort } from '#test/free-port.ts';

/** A process of the service or of its command line, and its output so far. */
export type TesseraProcess = {
  readonly process: ChildProcess;
  readonly readOutput: () => string;
  readonly readErrors: () => string;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Resolves with the address of the ready line; rejects if the process ends before. */
  readonly ready: Promise<string>;
};

type Environment = Readonly<Record<string, string>>;

const root = new URL('../../', import.meta.url);

/** Runs `src/app/main.js` with this Node, and with no other variables than these. It ends with the test file at the latest. */
export function runTessera(words: readonly string[], environment: Environment = {}): TesseraProcess {
  return runProgram(process.execPath, ['src/app/main.js', ...words], environment);
}

/** Runs an npm script, such as `start`. */
export function runNpm(words: readonly string[], environment: Environment = {}): TesseraProcess {
  return runProgram('npm', ['--silent', ...words], { npm_config_update_notifier: 'false', ...environment });
}

/** Runs any program in the project's folder, as the leader of a process group: its children end with the test file too. */
export function runProgram(
  program: string,
  words: readonly string[],
  environment: Environment = {},
  input: 'ignore' | 'pipe' = 'ignore',
): TesseraProcess {
  const child = spawn(program, words, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: [input, 'pipe', 'pipe'],
    detached: true,
  });
  cleanUpAfterFile(() => killGroup(child));
  const written = { out: '', err: '' };
  child.stdout!.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (written.err += chunk.toString()));
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal!));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const address = /^tessera ready (\S+)$/m.exec(written.out)?.[1];
      if (address) resolve(address);
    });
    void exited.then((code) =>
      reject(new Error(`the process ended with ${code} before it was ready: ${written.err}${written.out}`)),
    );
  });
  ready.catch(() => undefined);
  return {
    process: child,
    readOutput: () => written.out,
    readErrors: () => written.err,
    exited,
    ready,
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

/** The path of a data directory that does not exist yet, in a new folder that the database's account can enter. */
export async function prepareDataDir(): Promise<string> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'tessera-process-'));
  await chmod(scratch, 0o755);
  cleanUpAfterFile(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
  return path.join(scratch, 'data');
}

/** The process id of the embedded PostgreSQL that runs in a data directory. */
export async function readPostgresPid(dataDir: string): Promise<number> {
  const lines = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(lines.split('\n')[0]);
}

/** Two ports that were free a moment ago. */
export async function findFreePorts(): Promise<{ TESSERA_PORT: string; TESSERA_INTERNAL_PORT: string }> {
  const [port, internalPort] = await Promise.all([findFreePort(), findFreePort()]);
  return { TESSERA_PORT: String(port), TESSERA_INTERNAL_PORT: String(internalPort) };
}
