import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const clearedCookie = 'refresh_token=; Max-Age=0; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Lax';

async function registerAndLogIn() {
  const { email } = await app.registerMember();
  const { body, cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { token: body.access_token as string, cookies };
}

const readStatus = async (token: string) => (await app.request('GET', '/auth/me', { token })).status;

describe('logging out', () => {
  it('ends the session of the cookie and clears it', async () => {
    proves('auth-logout-endpoint-public', 'auth-logout-revokes-refresh-token', 'auth-logout-clears-cookie');
    const { token, cookies } = await registerAndLogIn();
    expect(await readStatus(token)).toBe(200);
    const { status, body, headers } = await app.request('POST', '/auth/logout', { cookies });
    expect([status, body, String(headers['set-cookie'])]).toEqual([204, '', clearedCookie]);
    expect(await readStatus(token)).toBe(401);
    expect((await app.request('POST', '/auth/refresh', { cookies })).body.code).toBe('refresh_token_invalid');
  });

  it('ends the session of the access token if no cookie is sent', async () => {
    const { token, cookies } = await registerAndLogIn();
    expect((await app.request('POST', '/auth/logout', { token })).status).toBe(204);
    expect(await readStatus(token)).toBe(401);
    expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
  });

  it('succeeds without a session, with an unknown cookie, and twice', async () => {
    const { cookies } = await registerAndLogIn();
    for (const credentials of [{}, { cookies: { refresh_token: 'unknown' } }, { cookies }, { cookies }])
      expect((await app.request('POST', '/auth/logout', credentials)).status).toBe(204);
  });

  it('does not log out other users', async () => {
    const [one, other] = [await registerAndLogIn(), await registerAndLogIn()];
    await app.request('POST', '/auth/logout', { cookies: one.cookies });
    expect(await readStatus(other.token)).toBe(200);
  });

  it('by the cookie is refused for a page of another site, also of a sibling domain, and ends nothing', async () => {
    const { token, cookies } = await registerAndLogIn();
    for (const origin of ['https://evil.example', 'http://app.localhost:8420', 'null', '']) {
      for (const credentials of [{ cookies }, { cookies, token }, {}]) {
        const headers = { origin, 'sec-fetch-site': 'same-site' };
        const refused = await app.request('POST', '/auth/logout', { ...credentials, headers });
        expect([refused.status, refused.body.code]).toEqual([403, 'origin_not_allowed']);
        expect(refused.headers['set-cookie']).toBeUndefined();
      }
    }
    expect(await readStatus(token)).toBe(200);
    const headers = { origin: 'http://localhost:8420' };
    expect((await app.request('POST', '/auth/logout', { cookies, headers })).status).toBe(204);
    expect(await readStatus(token)).toBe(401);
  });

  it('by an access token alone works from the pages of any site', async () => {
    const { token } = await registerAndLogIn();
    const headers = { origin: 'https://app.example' };
    expect((await app.request('POST', '/auth/logout', { token, headers })).status).toBe(204);
    expect(await readStatus(token)).toBe(401);
  });

  it('rejects an unknown field', async () => {
    expect((await app.request('POST', '/auth/logout', { body: { all: true } })).status).toBe(422);
  });
});
