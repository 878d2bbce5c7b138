import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const refresh = (refresh_token?: string, headers = {}) =>
  app.request('POST', '/auth/refresh', {
    ...(refresh_token !== undefined && { cookies: { refresh_token } }),
    headers,
  });
const me = (token: string) => app.request('GET', '/auth/me', { token });

async function signedIn() {
  const { email, user_id } = await app.registerMember();
  const { body, cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { user_id, email, token: body.access_token as string, cookie: cookies['refresh_token']! };
}

describe('refreshing', () => {
  it('gives a new access token and a new cookie for the cookie alone', async () => {
    proves('auth-refresh-endpoint-public', 'auth-refresh-response-fields', 'auth-refresh-sets-new-cookie');
    const { cookie, user_id } = await signedIn();
    const { status, body, cookies, headers } = await refresh(cookie);
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 21_600 });
    expect(String(headers['set-cookie'])).toMatch(
      /Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(cookies['refresh_token']).not.toBe(cookie);
    expect((await me(body.access_token)).body.id).toBe(user_id);
  });

  it('goes on for as long as each refresh comes within thirty days', async () => {
    let { cookie } = await signedIn();
    for (let month = 0; month < 3; month++) {
      app.clock.advance(29 * 86_400_000);
      const { status, cookies } = await refresh(cookie);
      expect(status).toBe(200);
      cookie = cookies['refresh_token']!;
    }
  });
});

describe('a refresh is refused', () => {
  it('without a cookie, with a strange one, and with one that another site sent', async () => {
    const { cookie } = await signedIn();
    const answers = [
      await refresh(),
      await refresh('x'),
      await refresh(cookie, { 'sec-fetch-site': 'cross-site' }),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body.code]).toEqual([401, 'refresh_token_invalid']);
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('after thirty days, and the user logs in again', async () => {
    proves('auth-refresh-expired-or-revoked-needs-login');
    const { cookie, email } = await signedIn();
    app.clock.advance(30 * 86_400_000);
    expect((await refresh(cookie)).body.code).toBe('refresh_token_invalid');
    const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
    await app.request('POST', '/auth/logout', { cookies });
    expect((await refresh(cookies['refresh_token'])).body.code).toBe('refresh_token_invalid');
  });

  it('for a suspended user', async () => {
    const { cookie, user_id } = await signedIn();
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${user_id}`);
    const { status, body } = await refresh(cookie);
    expect([status, body.code]).toEqual([403, 'account_suspended']);
  });
});

describe('a second use of a refresh token', () => {
  it('ends the whole family: its newest refresh token and its access tokens', async () => {
    proves('auth-refresh-rotates-and-revokes-old');
    const { cookie, token } = await signedIn();
    const winner = await refresh(cookie);
    const newest = winner.cookies['refresh_token'];
    expect((await refresh(cookie)).body.code).toBe('refresh_token_invalid');
    expect((await refresh(newest)).body.code).toBe('refresh_token_invalid');
    for (const each of [token, winner.body.access_token])
      expect((await me(each)).body.code).toBe('token_invalid');
  });

  it('leaves the user’s other sessions alone', async () => {
    const { cookie, email } = await signedIn();
    const other = await app.request('POST', '/auth/login', { body: { email, password } });
    await refresh(cookie);
    await refresh(cookie);
    expect((await me(other.body.access_token)).status).toBe(200);
    expect((await refresh(other.cookies['refresh_token'])).status).toBe(200);
  });

  it('has one winner among fifty at once, and ends the session', async () => {
    // More rounds than one, because the first finds the connections still to be opened, one after the other.
    for (let round = 0; round < 4; round++) {
      const { cookie } = await signedIn();
      const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(cookie)));
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'refresh_token_invalid')).toHaveLength(49);
      expect((await refresh(winners[0]!.cookies['refresh_token'])).status).toBe(401);
    }
  });
});
