import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { failNotice } from '#test/modules/queue.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const get = (path: string) => app.request('GET', `/operator/queue${path}`, { token: operator.token });

it('failed tasks are listed with the error of the last attempt and without their data, the latest first', async () => {
  await failNotice(app);
  const { status, body } = await get('/failures?task=accounts.sendNotice');
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      task: 'accounts.sendNotice',
      attempts: 5,
      failed_at: expect.any(String),
      error: expect.stringMatching(/^\w*Error: /),
    },
  ]);
  expect((await get('/failures?task=accounts.sendVerification')).body.data).toEqual([]);
  await failNotice(app);
  const first = (await get('/failures?limit=1')).body;
  expect(first.pagination).toMatchObject({ has_more: true, total_count: 2 });
  const second = (await get(`/failures?limit=1&cursor=${first.pagination.next_cursor}`)).body;
  expect([second.data[0].id === first.data[0].id, second.pagination.has_more]).toEqual([false, false]);
  expect(second.data[0].failed_at <= first.data[0].failed_at).toBe(true);
});

it('a malformed name and other callers are refused', async () => {
  expect((await get('/failures?task=x;y')).body.errors[0].pointer).toBe('/task');
  await expectOperatorOnly(app, 'GET', '/operator/queue/failures');
});
