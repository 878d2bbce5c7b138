import { beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const cleared = 'refresh_token=; Max-Age=0; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Lax';

async function signedIn() {
  const { email } = await app.registerMember();
  const { body, cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { token: body.access_token as string, cookies };
}

const meStatus = async (token: string) => (await app.request('GET', '/auth/me', { token })).status;

describe('logging out', () => {
  it('ends the session of the cookie and clears it', async () => {
    proves('auth-logout-endpoint-public', 'auth-logout-revokes-refresh-token', 'auth-logout-clears-cookie');
    const { token, cookies } = await signedIn();
    expect(await meStatus(token)).toBe(200);
    const { status, body, headers } = await app.request('POST', '/auth/logout', { cookies });
    expect([status, body, String(headers['set-cookie'])]).toEqual([204, '', cleared]);
    expect(await meStatus(token)).toBe(401);
    expect((await app.request('POST', '/auth/refresh', { cookies })).body.code).toBe('refresh_token_invalid');
  });

  it('ends the session of the access token where the client keeps no cookie', async () => {
    const { token, cookies } = await signedIn();
    expect((await app.request('POST', '/auth/logout', { token })).status).toBe(204);
    expect(await meStatus(token)).toBe(401);
    expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
  });

  it('succeeds without a session, with a strange cookie, and twice', async () => {
    const { cookies } = await signedIn();
    for (const sent of [{}, { cookies: { refresh_token: 'strange' } }, { cookies }, { cookies }])
      expect((await app.request('POST', '/auth/logout', sent)).status).toBe(204);
  });

  it('leaves everybody else signed in', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await app.request('POST', '/auth/logout', { cookies: one.cookies });
    expect(await meStatus(other.token)).toBe(200);
  });

  it('takes no fields', async () => {
    expect((await app.request('POST', '/auth/logout', { body: { all: true } })).status).toBe(422);
  });
});
