import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

test('who has said nothing wants anything, and each sees their own', async () => {
  const app = await startApp();
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  const at = '/members/me/matching-preferences';
  await app.request('PUT', at, { token: one.token, body: { remote_policies: ['remote'] } });
  const read = async (token: string) => (await app.request('GET', at, { token })).body;
  expect((await read(one.token)).remote_policies).toEqual(['remote']);
  expect(await read(other.token)).toEqual({
    clearance_held: 'none',
    remote_policies: null,
    salary_min: null,
    salary_currency: null,
    values: null,
  });
  expect((await app.request('GET', at)).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', at, { token })).status).toBe(403);
  expect((await app.request('GET', `${at}?member_id=x`, { token: one.token })).status).toBe(422);
});
