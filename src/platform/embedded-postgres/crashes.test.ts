import { spawn } from 'node:child_process';
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './index.ts';
import type { EmbeddedPostgres } from './index.ts';
import {
  waitUntilEnded,
  isAlive,
  launchScript,
  makeScratchDirectory,
  query,
  SERVE_SCRIPT,
} from '#test/embedded-postgres.ts';
import type { ScriptProcess } from '#test/embedded-postgres.ts';
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

/** Starts the database here, counts what was committed, and stops it. */
async function countRows(): Promise<number> {
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    const [row] = await query<{ count: number }>(server.connection, 'SELECT count(*)::int FROM committed');
    return row!.count;
  } finally {
    await server.stop();
  }
}

async function killGuardOf(pid: number): Promise<void> {
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`tessera-postgres-guard\0${pid}\0`)) process.kill(Number(name), 'SIGKILL');
  }
}

test('a first start that is killed while it creates the cluster does not stand in the way of the next', async () => {
  const unfinished = async () =>
    (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres.new-'));
  const service = launchScript(SERVE_SCRIPT, dataDir);
  const hasBegun = async () => {
    const [name] = await unfinished();
    return name !== undefined && (await readdir(join(dataDir, name)).catch(() => [])).length > 0;
  };
  expect(await waitForCondition(hasBegun, 10_000)).toBe(true);
  await kill(service);
  expect(await readdir(dataDir)).not.toContain('postgres');
  const server = await startEmbeddedPostgres({ dataDir });
  await query(server.connection, 'CREATE TABLE committed (number int)');
  await server.stop();
  await (await startEmbeddedPostgres({ dataDir })).stop();
  expect(await unfinished()).toEqual([]);
});

test('a service that is killed takes its database with it, and what was committed is there afterwards', async () => {
  const { service, server } = await serve();
  await query(server.connection, 'INSERT INTO committed VALUES (1)');
  await kill(service);
  expect(await waitUntilEnded(server.pid)).toBe(true);
  expect(await countRows()).toBe(1);
});

test('a service that exits without stopping its database leaves none running', async () => {
  const service = launchScript(
    `const server = await startEmbeddedPostgres({ dataDir }); console.log(server.pid);`,
    dataDir,
  );
  const pid = Number(await service.readLine());
  expect(await service.exited).toBe(0);
  expect(await waitUntilEnded(pid)).toBe(true);
});

test.runIf(isLinux)(
  'an orphan, left by a kill of service and guard, is stopped, and what was committed is there',
  async () => {
    const { service, server } = await serve();
    await query(server.connection, 'INSERT INTO committed VALUES (2)');
    await killGuardOf(server.pid);
    await kill(service);
    expect(isAlive(server.pid)).toBe(true);
    expect(await countRows()).toBe(2);
    expect(await waitUntilEnded(server.pid)).toBe(true);
  },
);

test.runIf(isLinux)(
  'backends that outlive their killed server are stopped, and what was committed is there',
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
    await killGuardOf(server.pid);
    process.kill(server.pid, 'SIGKILL');
    await kill(service);
    expect(await countRows()).toBe(3);
    await busy;
  },
);

test('the death of the server is reported once, and the directory is free for a new start', async () => {
  const reasons: string[] = [];
  const reported = Promise.withResolvers<void>();
  const server = await startEmbeddedPostgres({
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

test('a stopped database reports no death', async () => {
  const reasons: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, onExit: (reason) => reasons.push(reason) });
  await server.stop();
  expect(reasons).toEqual([]);
});

test('a pid file whose pid is another process’s by now does not stand in the way', async () => {
  const owner = await stat(join(dataDir, 'postgres'));
  const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid });
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  await writeFile(
    pidFile,
    `${stranger.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n/tmp\n\n1 1\nready   \n`,
  );
  await chown(pidFile, owner.uid, owner.gid);
  expect(await countRows()).toBe(4);
  expect(isAlive(stranger.pid!)).toBe(true);
  stranger.kill('SIGKILL');
});

test('Ctrl-C, which reaches the whole process group, leaves the database up until the service stops it', async () => {
  const service = launchScript(
    `const server = await startEmbeddedPostgres({ dataDir });
     process.once('SIGINT', async () => {
       const seen = [];
       for (let at = 0; at < 20; at += 1) seen.push(...(await query(server.connection, 'SELECT 1')));
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
