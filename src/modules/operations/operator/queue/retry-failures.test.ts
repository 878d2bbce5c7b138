import { expect, it } from 'vitest';
import { forgetLogins } from '#modules/access/sso';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { failNotice } from '#test/modules/queue.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const get = (path: string) => app.request('GET', `/operator/queue${path}`, { token: operator.token });
const post = (path: string, body: object = {}) =>
  app.request('POST', `/operator/queue${path}`, { token: operator.token, body });

it('the failed tasks of one name are tried again all at once, with all attempts', async () => {
  await failNotice(app);
  await failNotice(app);
  const { body } = await post('/retry', { task: 'accounts.sendNotice' });
  expect(body).toEqual({ retried: 2 });
  expect((await get('/failures')).body.data).toEqual([]);
  await app.drainQueue();
  expect((await get('/failures')).body.data).toMatchObject([{ attempts: 5 }, { attempts: 5 }]);
  expect((await post('/retry', { task: 'nothing.here' })).body).toEqual({ retried: 0 });
  expect(await listActs(app, 'tasks.failures_retried', operator.user_id)).toMatchObject([
    { detail: { task: 'accounts.sendNotice', retried: 2 } },
  ]);
});

it('a failed task that a user waits for is queued again in the eyes of the user', async () => {
  const { user_id, token } = await app.registerMember();
  const { task_id } = await app.sql.transaction((tx) =>
    app.platform.queue.start(tx, forgetLogins, {}, user_id),
  );
  await app.sql.run(sql`update tasks set status = 'failed', error = 'It failed.' where id = ${task_id}`);
  await post('/retry', { task: 'sso.forgetLogins' });
  const read = async () => (await app.request('GET', `/tasks/${task_id}`, { token })).body;
  expect(await read()).toMatchObject({ status: 'queued', error: null });
  await app.drainQueue();
  expect(await read()).toMatchObject({ status: 'succeeded' });
});

it('a task that the service no longer has stays failed, with its error', async () => {
  await app.sql.run(sql`
    insert into tasks (id, name, status, error, created_at, updated_at)
    values (gen_random_uuid(), 'old.task', 'failed', 'Error: it is gone', now(), now())`);
  const { data } = (await get('/failures?task=old.task')).body;
  expect(data).toMatchObject([{ error: 'Error: it is gone', attempts: 1 }]);
  expect((await post(`/failures/${data[0].id}/retry`)).body.code).toBe('failed_task_not_found');
  expect((await post('/retry', { task: 'old.task' })).body).toEqual({ retried: 0 });
});

it('a missing name and other callers are refused', async () => {
  expect((await post('/retry', {})).body.errors[0].pointer).toBe('/task');
  await expectOperatorOnly(app, 'POST', '/operator/queue/retry', { task: 'accounts.sendNotice' });
});
