import { afterAll, expect, inject, test } from 'vitest';
import { query } from '@tessera/embedded-postgres/testing';
import { cloneDatabase } from '../harness.ts';
import { findFreePorts, prepareDataDir, readPostgresPid, runTessera } from './run-tessera.ts';

const password = 'Correct-Horse-7-Battery';
const clients = 16;

type Load = { readonly statuses: Set<number>; countReplies(): number; stop(): Promise<void> };

/** Sends registrations, logins, reads and pages of several clients, one request after the other, until it is stopped. */
function startLoad(url: string): Load {
  const statuses = new Set<number>();
  let replies = 0;
  const stopping = new AbortController();
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(120_000) });
    statuses.add(response.status);
    replies++;
    return response.json().catch(() => ({})) as Promise<{ access_token?: string }>;
  };
  const post = (path: string, body: object) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const runClient = async (client: number) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const email = `c${client}-${turn}@example.org`;
      const { access_token = '' } = await post('/api/v1/auth/register', {
        email,
        password,
        name: 'C',
        role: 'member',
      });
      const headers = { authorization: `Bearer ${access_token}` };
      if (access_token)
        await Promise.all([
          send('/api/v1/auth/me', { headers }),
          send('/api/v1/members/me/matches', { headers }),
          send('/api/v1/members/me/export', { headers }),
        ]);
      await send('/', {});
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  return {
    statuses,
    countReplies: () => replies,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

const stops: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function startService(environment: Record<string, string>) {
  const service = runTessera(['serve'], {
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_LOG_LEVEL: 'warn',
    ...(await findFreePorts()),
    ...environment,
  });
  const url = (await service.ready).replace('localhost', '127.0.0.1');
  stops.push(() => {
    service.process.kill('SIGTERM');
    return service.exited;
  });
  return { service, url };
}

/** Waits until the service has answered some more requests, and fails if the process has ended. */
async function expectReplies({ service }: Awaited<ReturnType<typeof startService>>, load: Load) {
  const before = load.countReplies();
  await expect
    .poll(
      () => {
        if (service.process.exitCode !== null) throw new Error(`the process ended: ${service.readErrors()}`);
        return load.countReplies();
      },
      { timeout: 120_000, interval: 5 },
    )
    .toBeGreaterThan(before + clients);
}

test('however often all connections are ended under load, at a switchover too, the process stays and no request fails by another status than 503', async () => {
  const { host, port, user, database } = await cloneDatabase();
  const started = await startService({
    TESSERA_DATA_DIR: await prepareDataDir(),
    TESSERA_DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
  });
  const endAll = () =>
    query(
      inject('server'),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
  const load = startLoad(started.url);
  for (let round = 0; round < 30; round++) {
    // New connections lead to a server that was demoted, and later to one that was promoted.
    if (round === 10)
      await query(inject('server'), `alter database ${database} set default_transaction_read_only = on`);
    if (round === 14)
      await query(inject('server'), `alter database ${database} reset default_transaction_read_only`);
    await endAll();
    // Connections that are being opened meet the next end.
    if (round % 3 === 0) await Promise.all([endAll(), endAll()]);
    await expectReplies(started, load);
  }
  const seen = new Set(load.statuses);
  load.statuses.clear();
  await expect.poll(() => load.statuses.has(201)).toBe(true);
  await load.stop();
  expect([...seen, ...load.statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(started.service.readOutput()).not.toContain('an error was not handled');
});

test('at a fast restart of the embedded database under load the process stays', async () => {
  const dataDir = await prepareDataDir();
  const started = await startService({ TESSERA_DATA_DIR: dataDir });
  const load = startLoad(started.url);
  for (let round = 0; round < 3; round++) {
    const pid = await readPostgresPid(dataDir);
    process.kill(pid, 'SIGINT');
    await expect.poll(() => readPostgresPid(dataDir).catch(() => pid)).not.toBe(pid);
    load.statuses.clear();
    await expect.poll(() => load.statuses.has(201)).toBe(true);
    await expectReplies(started, load);
  }
  await load.stop();
  expect(started.service.readOutput()).not.toContain('an error was not handled');
});
