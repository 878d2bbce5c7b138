import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

const path = '/orgs/me/notifications';

test('a user sets what they are emailed about, and nobody else’s settings change', async () => {
  const [one, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const body = { match_accepted: 'never', match_declined: 'immediately', feedback_open: 'weekly' };
  const reply = await app.request('PUT', path, { token: one.token, body });
  expect([reply.status, reply.body]).toEqual([200, body]);
  expect((await app.request('GET', path, { token: one.token })).body).toEqual(body);
  expect((await app.request('GET', path, { token: other.token })).body).toEqual({
    match_accepted: 'immediately',
    match_declined: 'weekly',
    feedback_open: 'immediately',
  });
});

test('a missing or unknown value is refused with its name', async () => {
  const { token } = await app.registerOrgAdmin();
  for (const body of [{}, { match_accepted: 'hourly', match_declined: 'immediately' }]) {
    const reply = await app.request('PUT', path, { token, body });
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/match_accepted']);
  }
});
