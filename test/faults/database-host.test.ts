import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { isUnavailable, openDatabase, sql } from '#platform/database/database.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { cloneDatabase, startApp } from '../harness.ts';
import type { TestMember } from '../users.ts';
import { openFaultProxy } from './fault-proxy.ts';

const clients = 12;
/** It takes 18 s, and on a busy machine longer. Without time limits it would take a quarter of an hour. */
const recovery_ms_max = 90_000;

let members: readonly TestMember[];

const settings = await cloneDatabase();
/** Sees the server without the proxy. */
const direct = openDatabase(settings, () => undefined);
cleanUpAfterFile(() => direct.close());
const proxy = await openFaultProxy(settings);
const app = await startApp({}, proxy.settings);
beforeAll(async () => {
  app.platform.log.level = 'silent';
  await app.platform.queue.startWorkers(app.platform);
  members = await Promise.all(Array.from({ length: clients }, () => app.registerMember()));
});

/** Connections that wait for the queue's notifications; a connection shows its last statement. */
async function countListeners(): Promise<number> {
  const { count } = await direct.one(sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and (query like 'listen %' or query like '%pg_listening_channels%')
      and pid <> pg_backend_pid()`);
  return count;
}

const consent = { consent_type: 'assessment_data', granted: true, version: '1.0' };

/** Tries a write until it succeeds. @returns the statuses. */
async function writeUntilDone({ token }: TestMember): Promise<readonly number[]> {
  const statuses: number[] = [];
  do {
    const { status } = await app.request('POST', '/members/me/consent', { token, body: consent });
    statuses.push(status);
    if (status >= 300) await pause(200);
  } while (statuses.at(-1)! >= 300);
  return statuses;
}

async function measure_ms(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

test('when the database host vanishes, requests, tasks and notifications are back after the time limits, and until then requests get 503', async () => {
  await expect.poll(countListeners).toBe(1);
  proxy.vanish();
  await expect.poll(countListeners).toBe(0);
  const mails = (await app.readMails()).length;
  const statuses: number[] = [];
  const writing = measure_ms(async () => {
    statuses.push(...(await Promise.all(members.map(writeUntilDone))).flat());
  });
  const listening = measure_ms(async () => {
    await expect.poll(countListeners).toBe(1);
  });
  const working = measure_ms(async () => {
    await writing;
    await app.request('POST', '/auth/forgot-password', { body: { email: members[0]!.email } });
    await expect.poll(async () => (await app.readMails()).length).toBeGreaterThan(mails);
  });
  const lasted = { writing: await writing, listening: await listening, working: await working };
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
  for (const each of Object.values(lasted)) expect(each).toBeLessThan(recovery_ms_max);
});

test('after one connection got no reply, no other request waits for a connection to the same host', async () => {
  const other = await openFaultProxy(settings);
  const database = openDatabase({ ...other.settings, query_timeout: 6_000 }, () => undefined);
  cleanUpAfterFile(() => database.close());
  const read = () => database.find(sql<{ one: number }>`select 1 as one`);
  await Promise.all(Array.from({ length: 10 }, read));
  expect(database.countConnections()).toMatchObject({ total: 10, idle: 10 });
  other.vanish();
  await expect(read()).rejects.toMatchObject({ code: 'database_unavailable' });
  expect(await read()).toEqual({ one: 1 });
  const failing = database.transaction(async (tx) => {
    await tx.run(sql`select 1`);
    other.vanish();
    await tx.run(sql`select 1`);
  });
  // Six seconds for the statement, and not another six for a rollback.
  const lasted = await measure_ms(() => expect(failing).rejects.toMatchObject({ status: 503 }));
  expect(lasted).toBeLessThan(11_500);
  expect(await read()).toEqual({ one: 1 });
});

test('a database that takes connections and never replies is 503 within seconds, and stops a start in one line', async () => {
  const other = await openFaultProxy(settings);
  other.vanish({ reachable: false });
  const database = openDatabase(other.settings, () => undefined);
  cleanUpAfterFile(() => database.close());
  const [waited] = await Promise.all([
    measure_ms(() => expect(database.run(sql`select 1`)).rejects.toMatchObject({ status: 503 })),
    expect(migrateDatabase({ ...other.settings, connectionTimeoutMillis: 3_000 })).rejects.toSatisfy(
      isUnavailable,
    ),
  ]);
  expect(waited).toBeLessThan(60_000);
  other.recover();
  expect(await database.find(sql`select 1 as one`)).toEqual({ one: 1 });
});
