import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

test('a member who has said nothing reads open questions, and nobody else reads the answers', async () => {
  const app = await startApp();
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  const path = '/members/me/self-identification';
  await app.request('POST', '/members/me/consent', {
    token: one.token,
    body: { consent_type: 'demographic_self_identification', granted: true, version: '1.0' },
  });
  await app.request('PUT', path, { token: one.token, body: { gender: ['woman'] } });
  const { status, headers, body } = await app.request('GET', path, { token: one.token });
  expect([status, body.gender]).toEqual([200, ['woman']]);
  expect(headers['etag']).toBeDefined();
  expect((await app.request('GET', path, { token: other.token })).body).toMatchObject({
    gender: [],
    age_band: null,
    ethnicity: [],
    disability: null,
    country: null,
  });
  expect((await app.request('GET', path)).status).toBe(401);
  expect((await app.request('GET', path, { token: (await app.registerOrgAdmin()).token })).status).toBe(403);
  expect((await app.request('GET', `${path}?member_id=x`, { token: one.token })).status).toBe(422);
});
