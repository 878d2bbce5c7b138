import { spawn } from 'node:child_process';
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isAlive,
  launchScript,
  makeScratchDirectory,
  query,
  SERVE_SCRIPT,
  waitUntilEnded,
  type ScriptProcess,
} from './testing.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts';
import { waitForCondition } from './wait-for-condition.ts';

const isLinux = process.platform === 'linux';

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let dataDir: string;

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  dataDir = join(scratch.path, 'data');
});

afterAll(() => scratch.remove());

async function serve(): Promise<{
  service: ScriptProcess;
  server: Pick<EmbeddedPostgres, 'pid' | 'connection'>;
}> {
  const service = launchScript(SERVE_SCRIPT, dataDir);
  return { service, server: JSON.parse(await service.readLine()) };
}

async function kill(service: ScriptProcess): Promise<void> {
  service.process.kill('SIGKILL');
  await service.exited;
}

/** Starts the database in this process, counts the committed rows, and stops it. */
async function countRows(): Promise<number> {
  const server = await startEmbeddedPostgres({ name: 'example', dataDir });
  try {
    const [row] = await query<{ count: number }>(server.connection, 'SELECT count(*)::int FROM committed');
    return row!.count;
  } finally {
    await server.stop();
  }
}

async function killGuard(pid: number): Promise<void> {
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`example-postgres-guard\0${pid}\0`)) process.kill(Number(name), 'SIGKILL');
  }
}

test('a first start that is killed while it creates the cluster does not prevent the next start', async () => {
  const listUnfinished = async () =>
    (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres.new-'));
  const service = launchScript(SERVE_SCRIPT, dataDir);
  const hasBegun = async () => {
    const [name] = await listUnfinished();
    return name !== undefined && (await readdir(join(dataDir, name)).catch(() => [])).length > 0;
  };
  expect(await waitForCondition(hasBegun, 10_000)).toBe(true);
  await kill(service);
  expect(await readdir(dataDir)).not.toContain('postgres');
  const server = await startEmbeddedPostgres({ name: 'example', dataDir });
  await query(server.connection, 'CREATE TABLE committed (number int)');
  await server.stop();
  await (await startEmbeddedPostgres({ name: 'example', dataDir })).stop();
  expect(await listUnfinished()).toEqual([]);
});

test('the database of a killed service ends too, and committed rows survive', async () => {
  const { service, server } = await serve();
  await query(server.connection, 'INSERT INTO committed VALUES (1)');
  await kill(service);
  expect(await waitUntilEnded(server.pid)).toBe(true);
  expect(await countRows()).toBe(1);
});

test('the database of a service that exits without stopping it ends too', async () => {
  const service = launchScript(
    `const server = await startEmbeddedPostgres({ name: 'example', dataDir }); console.log(server.pid);`,
    dataDir,
  );
  const pid = Number(await service.readLine());
  expect(await service.exited).toBe(0);
  expect(await waitUntilEnded(pid)).toBe(true);
});

test.runIf(isLinux)(
  'the next start stops a database whose service and guard were killed, and committed rows survive',
  async () => {
    const { service, server } = await serve();
    await query(server.connection, 'INSERT INTO committed VALUES (2)');
    await killGuard(server.pid);
    await kill(service);
    expect(isAlive(server.pid)).toBe(true);
    expect(await countRows()).toBe(2);
    expect(await waitUntilEnded(server.pid)).toBe(true);
  },
);

test.runIf(isLinux)(
  'the next start stops backends that outlive their killed server, and committed rows survive',
  async () => {
    const { service, server } = await serve();
    await query(server.connection, 'INSERT INTO committed VALUES (3)');
    const busy = query(
      server.connection,
      `DO $$ BEGIN LOOP PERFORM sum(n) FROM generate_series(1, 1000) AS n; END LOOP; END $$`,
    ).catch(() => undefined);
    const isBusy = async () =>
      (
        await query(
          server.connection,
          `SELECT FROM pg_stat_activity WHERE query LIKE 'DO%' AND state = 'active'`,
        )
      ).length === 1;
    expect(await waitForCondition(isBusy, 5_000)).toBe(true);
    await killGuard(server.pid);
    process.kill(server.pid, 'SIGKILL');
    await kill(service);
    expect(await countRows()).toBe(3);
    await busy;
  },
);

test('reports the death of the server once, and releases the directory for a new start', async () => {
  const reasons: string[] = [];
  const reported = Promise.withResolvers<void>();
  const server = await startEmbeddedPostgres({
    name: 'example',
    dataDir,
    onExit: (reason) => {
      reasons.push(reason);
      reported.resolve();
    },
  });
  await query(server.connection, 'INSERT INTO committed VALUES (4)');
  process.kill(server.pid, 'SIGKILL');
  await reported.promise;
  expect(await countRows()).toBe(4);
  await server.stop();
  expect(reasons).toHaveLength(1);
  expect(reasons[0]).toContain('SIGKILL');
});

test('does not report a death after a regular stop', async () => {
  const reasons: string[] = [];
  const server = await startEmbeddedPostgres({
    name: 'example',
    dataDir,
    onExit: (reason) => reasons.push(reason),
  });
  await server.stop();
  expect(reasons).toEqual([]);
});

test('a pid file whose pid now belongs to another process does not prevent a start', async () => {
  const owner = await stat(join(dataDir, 'postgres'));
  const unrelated = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid });
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  await writeFile(
    pidFile,
    `${unrelated.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n/tmp\n\n1 1\nready   \n`,
  );
  await chown(pidFile, owner.uid, owner.gid);
  expect(await countRows()).toBe(4);
  expect(isAlive(unrelated.pid!)).toBe(true);
  unrelated.kill('SIGKILL');
});

test('Ctrl-C, which reaches the whole process group, does not stop the database before the service does', async () => {
  const service = launchScript(
    `const server = await startEmbeddedPostgres({ name: 'example', dataDir });
     process.once('SIGINT', async () => {
       const seen = [];
       for (let count = 0; count < 20; count += 1) seen.push(...(await query(server.connection, 'SELECT 1')));
       await server.stop();
       console.log('answered ' + seen.length);
       process.exit(0);
     });
     setInterval(() => undefined, 1000);
     console.log(server.pid);`,
    dataDir,
    { detached: true },
  );
  const pid = Number(await service.readLine());
  process.kill(-service.process.pid!, 'SIGINT');
  expect(await service.readLine()).toBe('answered 20');
  expect(await service.exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
});
