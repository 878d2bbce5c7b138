import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

test('who has chosen nothing has the defaults', async () => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await app.request('GET', '/orgs/me/notifications', { token });
  expect([status, body]).toEqual([
    200,
    { match_accepted: 'immediately', match_declined: 'weekly', feedback_open: 'immediately' },
  ]);
});

test('other roles have settings of their own elsewhere', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/orgs/me/notifications', { token })).status).toBe(403);
});
