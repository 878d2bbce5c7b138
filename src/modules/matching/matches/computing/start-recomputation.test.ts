import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';

test('all matches are computed again by a task that the operator can follow, and that is recorded', async () => {
  const app = await startApp();
  const operator = await app.registerPlatformAdmin();
  const { token } = operator;
  const { status, body, headers } = await app.request('POST', '/operator/match-index/recompute', {
    token,
    body: {},
  });
  expect([status, headers['location']]).toEqual([202, expect.stringContaining(`/tasks/${body.task_id}`)]);
  await app.drainQueue();
  expect((await app.request('GET', `/tasks/${body.task_id}`, { token })).body.status).toBe('succeeded');
  expect(await listActs(app, 'matching.all_recomputation_started', operator.user_id)).toMatchObject([
    { detail: { task_id: body.task_id } },
  ]);
  await expectOperatorOnly(app, 'POST', '/operator/match-index/recompute', {});
});
