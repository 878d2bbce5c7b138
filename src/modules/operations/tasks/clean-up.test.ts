import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { cleanUp } from './clean-up.ts';

const app = await startApp();

const day_ms = 24 * 3_600_000;

async function runCleanUp(): Promise<void> {
  await app.sql.transaction((tx) => app.platform.queue.send(tx, cleanUp, {}));
  await app.drainQueue();
}

async function insertTask(status: string): Promise<string> {
  const [id, now] = [randomUUID(), app.clock.now()];
  await app.sql.run(sql`
    insert into tasks (id, name, user_id, status, claim_id, heartbeat_at, due_at, created_at, updated_at)
    values (${id}, 'old.task', ${randomUUID()}, ${status}, ${status === 'running' ? id : null}, ${status === 'running' ? now : null},
      ${now}, ${now}, ${now})`);
  return id;
}

async function areStored(ids: readonly string[]): Promise<readonly boolean[]> {
  const rows = await app.sql.list(sql<{ id: string }>`select id from tasks where id = any(${ids})`);
  return ids.map((id) => rows.some((row) => row.id === id));
}

test('deletes failed tasks after a week, succeeded ones after thirty days, and never unfinished ones', async () => {
  const ids = await Promise.all(['succeeded', 'failed', 'queued', 'running'].map(insertTask));
  const expectStoredAfter = async (wait_ms: number, ...stored: readonly boolean[]) => {
    app.clock.advance(wait_ms);
    await runCleanUp();
    expect(await areStored(ids)).toEqual([...stored, true, true]);
  };
  await expectStoredAfter(7 * day_ms, true, true);
  await expectStoredAfter(1, true, false);
  await expectStoredAfter(23 * day_ms - 1, true, false);
  await expectStoredAfter(1, false, false);
});

test('deletes events after thirty days, however many there are', async () => {
  const insertEvents = (count: number) =>
    app.sql.run(sql`
      insert into events (id, type, data, created_at)
      select gen_random_uuid(), 'test.happened', '{}', ${app.clock.now()} from generate_series(1, ${count})`);
  const countEvents = async () =>
    (await app.sql.list(sql`select from events where type = 'test.happened'`)).length;
  await insertEvents(5_001);
  app.clock.advance(1);
  await insertEvents(1);
  app.clock.advance(30 * day_ms - 1);
  await runCleanUp();
  expect(await countEvents()).toBe(5_002);
  app.clock.advance(1);
  await runCleanUp();
  expect(await countEvents()).toBe(1);
});

test('deletes the reply stored for an Idempotency-Key after a day', async () => {
  const { token } = await app.registerMember();
  const send = async () => {
    const { body } = await app.request('POST', '/members/me/consent', {
      token,
      headers: { 'idempotency-key': 'a-day' },
      body: { consent_type: 'matching', granted: true, version: '1.0' },
    });
    return body.id as string;
  };
  const first = await send();
  await runCleanUp();
  expect(await send()).toBe(first);
  await app.sql.run(sql`update idempotency_keys set created_at = created_at - interval '25 hours'`);
  await runCleanUp();
  expect(await send()).not.toBe(first);
});

test('runs every hour', () => {
  expect(cleanUp.every).toBe('17 * * * *');
});
