import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

const path = '/members/me/notifications';

test('a user sets what they are emailed about, and nobody else’s settings change', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  const body = {
    match_proposed: 'weekly',
    feedback_open: 'never',
    data_read: 'immediately',
    results_ready: 'never',
    assessment_unfinished: 'immediately',
    credential_offered: 'never',
    credential_revoked: 'never',
    matches_found: 'weekly',
  };
  const reply = await app.request('PUT', path, { token: one.token, body });
  expect([reply.status, reply.body]).toEqual([200, body]);
  expect((await app.request('GET', path, { token: one.token })).body).toEqual(body);
  expect((await app.request('GET', path, { token: other.token })).body).toEqual({
    match_proposed: 'immediately',
    feedback_open: 'immediately',
    data_read: 'weekly',
    results_ready: 'immediately',
    assessment_unfinished: 'immediately',
    credential_offered: 'immediately',
    credential_revoked: 'immediately',
    matches_found: 'never',
  });
  // A client that does not know the later setting does not change it.
  await app.request('PUT', path, { token: one.token, body: { match_proposed: 'never' } });
  const after = { ...body, match_proposed: 'never' };
  expect((await app.request('GET', path, { token: one.token })).body).toEqual(after);
});

test('a missing or unknown value is refused with its name', async () => {
  const { token } = await app.registerMember();
  const weekly = await app.request('PUT', path, {
    token,
    body: { match_proposed: 'never', results_ready: 'weekly' },
  });
  expect([weekly.status, weekly.body.errors[0].pointer]).toEqual([422, '/results_ready']);
  for (const body of [{}, { match_proposed: 'hourly' }]) {
    const reply = await app.request('PUT', path, { token, body });
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/match_proposed']);
  }
});
