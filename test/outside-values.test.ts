import { expect, test } from 'vitest';
import { startApp } from './harness.ts';
import { password } from './users.ts';

const app = await startApp();

test.each([
  ['2016-12-31T23:59:60Z', 200],
  ['2016-12-31T23:59:60.000+00:00', 200],
  ['2026-03-01T00:00:00+00:00', 200],
  ['2026-03-01T12:00:60Z', 422],
])('a time in a query is read like any other: %s', async (since, status) => {
  const { token } = await app.registerMember();
  const path = `/audit-log?since=${encodeURIComponent(since)}`;
  expect((await app.request('GET', path, { token })).status).toBe(status);
});

test('one address has one account, however its domain and the space around it are written', async () => {
  const body = { email: ' Ada@München.Example ', password, name: 'Ada', role: 'member' };
  const created = await app.request('POST', '/auth/register', { body });
  expect([created.status, created.body.user.email]).toEqual([201, 'ada@xn--mnchen-3ya.example']);
  for (const email of ['ada@münchen.example', 'ada@xn--mnchen-3ya.example ', '\tADA@MÜNCHEN.EXAMPLE'])
    expect([email, (await app.request('POST', '/auth/login', { body: { email, password } })).status]).toEqual(
      [email, 200],
    );
  const org = await app.registerOrgAdmin();
  const invited = await app.request('POST', '/orgs/me/users', {
    token: org.token,
    body: { email: 'Bo@bücher.example ', role: 'org_viewer' },
  });
  expect([invited.status, invited.body.email]).toEqual([201, 'bo@xn--bcher-kva.example']);
});
