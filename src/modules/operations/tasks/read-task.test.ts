import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { cleanUp } from './clean-up.ts';

const app = await startApp();

const start = (user_id: string) =>
  app.sql.transaction((tx) => app.platform.queue.start(tx, cleanUp, {}, user_id));
const read = (task_id: string, token?: string) =>
  app.request('GET', `/tasks/${task_id}`, token === undefined ? {} : { token });

test('a task is queued when it is started, and has succeeded when it has run', async () => {
  const { user_id, token } = await app.registerMember();
  const { task_id, status } = await start(user_id);
  expect(status).toBe('queued');
  const started_at = app.clock.now().toISOString();
  const queued = await read(task_id, token);
  expect(queued.status).toBe(200);
  expect(queued.body).toEqual({
    task_id,
    status: 'queued',
    progress: { done: 0, total: 0 },
    result_url: null,
    error: null,
    created_at: started_at,
    updated_at: started_at,
  });
  app.clock.advance(5_000);
  await app.drainQueue();
  const { body } = await read(task_id, token);
  expect(body).toMatchObject({ task_id, status: 'succeeded', created_at: started_at });
  expect(body.updated_at).toBe(app.clock.now().toISOString());
});

test('returns progress and result as they are stored, and that the task failed, but not why', async () => {
  const { user_id, token } = await app.registerOrgAdmin();
  const { task_id } = await start(user_id);
  await app.sql.run(sql`
    update tasks set status = 'failed', progress_done = 3, progress_total = 7, result_url = '/x', error = 'Error: the disk is full'
    where id = ${task_id}`);
  expect((await read(task_id, token)).body).toMatchObject({
    status: 'failed',
    progress: { done: 3, total: 7 },
    result_url: '/x',
    error: 'The task failed after several attempts.',
  });
});

test('users of every role may read the tasks that they started', async () => {
  for (const { user_id, token } of [
    await app.registerMember(),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ]) {
    const { task_id } = await start(user_id);
    expect((await read(task_id, token)).status).toBe(200);
  }
});

test('replies as for a missing task when another user started it, even to a platform administrator', async () => {
  const { user_id } = await app.registerMember();
  const { task_id } = await start(user_id);
  for (const { token } of [
    await app.registerMember(),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ]) {
    const { status, body } = await read(task_id, token);
    expect([status, body.code]).toEqual([404, 'task_not_found']);
  }
});

test('replies 404 for a task that does not exist, and 422 for an id that is not a UUID', async () => {
  const { token } = await app.registerMember();
  for (const id of [unknownId, randomUUID()])
    expect((await read(id, token)).body.code).toBe('task_not_found');
  const { status, body } = await read('7', token);
  expect([status, body.errors[0].pointer]).toEqual([422, '/task_id']);
});

test('refuses callers who are not logged in', async () => {
  const { status, body } = await read(unknownId);
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});
