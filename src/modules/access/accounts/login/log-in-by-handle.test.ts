import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();
const password = 'Correct-Horse-7-Battery';
const logIn = (body: object) => app.request('POST', '/auth/handles/login', { body });

test('a handle and its password log in; anything else is refused in the same words', async () => {
  await app.request('POST', '/auth/handles', { body: { handle: 'grace', password } });
  const { status, body, cookies } = await logIn({ handle: 'grace', password });
  expect([status, body.user.role]).toEqual([200, 'member']);
  expect(cookies).toHaveProperty('refresh_token');
  const wrong = await logIn({ handle: 'grace', password: 'Wrong-Horse-7-Battery' });
  const unknown = await logIn({ handle: 'nobody-has-this', password });
  expect([wrong.status, wrong.body.code]).toEqual([401, 'credentials_wrong']);
  expect([unknown.status, unknown.body.detail]).toEqual([401, wrong.body.detail]);
  for (const bad of [{ handle: 'grace' }, { handle: 'G', password }, { email: 'a@b.example', password }])
    expect((await logIn(bad)).body.code).toBe('field_invalid');
});

test('a suspended account is refused, with the reason only for the right password', async () => {
  await app.request('POST', '/auth/handles', { body: { handle: 'hopper', password } });
  await app.sql.run(sql`update users set suspended_at = now() where handle = 'hopper'`);
  expect((await logIn({ handle: 'hopper', password })).body.code).toBe('account_suspended');
  expect((await logIn({ handle: 'hopper', password: 'Wrong-Horse-7-Battery' })).body.code).toBe(
    'credentials_wrong',
  );
});

test('wrong passwords for a handle say nothing about its address, and both are limited', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const email = createEmail();
  let sender = 1;
  // Each from an address of its own, so that only the count of guesses at the account can refuse.
  const send = (path: string, body: object, from = sender++) =>
    limited.request('POST', path, { body, headers: { 'x-forwarded-for': `192.0.2.${from}` } });
  await send('/auth/handles', { handle: 'grace', password });
  await limited.sql.run(
    sql`update users set email = ${email}, email_verified_at = now() where handle = 'grace'`,
  );
  const guess = { password: 'Wrong-Horse-7-Battery' };
  for (let tried = 0; tried < 10; tried++)
    expect((await send('/auth/handles/login', { handle: 'grace', ...guess }, 100)).status).toBe(401);
  expect((await send('/auth/handles/login', { handle: 'grace', ...guess }, 100)).status).toBe(429);
  expect((await send('/auth/login', { email, ...guess }, 100)).status).toBe(401);
  for (let tried = 0; tried < 90; tried++) await send('/auth/handles/login', { handle: 'grace', ...guess });
  expect((await send('/auth/handles/login', { handle: 'grace', ...guess })).status).toBe(429);
  expect((await send('/auth/login', { email, ...guess })).status).toBe(401);
});
