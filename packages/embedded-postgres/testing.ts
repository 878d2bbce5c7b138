import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import type { QueryResultRow } from 'pg';
import type { EmbeddedPostgres } from './supervisor.ts';
import { waitForCondition } from './wait-for-condition.ts';

/** Creates a directory for a test file that the database's account can enter. */
export async function makeScratchDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'embedded-postgres-test-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Runs one statement on a new connection and returns its rows. */
export async function query<Row extends QueryResultRow>(
  connection: EmbeddedPostgres['connection'],
  statement: string,
): Promise<Row[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Another process of the service, whose output is read line by line. */
export type ScriptProcess = {
  readonly process: ChildProcess;
  readLine(): Promise<string>;
  readonly exited: Promise<number | NodeJS.Signals>;
};

/** The functions that a script may use, and their files. */
const EXPORTS = {
  startEmbeddedPostgres: './index.ts',
  lockDataDir: './data-dir-lock.ts',
  query: './testing.ts',
};

/** Runs `script` in a new process, where `dataDir` and the names in `EXPORTS` are defined. */
export function launchScript(
  script: string,
  dataDir: string,
  options: { readonly uid?: number; readonly gid?: number; readonly detached?: boolean } = {},
): ScriptProcess {
  const imports = Object.entries(EXPORTS)
    .filter(([name]) => script.includes(name))
    .map(([name, file]) => `import { ${name} } from '${new URL(file, import.meta.url).href}';`);
  const source = `${imports.join('')}const dataDir = process.argv[1];${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, dataDir], {
    ...options,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    readLine: async () => String((await lines.next()).value),
    exited: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal!))),
  };
}

/** A script that starts the database, prints its settings and pid, and waits until it is killed. */
export const SERVE_SCRIPT = `
  const server = await startEmbeddedPostgres({ name: 'example', dataDir });
  console.log(JSON.stringify({ pid: server.pid, connection: server.connection }));
  setInterval(() => undefined, 1000);
`;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether the process has ended within ten seconds. */
export function waitUntilEnded(pid: number): Promise<boolean> {
  return waitForCondition(() => !isAlive(pid), 10_000);
}
