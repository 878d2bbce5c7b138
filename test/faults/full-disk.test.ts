import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { query } from '@tessera/embedded-postgres/testing';
import { findFreePorts, prepareDataDir, type TesseraProcess } from '../process/run-tessera.ts';
import { canMount, openSmallDisk, type SmallDisk } from './small-disk.ts';

const password = 'Correct-Horse-7-Battery';
let registered = 0;

/** A service whose data, or emails, are on a small disk. */
type Installation = {
  readonly service: TesseraProcess;
  /** Registers a member. @returns the status, and Retry-After. */
  readonly register: () => Promise<readonly [status: number, retryAfter: string | null]>;
  /** @returns the status of the readiness check, and what it says about the database. */
  readonly readReadiness: () => Promise<readonly [status: number, database: string]>;
  readonly logIn: (email: string) => Promise<number>;
};

async function startOn(disk: SmallDisk, dataDir: string): Promise<Installation> {
  const ports = await findFreePorts();
  const environment = { TESSERA_DATA_DIR: dataDir, TESSERA_RATE_LIMITS: 'off', ...ports };
  const service = disk.run(['serve'], environment);
  await service.ready;
  const post = async (at: string, body: object) =>
    fetch(`http://127.0.0.1:${ports.TESSERA_PORT}/api/v1${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    });
  return {
    service,
    register: async () => {
      const email = `disk${++registered}@example.org`;
      const { status, headers } = await post('/auth/register', {
        email,
        password,
        name: 'A',
        role: 'member',
      });
      return [status, headers.get('retry-after')];
    },
    readReadiness: async () => {
      const reply = await fetch(`http://127.0.0.1:${ports.TESSERA_INTERNAL_PORT}/health/ready`);
      return [reply.status, ((await reply.json()) as { database: string }).database];
    },
    logIn: async (email) => (await post('/auth/login', { email, password })).status,
  };
}

async function stop({ service }: Installation): Promise<void> {
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
}

/** Registers members until one is refused. @returns the status and Retry-After of that one. */
async function registerUntilRefused({ register }: Installation) {
  for (let attempts = 0; attempts < 2_000; attempts++) {
    const [status, retryAfter] = await register();
    if (status !== 201) return [status, retryAfter] as const;
  }
  throw new Error('no registration was refused');
}

/** Makes the server on this disk begin new files of its write-ahead log until it cannot. */
async function useUpLog({ directory, outside }: SmallDisk): Promise<void> {
  const found = (await findRunningPostgres(path.join(outside, 'data')))!;
  const connection = { ...found, host: found.host.replace(directory, outside) };
  for (let files = 0; files < 100; files++)
    await query(connection, `select pg_logical_emit_message(true, 'a', 'b'), pg_switch_wal()`);
}

const patient = { timeout: 120_000, interval: 200 };

describe.skipIf(!canMount)('on a full disk', () => {
  test('a start stops with one line, on a new data directory and on an existing one, and then succeeds', async () => {
    const small = await openSmallDisk('20m');
    const first = small.run(['serve'], { TESSERA_DATA_DIR: path.join(small.directory, 'data') });
    expect(await first.exited).toBe(1);
    expect(first.readErrors()).toMatch(/^tessera: the disk of the data directory \S+ is full[^\n]*\n$/);

    const disk = await openSmallDisk('200m');
    const dataDir = path.join(disk.directory, 'data');
    await stop(await startOn(disk, dataDir));
    disk.fill();
    const next = disk.run(['serve'], { TESSERA_DATA_DIR: dataDir, ...(await findFreePorts()) });
    expect(await next.exited).toBe(1);
    expect(next.readErrors()).toMatch(/^tessera: the disk of the data directory \S+ is full[^\n]*\n$/);
    disk.free();
    const again = await startOn(disk, dataDir);
    expect((await again.register())[0]).toBe(201);
    await stop(again);
  });

  test('requests that write get 503 with Retry-After and the service is not ready, until there is space', async () => {
    const disk = await openSmallDisk('200m');
    const installation = await startOn(disk, path.join(disk.directory, 'data'));
    const email = `disk${registered + 1}@example.org`;
    expect(await installation.register()).toEqual([201, null]);
    expect(await installation.readReadiness()).toEqual([200, 'up']);
    disk.fill();
    const [status, retryAfter] = await registerUntilRefused(installation);
    expect(status).toBe(503);
    expect(['2', '30']).toContain(retryAfter);
    await expect.poll(async () => (await installation.readReadiness())[0], patient).toBe(503);
    disk.free();
    await expect.poll(installation.readReadiness, patient).toEqual([200, 'up']);
    await expect.poll(async () => (await installation.register())[0], patient).toBe(201);
    expect(await installation.logIn(email)).toBe(200);
    await stop(installation);
  });

  test('an embedded database that dies, because it cannot write its log, is back without a restart once there is space', async () => {
    const disk = await openSmallDisk('200m');
    const installation = await startOn(disk, path.join(disk.directory, 'data'));
    const email = `disk${registered + 1}@example.org`;
    expect(await installation.register()).toEqual([201, null]);
    disk.fill();
    await expect(useUpLog(disk)).rejects.toThrow(/No space left on device|terminated/);
    const countFailedStarts = () => installation.service.readOutput().split('cannot be started').length - 1;
    await expect.poll(countFailedStarts, patient).toBeGreaterThan(2);
    expect(await installation.register()).toEqual([503, expect.stringMatching(/^(2|30)$/)]);
    expect(await installation.readReadiness()).toEqual([503, 'down']);
    disk.free();
    await expect.poll(installation.readReadiness, patient).toEqual([200, 'up']);
    await expect.poll(async () => (await installation.register())[0], patient).toBe(201);
    expect(await installation.logIn(email)).toBe(200);
    await stop(installation);
  });

  test('emails that are written as files wait, leave no part of a file, and are written once there is space', async () => {
    const dataDir = await prepareDataDir();
    mkdirSync(path.join(dataDir, 'mail'), { recursive: true });
    const disk = await openSmallDisk('64k', path.join(dataDir, 'mail'));
    disk.fill();
    const installation = await startOn(disk, dataDir);
    expect(await installation.register()).toEqual([201, null]);
    await expect.poll(() => installation.service.readOutput(), patient).toContain('ENOSPC');
    const listFiles = () => readdirSync(disk.outside);
    expect(listFiles()).toEqual(['filler']);
    disk.free();
    await expect.poll(listFiles, patient).toEqual([expect.stringMatching(/^[^.].*\.eml$/)]);
    await stop(installation);
  });
});
