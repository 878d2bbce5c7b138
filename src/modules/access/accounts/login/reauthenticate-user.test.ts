import * as jose from 'jose';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { computeTotpCode, enableMfa, findWrongCode } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { addTestPasskey, requestOptions, type Faults } from '#test/modules/passkeys.ts';

const quarter_hour_ms = 15 * 60_000;

const app = await startApp();

const sendReauthentication = (token: string | undefined, body: object, on = app) =>
  on.request('POST', '/auth/reauthenticate', { ...(token !== undefined && { token }), body });
const requestSetup = (token: string) => app.request('POST', '/auth/mfa/setup', { token, body: {} });

describe('an access token', () => {
  it('says when the user logged in, even after a refresh', async () => {
    const { email, password } = await app.registerMember();
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    const logged_in_s = app.clock.now().getTime() / 1000;
    expect(jose.decodeJwt(login.body.access_token)['auth_time']).toBe(logged_in_s);
    app.clock.advance(3_600_000);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: login.cookies, body: {} });
    expect(jose.decodeJwt(refreshed.body.access_token)['auth_time']).toBe(logged_in_s);
    const { status, body } = await requestSetup(refreshed.body.access_token);
    expect([status, body.code]).toEqual([403, 'recent_authentication_required']);
  });

  it('allows changes to the account for 15 minutes, and not a second longer', async () => {
    const { token } = await app.registerMember();
    app.clock.advance(quarter_hour_ms);
    expect((await requestSetup(token)).status).toBe(200);
    app.clock.advance(1_000);
    const { status, body } = await requestSetup(token);
    expect([status, body.code]).toEqual([403, 'recent_authentication_required']);
    expect((await app.request('GET', '/auth/me', { token })).status).toBe(200);
  });

  it('from before the service wrote auth_time still works, but not for changes to the account', async () => {
    const { token } = await app.registerMember();
    const key = app.platform.keys.selectActive('access_token');
    const { auth_time: _auth_time, ...claims } = jose.decodeJwt(token);
    const old = await new jose.SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt' })
      .sign(key.privateKey);
    expect((await app.request('GET', '/auth/me', { token: old })).status).toBe(200);
    expect((await requestSetup(old)).body.code).toBe('recent_authentication_required');
  });
});

describe('reauthentication', () => {
  it('by password returns a fresh token of the same session, which a refresh keeps fresh', async () => {
    const { email, password, user_id } = await app.registerMember();
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    app.clock.advance(3_600_000);
    const { status, body } = await sendReauthentication(login.body.access_token, { password });
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 21_600 },
    ]);
    const [before, after] = [login.body.access_token, body.access_token].map((token: string) =>
      jose.decodeJwt(token),
    );
    expect(after!['sid']).toBe(before!['sid']);
    expect(after!['auth_time']).toBe(app.clock.now().getTime() / 1000);
    expect((await requestSetup(body.access_token)).status).toBe(200);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: login.cookies, body: {} });
    expect((await requestSetup(refreshed.body.access_token)).status).toBe(200);
    const sessions = await app.sql.list(sql`select from sessions where user_id = ${user_id}`);
    expect(sessions, 'the registration and the login').toHaveLength(2);
  });

  it('leaves the old token as it is, so that a stolen copy gains nothing', async () => {
    const { token, password } = await app.registerMember();
    app.clock.advance(3_600_000);
    await sendReauthentication(token, { password });
    expect((await requestSetup(token)).body.code).toBe('recent_authentication_required');
  });

  it('works by a code of the authenticator app, once, for every role', async () => {
    for (const register of [
      () => app.registerMember(),
      () => app.registerOrgAdmin(),
      () => app.registerPlatformAdmin(),
    ]) {
      const user = await register();
      const { secret } = await enableMfa(app, user);
      app.clock.advance(3_600_000);
      const code = computeTotpCode(secret, app.clock);
      const { status, body } = await sendReauthentication(user.token, { code });
      expect(status).toBe(200);
      const again = await sendReauthentication(body.access_token, { code });
      expect([again.status, again.body.code]).toEqual([422, 'totp_code_wrong']);
      const disabled = await app.request('POST', '/auth/mfa/disable', {
        token: body.access_token,
        body: { code: computeTotpCode(secret, app.clock, 1) },
      });
      expect(disabled.status).toBe(204);
    }
  });

  it('is refused for a wrong password or code, and names the field', async () => {
    const member = await app.registerMember();
    const { secret } = await enableMfa(app, member);
    const other = await app.registerMember();
    const wrong = await sendReauthentication(member.token, { password: 'Wrong-Horse-7-Battery' });
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].pointer]).toEqual([
      422,
      'password_wrong',
      '/password',
    ]);
    const code = await sendReauthentication(member.token, { code: findWrongCode(secret, app.clock) });
    expect([code.status, code.body.code, code.body.errors[0].pointer]).toEqual([
      422,
      'totp_code_wrong',
      '/code',
    ]);
    const foreign = await sendReauthentication(other.token, { code: computeTotpCode(secret, app.clock) });
    expect([foreign.status, foreign.body.code]).toEqual([409, 'mfa_not_enabled']);
  });

  it('is refused for neither, both, or malformed fields, and without a token', async () => {
    const { token, password } = await app.registerMember();
    for (const body of [
      {},
      { password, code: '123456' },
      { code: '12345' },
      { password: 7 },
      { passkey: {} },
      { passkey: {}, password },
    ]) {
      const { status, body: problem } = await sendReauthentication(token, body);
      expect([status, problem.code]).toEqual([422, 'field_invalid']);
    }
    expect((await sendReauthentication(undefined, { password })).body.code).toBe('authentication_required');
  });

  it('gives an account without a password no token for any password', async () => {
    const { token, user_id, password } = await app.registerMember();
    await app.sql.run(sql`update users set password_hash = '!' where id = ${user_id}`);
    const { status, body } = await sendReauthentication(token, { password });
    expect([status, body.code]).toEqual([409, 'account_without_password']);
  });

  it('is refused after ten wrong passwords, which a login then counts too', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const { token, email, password } = await strict.registerMember();
    const statuses = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await sendReauthentication(token, { password: `Wrong-${guess}-Horse` }, strict)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    expect((await strict.request('POST', '/auth/login', { body: { email, password } })).status).toBe(429);
    strict.clock.advance(quarter_hour_ms);
    expect((await sendReauthentication(token, { password }, strict)).status).toBe(200);
  });

  it('gives no token to a session that another process has just ended', async () => {
    const { token, user_id, password } = await app.registerMember();
    await app.sql.run(sql`update sessions set revoked_at = ${app.clock.now()} where user_id = ${user_id}`);
    const { status, body } = await sendReauthentication(token, { password });
    expect([status, body.code]).toEqual([401, 'token_invalid']);
  });

  it('by a passkey gives a token that allows changes, and needs a challenge of its own', async () => {
    const [member, other] = [await app.registerMember(), await app.registerMember()];
    const { authenticator, id } = await addTestPasskey(app, member);
    const { authenticator: foreign } = await addTestPasskey(app, other);
    app.clock.advance(quarter_hour_ms + 1_000);
    const prove = async (faults?: Faults) => {
      const options = await requestOptions(app, 'reauthenticate', member.token);
      return sendReauthentication(member.token, { passkey: authenticator.get(options, faults) });
    };
    const { status, body } = await prove({ user_handle: undefined });
    expect(status).toBe(200);
    const removed = await app.request('DELETE', `/auth/passkeys/${id}`, { token: body.access_token });
    expect(removed.status).toBe(204);
    expect((await requestChallenge(member.token)).body.code).toBe('passkey_not_found');
    const options = await requestOptions(app, 'reauthenticate', other.token);
    const wrong = await sendReauthentication(member.token, { passkey: foreign.get(options) });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'passkey_refused']);
    const challenge = (await requestOptions(app, 'log_in')).challenge;
    const unbound = await sendReauthentication(other.token, { passkey: foreign.get(options, { challenge }) });
    expect([unbound.status, unbound.body.code]).toEqual([410, 'passkey_challenge_invalid']);
  });
});

const requestChallenge = (token: string) =>
  app.request('POST', '/auth/passkeys/challenge', { token, body: { purpose: 'reauthenticate' } });
