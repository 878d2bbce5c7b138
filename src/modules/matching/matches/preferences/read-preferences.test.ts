import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

test('preferences that were never set rule out nothing, and only the member can read their own', async () => {
  const app = await startApp();
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  const path = '/members/me/matching-preferences';
  await app.request('PUT', path, { token: one.token, body: { remote_policies: ['remote'] } });
  const readBody = async (token: string) => (await app.request('GET', path, { token })).body;
  expect((await readBody(one.token)).remote_policies).toEqual(['remote']);
  expect(await readBody(other.token)).toEqual({
    clearance_held: 'none',
    remote_policies: null,
    salary_min: null,
    salary_currency: null,
    values: null,
  });
  expect((await app.request('GET', path)).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', path, { token })).status).toBe(403);
  expect((await app.request('GET', `${path}?member_id=x`, { token: one.token })).status).toBe(422);
});
