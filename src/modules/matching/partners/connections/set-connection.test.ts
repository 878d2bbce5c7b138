import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const path = '/orgs/me/partners/ashby';
const body = { key: 'a-key-of-the-system' };

test('a connection has the usual origin of the system, and a second one replaces the first', async () => {
  const { token } = await app.registerOrgAdmin();
  const first = await app.request('PUT', path, { token, body });
  const created_at = app.clock.now().toISOString();
  const connection = { partner: 'ashby', origin: 'https://api.ashbyhq.com', created_at };
  expect([first.status, first.body]).toEqual([200, { ...connection, updated_at: created_at }]);
  app.clock.advance(1_000);
  const origin = 'https://ashby.example.org';
  const second = await app.request('PUT', path, { token, body: { ...body, origin } });
  const updated_at = app.clock.now().toISOString();
  expect(second.body).toEqual({ ...connection, origin, updated_at });
});

test('refuses bad input, callers who are not logged in, members and viewers', async () => {
  const { token } = await app.registerOrgAdmin();
  const bad: readonly (readonly [object, string])[] = [
    [{}, '/key'],
    [{ key: 'with:colon' }, '/key'],
    [{ ...body, origin: 'http://api.ashbyhq.com' }, '/origin'],
    [{ ...body, origin: 'https://10.0.0.1' }, '/origin'],
    [{ ...body, origin: 'https://api.ashbyhq.com/path' }, '/origin'],
  ];
  for (const [input, pointer] of bad) {
    const refused = await app.request('PUT', path, { token, body: input });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
  }
  expect((await app.request('PUT', '/orgs/me/partners/lever', { token, body })).status).toBe(422);
  expect((await app.request('PUT', path, { body })).status).toBe(401);
  const member = await app.registerMember();
  expect((await app.request('PUT', path, { body, token: member.token })).body.code).toBe('role_not_allowed');
});
