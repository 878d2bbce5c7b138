import { hash } from '@node-rs/argon2';
import * as jose from 'jose';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { sendPatiently } from '#test/send-patiently.ts';
import { password, createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { no_password } from '../passwords/passwords.ts';
import { findAccount, lockUnchangedUser, updateLastLogin } from '../store.ts';

const app = await startApp();

const logIn = (body: object, on = app) => on.request('POST', '/auth/login', { body });

describe('logging in', () => {
  it('returns a token and the user, and records the time', async () => {
    proves('auth-login-endpoint-public', 'auth-login-response-fields', 'auth-login-user-fields');
    const { email, user_id, member_id } = await app.registerMember();
    app.clock.advance(5_000);
    const { status, body } = await logIn({ email, password });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 21_600,
      user: {
        id: user_id,
        email,
        role: 'member',
        linked_entity_id: member_id,
        last_login: app.clock.now().toISOString(),
      },
    });
    expect((await app.request('GET', '/auth/me', { token: body.access_token })).body.last_login).toBe(
      body.user.last_login,
    );
  });

  it('sets a refresh cookie for a new session', async () => {
    proves('auth-login-sets-refresh-cookie');
    const { email } = await app.registerMember();
    const [one, other] = [await logIn({ email, password }), await logIn({ email, password })];
    expect(String(one.headers['set-cookie'])).toMatch(
      /^refresh_token=[\w-]{43}; Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(other.cookies['refresh_token']).not.toBe(one.cookies['refresh_token']);
  });

  it('accepts the address in upper or lower case', async () => {
    const { email } = await app.registerMember();
    expect((await logIn({ email: email.toUpperCase(), password })).status).toBe(200);
  });

  it('accepts only JSON, no HTML form, and issues a token for the REST API', async () => {
    proves('surface-email-password-for-rest-clients-only');
    const { email } = await app.registerMember();
    const form = await app.request('POST', '/auth/login', {
      raw: new URLSearchParams({ email, password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([form.status, form.headers['set-cookie']]).toEqual([415, undefined]);
    const { body, headers } = await logIn({ email, password });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(jose.decodeJwt(body.access_token)).toMatchObject({
      aud: 'http://localhost:8420/api/v1',
      client_id: 'rest',
    });
  });

  it('accepts concurrent logins while a hash with outdated parameters is replaced', async () => {
    const { email, user_id } = await app.registerMember();
    const outdated_hash = await hash(password, { memoryCost: 8_192, timeCost: 1 });
    await app.sql.run(sql`update users set password_hash = ${outdated_hash} where id = ${user_id}`);
    const replies = await Promise.all(Array.from({ length: 6 }, () => logIn({ email, password })));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  it('replaces a hash with outdated parameters, and the password still works', async () => {
    const { email, user_id } = await app.registerMember();
    const outdated_hash = await hash(password, { memoryCost: 8_192, timeCost: 1 });
    await app.sql.run(sql`update users set password_hash = ${outdated_hash} where id = ${user_id}`);
    expect((await logIn({ email, password })).status).toBe(200);
    const { password_hash } = await app.sql.one(sql<{ password_hash: string }>`
      select password_hash from users where id = ${user_id}`);
    expect(password_hash).toContain('m=19456,t=2,p=1');
    expect((await logIn({ email, password })).status).toBe(200);
  });
});

describe('a login is refused', () => {
  it('with the same reply for a wrong password and an unknown address', async () => {
    const { email } = await app.registerMember();
    const wrong = await logIn({ email, password: `${password}x` });
    const unknown = await logIn({ email: createEmail(), password });
    const readContent = ({ status, body }: typeof wrong) => [status, { ...body, request_id: undefined }];
    expect(readContent(wrong)).toEqual(readContent(unknown));
    expect([wrong.status, wrong.body.code]).toEqual([401, 'credentials_wrong']);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it('in the same time for both', async () => {
    const { email } = await app.registerMember();
    const measureLogin = async (address: string) => {
      const started = performance.now();
      await logIn({ email: address, password: `${password}x` });
      return performance.now() - started;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 21; round++) {
      // Alternates the order, so that neither is always second.
      const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const which of order)
        times[which].push(await measureLogin(which === 'known' ? email : createEmail()));
    }
    // The least of each, because other work of the machine can only add to a time.
    const ratio = Math.min(...times.unknown) / Math.min(...times.known);
    // A wide range, because a machine is never quite idle. Without the dummy hash for an unknown address, the ratio is 0.07.
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  });

  it('for a suspended account, with that reason only if the password is right', async () => {
    const { email, user_id } = await app.registerMember();
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${user_id}`);
    expect((await logIn({ email, password: `${password}x` })).body.code).toBe('credentials_wrong');
    const { status, body, headers } = await logIn({ email, password });
    expect([status, body.code]).toEqual([403, 'account_suspended']);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('for any password if the account has none', async () => {
    const { email, user_id } = await app.registerMember();
    await app.sql.run(sql`update users set password_hash = ${no_password} where id = ${user_id}`);
    for (const attempt of [password, no_password])
      expect((await logIn({ email, password: attempt })).body.code).toBe('credentials_wrong');
  });

  it('if the email address or the password is missing or malformed', async () => {
    proves('auth-login-email-required', 'auth-login-password-required');
    const findPointer = async (body: object) => (await logIn(body)).body.errors[0].pointer;
    expect(await findPointer({ password })).toBe('/email');
    expect(await findPointer({ email: createEmail() })).toBe('/password');
    expect(await findPointer({ email: 'a\u0000b@example.org', password })).toBe('/email');
    expect(await findPointer({ email: createEmail(), password: 'x'.repeat(257) })).toBe('/password');
  });
});

describe('a login whose account changed after the password was checked', () => {
  it('starts no session and issues no ticket', async () => {
    const { email, user_id } = await app.registerMember();
    for (const mfa_enabled of [false, true]) {
      const account = { ...(await findAccount(app.sql, email))!, mfa_enabled };
      await app.sql.run(sql`update users set access_version = access_version + 1 where id = ${user_id}`);
      await app.sql.transaction(async (tx) => {
        expect(await updateLastLogin(tx, account, app.clock.now())).toBeUndefined();
        expect(await lockUnchangedUser(tx, account)).toBeUndefined();
      });
    }
    expect((await logIn({ email, password })).status).toBe(200);
  });
});

describe('guessing passwords', () => {
  it('is blocked for 15 minutes after ten failures for an account from an address', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const { email } = await strict.registerMember();
    const guess = () => sendPatiently(() => logIn({ email, password: `${password}x` }, strict));
    const guesses = await Promise.all(Array.from({ length: 12 }, guess));
    expect(guesses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array<number>(10).fill(401),
      429,
      429,
    ]);
    const refusal = await logIn({ email, password }, strict);
    expect(refusal.status).toBe(429);
    expect(refusal.headers['retry-after']).toBe('900');
    expect((await logIn({ email: createEmail(), password }, strict)).status).toBe(401);
    strict.clock.advance(15 * 60_000);
    expect((await logIn({ email, password }, strict)).status).toBe(200);
  });

  it('is counted from zero again after a successful login', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const { email } = await strict.registerMember();
    for (const round of [1, 2]) {
      for (let wrong = 0; wrong < 9; wrong++) await logIn({ email, password: 'x' }, strict);
      expect([round, (await logIn({ email, password }, strict)).status]).toEqual([round, 200]);
    }
  });
});
