import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { repeat_seconds } from '../rules.ts';

const app = await startApp();

const refresh = (refresh_token?: string, headers = {}) =>
  app.request('POST', '/auth/refresh', {
    ...(refresh_token !== undefined && { cookies: { refresh_token } }),
    headers,
  });
const readMe = (token: string) => app.request('GET', '/auth/me', { token });

async function registerAndLogIn() {
  const { email, user_id } = await app.registerMember();
  const { body, cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { user_id, email, token: body.access_token as string, cookie: cookies['refresh_token']! };
}

describe('refreshing', () => {
  it('returns a new access token and sets a new cookie, with only the cookie as credential', async () => {
    proves('auth-refresh-endpoint-public', 'auth-refresh-response-fields', 'auth-refresh-sets-new-cookie');
    const { cookie, user_id } = await registerAndLogIn();
    const { status, body, cookies, headers } = await refresh(cookie);
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 21_600 });
    expect(String(headers['set-cookie'])).toMatch(
      /Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(cookies['refresh_token']).not.toBe(cookie);
    expect((await readMe(body.access_token)).body.id).toBe(user_id);
  });

  it('extends the session as long as each refresh follows within thirty days', async () => {
    let { cookie } = await registerAndLogIn();
    for (let month = 0; month < 3; month++) {
      app.clock.advance(29 * 86_400_000);
      const { status, cookies } = await refresh(cookie);
      expect(status).toBe(200);
      cookie = cookies['refresh_token']!;
    }
  });
});

describe('a refresh is refused', () => {
  it('for a page of another site, also of a sibling domain, and then the cookie stays valid', async () => {
    const { cookie } = await registerAndLogIn();
    for (const origin of [
      'https://evil.example',
      'http://app.localhost:8420',
      'https://localhost:8420',
      'null',
    ]) {
      const { status, body, headers } = await refresh(cookie, { origin, 'sec-fetch-site': 'same-site' });
      expect([status, body.code, headers['set-cookie']]).toEqual([403, 'origin_not_allowed', undefined]);
    }
    expect((await refresh(cookie, { origin: 'http://localhost:8420' })).status).toBe(200);
  });

  it('without a cookie, with an unknown cookie, and for a cross-site request', async () => {
    const { cookie } = await registerAndLogIn();
    const replies = [
      await refresh(),
      await refresh('x'),
      await refresh(cookie, { 'sec-fetch-site': 'cross-site' }),
    ];
    for (const { status, body, headers } of replies) {
      expect([status, body.code]).toEqual([401, 'refresh_token_invalid']);
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('after thirty days and after a logout, so that the user must log in again', async () => {
    proves('auth-refresh-expired-or-revoked-needs-login');
    const { cookie, email } = await registerAndLogIn();
    app.clock.advance(30 * 86_400_000);
    expect((await refresh(cookie)).body.code).toBe('refresh_token_invalid');
    const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
    await app.request('POST', '/auth/logout', { cookies });
    expect((await refresh(cookies['refresh_token'])).body.code).toBe('refresh_token_invalid');
  });

  it('for a suspended user', async () => {
    const { cookie, user_id } = await registerAndLogIn();
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${user_id}`);
    const { status, body } = await refresh(cookie);
    expect([status, body.code]).toEqual([403, 'account_suspended']);
  });
});

describe('a second use of a refresh token', () => {
  it('revokes the whole family: the newest refresh token and all access tokens', async () => {
    proves('auth-refresh-rotates-and-revokes-old');
    const { cookie, token } = await registerAndLogIn();
    const winner = await refresh(cookie);
    const newest = winner.cookies['refresh_token'];
    app.clock.advance(repeat_seconds * 1000);
    expect((await refresh(cookie)).body.code).toBe('refresh_token_invalid');
    expect((await refresh(newest)).body.code).toBe('refresh_token_invalid');
    for (const each of [token, winner.body.access_token])
      expect((await readMe(each)).body.code).toBe('token_invalid');
  });

  it('does not end the user’s other sessions', async () => {
    const { cookie, email } = await registerAndLogIn();
    const other = await app.request('POST', '/auth/login', { body: { email, password } });
    await refresh(cookie);
    app.clock.advance(repeat_seconds * 1000);
    await refresh(cookie);
    expect((await readMe(other.body.access_token)).status).toBe(200);
    expect((await refresh(other.cookies['refresh_token'])).status).toBe(200);
  });

  it('within ten seconds gets the same successor, and ends nothing', async () => {
    const { cookie } = await registerAndLogIn();
    const lost = await refresh(cookie);
    app.clock.advance(repeat_seconds * 1000 - 1);
    const repeated = await refresh(cookie);
    expect([repeated.status, repeated.cookies]).toEqual([200, lost.cookies]);
    for (const { body } of [lost, repeated]) expect((await readMe(body.access_token)).status).toBe(200);
    expect((await refresh(repeated.cookies['refresh_token'])).status).toBe(200);
  });

  it('ends the session also within ten seconds once somebody has used the successor', async () => {
    const { cookie } = await registerAndLogIn();
    const first = await refresh(cookie);
    const second = await refresh(first.cookies['refresh_token']);
    expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(second.cookies['refresh_token'])).status).toBe(401);
    expect((await readMe(second.body.access_token)).status).toBe(401);
  });

  it('opens no session that has ended in the meantime', async () => {
    const { cookie } = await registerAndLogIn();
    const { cookies } = await refresh(cookie);
    await app.request('POST', '/auth/logout', { cookies });
    expect((await refresh(cookie)).status).toBe(401);
  });

  it('gets one successor in all of fifty concurrent requests, and the session goes on', async () => {
    // Several rounds, because in the first one the database connections are opened one after the other.
    for (let round = 0; round < 4; round++) {
      const { cookie } = await registerAndLogIn();
      const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(cookie)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      const successors = new Set(replies.map(({ cookies }) => cookies['refresh_token']));
      expect(successors.size).toBe(1);
      expect((await refresh([...successors][0])).status).toBe(200);
    }
  });
});
