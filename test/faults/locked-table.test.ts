import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { cleanUpAfterFile } from '../clean-up.ts';
import { cloneDatabase, startApp } from '../harness.ts';
import type { TestMember } from '../users.ts';

let member: TestMember;
let other: TestMember;
/** Holds the lock, as a long migration or a forgotten session of an operator does. */
let holder: pg.Client;

// The database of a test waits for locks as long as that of the service does, but requests wait for their turns as long as a busy machine needs.
const settings = { ...(await cloneDatabase()), connectionTimeoutMillis: 60_000 };
const app = await startApp({ TESSERA_DATABASE_POOL_SIZE: '4' }, settings);
beforeAll(async () => {
  app.platform.log.level = 'silent';
  member = await app.registerMember();
  other = await app.registerMember();
  holder = new pg.Client(app.sql.settings);
  await holder.connect();
  cleanUpAfterFile(() => holder.end());
});

async function read(
  path: string,
  { token }: TestMember = member,
): Promise<{ readonly status: number; readonly lasted_ms: number }> {
  const began = performance.now();
  const { status } = await app.request('GET', path, { token });
  return { status, lasted_ms: performance.now() - began };
}

test('while a table is locked, the service stays ready, others are served, and requests that wait for it fail within seconds', async () => {
  await holder.query('begin; lock table consent_records in access exclusive mode');
  const waiting = Promise.all(Array.from({ length: 100 }, () => read('/members/me/consent')));
  await expect.poll(() => app.platform.database.countConnections().waiting).toBeGreaterThan(90);
  const { total, idle } = app.platform.database.countConnections();
  expect(total - idle).toBe(1);
  const checks = await Promise.all(
    Array.from({ length: 20 }, () => app.internalServer.inject('/health/ready')),
  );
  expect(new Set(checks.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  // Another caller does not wait for these requests.
  expect((await read('/auth/me', other)).status).toBe(200);
  expect(app.platform.database.countConnections().waiting).toBeGreaterThan(0);
  const replies = await waiting;
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...replies.map(({ lasted_ms }) => lasted_ms))).toBeLessThan(60_000);
  // Other tables are not locked, and the connections are free again.
  expect((await read('/auth/me')).status).toBe(200);
  await holder.query('rollback');
  expect((await read('/members/me/consent')).status).toBe(200);
});
