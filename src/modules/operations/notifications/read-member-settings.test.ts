import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

test('who has chosen nothing has the defaults', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('GET', '/members/me/notifications', { token });
  expect([status, body]).toEqual([
    200,
    {
      match_proposed: 'immediately',
      feedback_open: 'immediately',
      data_read: 'weekly',
      results_ready: 'immediately',
      assessment_unfinished: 'immediately',
      credential_offered: 'immediately',
      credential_revoked: 'immediately',
      matches_found: 'never',
    },
  ]);
});

test('other roles have settings of their own elsewhere', async () => {
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', '/members/me/notifications', { token })).status).toBe(403);
});
