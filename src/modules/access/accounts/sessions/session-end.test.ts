import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { sessions_max } from './session-end.ts';

const day_ms = 86_400_000;

const app = await startApp();

const logIn = async ({ email, password }: { readonly email: string; readonly password: string }) =>
  app.request('POST', '/auth/login', { body: { email, password } });

test('a session that is refreshed again and again ends 90 days after its login, and so do its tokens', async () => {
  const user = await app.registerMember();
  let { cookies, body } = await logIn(user);
  for (let days = 0; days < 80; days += 20) {
    app.clock.advance(20 * day_ms);
    ({ cookies, body } = await app.request('POST', '/auth/refresh', { cookies }));
  }
  app.clock.advance(10 * day_ms - 3_600_000);
  const last = await app.request('POST', '/auth/refresh', { cookies });
  expect([last.status, last.body.expires_in]).toEqual([200, 3_600]);
  const { exp = 0 } = jose.decodeJwt(last.body.access_token);
  expect(exp * 1000).toBe(app.clock.now().getTime() + 3_600_000);
  expect(String(last.headers['set-cookie'])).toContain('Max-Age=3600;');
  app.clock.advance(3_600_000);
  const { access_token: token } = last.body;
  expect((await app.request('GET', '/auth/me', { token })).body.code).toBe('token_expired');
  expect((await app.request('POST', '/auth/refresh', { cookies: last.cookies })).status).toBe(401);
  expect(body.access_token).not.toBe(token);
});

test('an operator who shortens the time ends sessions that were started before', async () => {
  const user = await app.registerMember();
  const { cookies } = await logIn(user);
  await app.sql.run(sql`
    update sessions set created_at = created_at - interval '90 days' where user_id = ${user.user_id}`);
  expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
});

test('a confirmation does not make a session last longer', async () => {
  const user = await app.registerMember();
  const { body } = await logIn(user);
  await app.sql.run(sql`
    update sessions set created_at = created_at - interval '90 days' + interval '1 minute' where user_id = ${user.user_id}`);
  const confirm = () =>
    app.request('POST', '/auth/reauthenticate', {
      token: body.access_token,
      body: { password: user.password },
    });
  expect((await confirm()).body.expires_in).toBe(60);
  app.clock.advance(60_000);
  expect((await confirm()).body.code).toBe('token_invalid');
});

test('a user has at most 100 sessions: a login beyond that ends the one that was unused for longest', async () => {
  const user = await app.registerMember();
  const first = await logIn(user);
  const second = await logIn(user);
  app.clock.advance(1_000);
  await app.request('POST', '/auth/refresh', { cookies: first.cookies });
  const now = app.clock.now();
  for (let count = 3; count < sessions_max; count++)
    await app.sql.run(sql`
      insert into sessions (id, user_id, created_at, last_used_at, expires_at, address)
      values (${randomUUID()}, ${user.user_id}, ${now}, ${now}, ${new Date(now.getTime() + day_ms)}, '192.0.2.1')`);
  const countOpen = async (token: string) =>
    (await app.request('GET', '/auth/sessions', { token })).body.pagination.total_count;
  const hundredth = await countOpen(first.body.access_token);
  expect(hundredth).toBe(sessions_max);
  // The session of the registration was unused as long as the second one, and is older by its place.
  const [next, further] = [await logIn(user), await logIn(user)];
  const isOpen = async (token: string) => (await app.request('GET', '/auth/me', { token })).status === 200;
  expect([await isOpen(user.token), await isOpen(second.body.access_token)]).toEqual([false, false]);
  expect([await isOpen(first.body.access_token), await isOpen(next.body.access_token)]).toEqual([true, true]);
  expect(await countOpen(further.body.access_token)).toBe(sessions_max);
  expect((await app.request('POST', '/auth/refresh', { cookies: second.cookies })).status).toBe(401);
});
