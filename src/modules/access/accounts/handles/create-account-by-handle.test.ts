import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createAuthenticator, logInByPasskey } from '#test/modules/passkeys.ts';
import { createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();
const password = 'Correct-Horse-7-Battery';
const create = (body: object, key?: string) =>
  app.request('POST', '/auth/handles', {
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const countUsers = async () => (await app.sql.list(sql`select from users`)).length;

test('an account is created when its person chooses a handle, without an email address', async () => {
  proves('surface-connector-account-created-on-handle');
  const { status, body, cookies } = await create({ handle: 'ada-lind', password }, 'first');
  expect([status, body.verification_email_sent]).toEqual([201, false]);
  expect(body.user).toMatchObject({ handle: 'ada-lind', email: null, role: 'member' });
  expect(cookies).toHaveProperty('refresh_token');
  const token = body.access_token;
  const me = await app.request('GET', '/auth/me', { token });
  expect(me.body).toMatchObject({
    handle: 'ada-lind',
    email: null,
    email_verified: false,
    display_name: 'ada-lind',
  });
  expect((await create({ handle: 'ada-lind', password }, 'first')).body.user.id).toBe(body.user.id);
  // What needs an address says so, and the rest works.
  const resend = await app.request('POST', '/auth/resend-verification', { token, body: {} });
  expect([resend.status, resend.body.code]).toEqual([409, 'email_missing']);
  expect((await app.request('POST', '/members/me/assessment', { token, body: {} })).status).toBeLessThan(500);
  expect((await app.request('GET', '/members/me/engagement', { token })).body.engagement_level).toBe(1);
});

test('a handle is unique, also against one that looks the same, and kept from the staff’s names', async () => {
  proves('open-undefined-handle');
  expect((await create({ handle: 'bobby', password })).status).toBe(201);
  const before = await countUsers();
  for (const handle of ['bobby', 'b0bby', 'support']) {
    const { status, body } = await create({ handle, password });
    expect([status, body.code, body.errors[0].pointer]).toEqual([409, 'handle_taken', '/handle']);
  }
  const rivals = await Promise.all(Array.from({ length: 4 }, () => create({ handle: 'rival', password })));
  expect(rivals.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 409, 409, 409,
  ]);
  expect(await countUsers()).toBe(before + 1);
});

test('an address belongs to the account once it is verified, and to nobody before', async () => {
  const email = createEmail();
  const { body } = await create({ handle: 'mailed', password, email });
  expect(body).toMatchObject({ verification_email_sent: true, user: { email: null } });
  await app.drainQueue();
  const mail = (await app.readMails()).find(({ to }) => to === email);
  const emailed = /token=([\w-]+)/.exec(mail!.text)![1];
  expect((await app.request('POST', '/auth/verify-email', { body: { token: emailed } })).status).toBe(204);
  const me = await app.request('GET', '/auth/me', { token: body.access_token });
  expect(me.body).toMatchObject({ email, email_verified: true, handle: 'mailed' });
  const taken = await create({ handle: 'second-one', password, email });
  expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
});

test('a passkey opens an account without a password, and is its last way in', async () => {
  const ask = (body: object) => app.request('POST', '/auth/passkeys/challenge', { body });
  const { body: asked } = await ask({ purpose: 'create_account', handle: 'keyed' });
  expect(asked.public_key.user).toMatchObject({ name: 'keyed', displayName: 'keyed' });
  const authenticator = createAuthenticator(app.platform.config.publicUrl);
  const passkey = authenticator.create(asked.public_key);
  const { status, body } = await create({ handle: 'keyed', passkey });
  expect(status).toBe(201);
  expect(Buffer.from(body.user.id.replaceAll('-', ''), 'hex').toString('base64url')).toBe(
    asked.public_key.user.id,
  );
  expect((await logInByPasskey(app, authenticator)).body.user.id).toBe(body.user.id);
  expect((await create({ handle: 'keyed-again', passkey })).body.code).toBe('passkey_challenge_invalid');
  const token = body.access_token;
  const { data } = (await app.request('GET', '/auth/passkeys', { token })).body;
  const removal = await app.request('DELETE', `/auth/passkeys/${data[0].id}`, { token });
  expect([removal.status, removal.body.code]).toEqual([409, 'passkey_needed']);
  expect((await ask({ purpose: 'create_account' })).body.errors[0].pointer).toBe('/handle');
});

test('bad input is refused by its field, and creates nothing', async () => {
  const before = await countUsers();
  const { public_key } = (
    await app.request('POST', '/auth/passkeys/challenge', { body: { purpose: 'log_in' } })
  ).body;
  const options = { ...public_key, rp: { id: public_key.rpId }, user: { id: 'DJ1aHnpUTwuPLT4bany9kA' } };
  const foreign = createAuthenticator(app.platform.config.publicUrl).create(options);
  for (const [body, code] of [
    [{ handle: 'ab', password }, 'field_invalid'],
    [{ password }, 'field_invalid'],
    [{ handle: 'nothing' }, 'field_invalid'],
    [{ handle: 'both', password, passkey: foreign }, 'field_invalid'],
    [{ handle: 'weak', password: 'weak' }, 'password_too_weak'],
    [{ handle: 'addressed', password, email: 'none' }, 'field_invalid'],
    [{ handle: 'foreign', passkey: foreign }, 'passkey_challenge_invalid'],
    [{ handle: 'ranked', password, role: 'platform_admin' }, 'field_invalid'],
  ] as const)
    expect((await create(body)).body.code).toBe(code);
  expect(await countUsers()).toBe(before);
});

test('one network creates at most thirty accounts an hour, and refused attempts count for nothing', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const send = (handle: string, from = '192.0.2.7') =>
    limited.request('POST', '/auth/handles', {
      body: { handle, password },
      headers: { 'x-forwarded-for': from },
    });
  for (let created = 0; created < 30; created++) expect((await send(`person-${created}`)).status).toBe(201);
  const { status, body, headers } = await send('person-30');
  expect([status, body.code, Number(headers['retry-after']) > 3_000]).toEqual([
    429,
    'too_many_requests',
    true,
  ]);
  expect((await send('person-31', '198.51.100.9')).status).toBe(201);
  limited.clock.advance(3_600_001);
  expect((await send('person-30')).status).toBe(201);
});
