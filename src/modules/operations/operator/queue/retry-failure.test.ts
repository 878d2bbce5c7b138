import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { failNotice } from '#test/modules/queue.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const get = (path: string) => app.request('GET', `/operator/queue${path}`, { token: operator.token });
const post = (path: string, body: object = {}) =>
  app.request('POST', `/operator/queue${path}`, { token: operator.token, body });

const countWaiting = async () =>
  (await app.sql.list(sql`select id from tasks where name = 'accounts.sendNotice' and status = 'queued'`))
    .length;

it('a failed task is tried again, and only once', async () => {
  await failNotice(app);
  const { data } = (await get('/failures')).body;
  const { id } = data[0];
  const replies = await Promise.all([1, 2].map(() => post(`/failures/${id}/retry`)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 404]));
  expect(await countWaiting()).toBe(1);
  expect((await post(`/failures/${id}/retry`)).body.code).toBe('failed_task_not_found');
  expect((await post(`/failures/${unknownId}/retry`)).body.code).toBe('failed_task_not_found');
  expect(await listActs(app, 'tasks.failure_retried', operator.user_id)).toMatchObject([
    { detail: { failure_id: id } },
  ]);
  await app.drainQueue();
  expect((await get('/failures')).body.pagination.total_count).toBe(1);
});

it('a malformed id and other callers are refused', async () => {
  expect((await post('/failures/7/retry')).body.errors[0].pointer).toBe('/failure_id');
  await expectOperatorOnly(app, 'POST', `/operator/queue/failures/${unknownId}/retry`, {});
});
