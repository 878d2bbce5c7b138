import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { authenticateCaller } from './authenticate-caller.ts';
import type { SignedInCaller } from '#lib/caller.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { password, type TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
let person: TestMember;
beforeAll(async () => {
  app = await startApp();
  person = await app.registerMember();
});

const me = (authorization: string) => app.request('GET', '/auth/me', { headers: { authorization } });
const codeOf = async (token: string) => {
  const { status, body } = await me(`Bearer ${token}`);
  return status === 401 ? (body.code as string) : status;
};

type Forgery = {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly key?: jose.CryptoKey | Uint8Array;
};

/** A token like our own in everything but what is given. */
async function forged({ header = {}, claims = {}, key }: Forgery = {}): Promise<string> {
  const own = app.platform.keys.selectActive('ES256');
  const genuine = jose.decodeJwt(person.token);
  return new jose.SignJWT({ ...genuine, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: own.kid, typ: 'at+jwt', ...header })
    .sign(key ?? own.privateKey, header['crit'] ? { crit: { strange: false } } : {});
}

describe('an access token', () => {
  it('is signed with ES256 unless configured otherwise, lives 21600 s, and names its session and role', async () => {
    proves(
      'auth-access-token-conflict-header-es256-sampled',
      'auth-access-token-conflict-lifetime-21600-refresh-30-days',
    );
    const header = jose.decodeProtectedHeader(person.token);
    expect(header).toEqual({ alg: 'ES256', kid: app.platform.keys.selectActive('ES256').kid, typ: 'at+jwt' });
    const { iat, exp, ...claims } = jose.decodeJwt(person.token);
    expect(exp! - iat!).toBe(21_600);
    expect(claims).toEqual({
      iss: 'http://localhost:8420',
      aud: 'http://localhost:8420/api/v1',
      sub: person.user_id,
      sid: expect.any(String),
      jti: expect.any(String),
      client_id: 'rest',
      role: 'member',
      member_id: person.member_id,
    });
  });

  it('is signed with RS256, and lives 3600 s with a refresh token of seven days, where the operator says so', async () => {
    proves(
      'auth-access-token-conflict-signed-rs256',
      'auth-access-token-conflict-lifetime-3600-refresh-7-days',
    );
    const other = await startApp({
      TESSERA_TOKEN_ALGORITHM: 'RS256',
      TESSERA_ACCESS_TOKEN_SECONDS: '3600',
      TESSERA_REFRESH_TOKEN_DAYS: '7',
    });
    const { email, token } = await other.registerMember();
    expect(jose.decodeProtectedHeader(token)['alg']).toBe('RS256');
    const { body, headers } = await other.request('POST', '/auth/login', { body: { email, password } });
    expect(body.expires_in).toBe(3_600);
    expect(String(headers['set-cookie'])).toContain('Max-Age=604800;');
    expect((await other.request('GET', '/auth/me', { token })).status).toBe(200);
    other.clock.advance(3_600_000);
    expect((await other.request('GET', '/auth/me', { token })).body.code).toBe('token_expired');
  });

  it('is taken with the scheme in any case, and still after its key was retired', async () => {
    const rotated = await startApp();
    const { token } = await rotated.registerMember();
    await rotated.platform.keys.rotate('ES256');
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(
        (await rotated.request('GET', '/auth/me', { headers: { authorization: `${scheme} ${token}` } }))
          .status,
      ).toBe(200);
  });
});

describe('a token is refused', () => {
  it('when anything about its form is unusual', async () => {
    const [header, payload, signature] = person.token.split('.') as [string, string, string];
    const strayBits =
      signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1);
    const odd = [
      '',
      'Bearer',
      'Bearer ',
      person.token,
      `Basic ${person.token}`,
      `Bearer ${header}.${payload}`,
      `Bearer ${header}.${payload}.`,
      `Bearer ${header}.${payload}.${signature}=`,
      `Bearer ${header}.${payload}.${signature}.x`,
      `Bearer ${header}.${payload}.${strayBits}`,
      `Bearer ${person.token} x`,
      `Bearer ${person.token}, Bearer ${person.token}`,
      `Bearer ${'a'.repeat(5_000)}.${payload}.${signature}`,
      `Bearer ${Buffer.from('null').toString('base64url')}.${payload}.${signature}`,
      `Bearer ${Buffer.from('not json').toString('base64url')}.${payload}.${signature}`,
    ];
    for (const authorization of odd) {
      const { status, body, headers } = await me(authorization);
      expect([authorization, status, body.code]).toEqual([authorization, 401, 'token_invalid']);
      expect(headers['www-authenticate']).toBe('Bearer realm="tessera", error="invalid_token"');
    }
  });

  it('when it was not signed by the key that it names', async () => {
    const stranger = await jose.generateKeyPair('ES256', { extractable: true });
    const jwk = await jose.exportJWK(stranger.publicKey);
    const own = app.platform.keys;
    const publicPem = await jose.exportSPKI(own.selectActive('RS256').publicKey);
    expect(await codeOf(await forged())).toBe(200);
    const forgeries: Forgery[] = [
      { key: stranger.privateKey },
      { key: stranger.privateKey, header: { jwk } },
      { header: { jwk } },
      { header: { jku: 'https://example.org/keys' } },
      { header: { x5u: 'https://example.org/chain' } },
      { header: { kid: own.selectActive('RS256').kid } },
      { header: { kid: randomUUID() } },
      { header: { kid: undefined } },
      { header: { kid: "' or true --" } },
      {
        header: { alg: 'HS256', kid: own.selectActive('RS256').kid },
        key: new TextEncoder().encode(publicPem),
      },
      { header: { typ: 'JWT' } },
      { header: { typ: undefined } },
      { header: { crit: ['strange'], strange: 1 } },
    ];
    for (const forgery of forgeries)
      expect([forgery, await codeOf(await forged(forgery))]).toEqual([forgery, 'token_invalid']);
    const [, payload, signature] = person.token.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    expect(await codeOf(`${none}.${payload}.${signature}`)).toBe('token_invalid');
  });

  it('when its claims are not exactly ours', async () => {
    const { exp, iat } = jose.decodeJwt(person.token) as { exp: number; iat: number };
    const wrong = [
      { iss: 'https://example.org' },
      { aud: 'http://localhost:8420/mcp' },
      { aud: ['http://localhost:8420/api/v1', 'http://localhost:8420/mcp'] },
      { aud: undefined },
      { sub: 'nobody' },
      { sid: undefined },
      { role: 'platform_admin' },
      { role: 'org_admin' },
      { role: 'root' },
      { member_id: undefined },
      { org_id: randomUUID() },
      { exp: undefined },
      { exp: String(exp) },
      { iat: undefined },
      { iat: iat + 61, exp: exp + 61 },
      { nbf: iat + 3_600 },
    ];
    for (const claims of wrong)
      expect([claims, await codeOf(await forged({ claims }))]).toEqual([claims, 'token_invalid']);
    expect(await codeOf(await forged({ claims: { iat: iat + 60, exp: exp + 60 } }))).toBe(200);
  });

  it('from the second on in which it expires, whether it was just verified or not', async () => {
    const own = await startApp();
    const { token } = await own.registerMember();
    const code = async () =>
      (await own.request('GET', '/auth/me', { token })).body.code as string | undefined;
    own.clock.advance(21_600_000 - 1);
    expect(await code()).toBeUndefined();
    own.clock.advance(1);
    expect(await code()).toBe('token_expired');
    own.clock.advance(120_000);
    expect(await code()).toBe('token_expired');
  });

  it('when it lives longer than tokens live now', async () => {
    const { exp, iat } = jose.decodeJwt(person.token) as { exp: number; iat: number };
    expect(await codeOf(await forged({ claims: { exp: exp + 1, iat: iat - 21_601 } }))).toBe('token_expired');
  });
});

describe('a verified token', () => {
  it('is answered without waiting, until a minute has passed or the keys change', async () => {
    const own = await startApp();
    const { token } = await own.registerMember();
    const header = `Bearer ${token}`;
    const isRemembered = () => !(authenticateCaller(own.platform, header) instanceof Promise);
    expect(isRemembered()).toBe(false);
    await authenticateCaller(own.platform, header);
    expect(isRemembered()).toBe(true);
    own.clock.advance(60_000);
    expect(isRemembered()).toBe(false);
    await authenticateCaller(own.platform, header);
    await own.platform.keys.rotate('ES256');
    expect(isRemembered()).toBe(false);
  });

  it('means nothing to another service in the same process', async () => {
    const other = await startApp();
    await authenticateCaller(app.platform, `Bearer ${person.token}`);
    await expect(authenticateCaller(other.platform, `Bearer ${person.token}`)).rejects.toMatchObject({
      code: 'token_invalid',
    });
  });
});

describe('what another process does', () => {
  it('ends sessions here within moments: a revoked session, and a suspended user for as long as they are', async () => {
    const own = await startApp();
    const [one, other] = [await own.registerMember(), await own.registerMember()];
    const code = async (token: string) =>
      (await own.request('GET', '/auth/me', { token })).body.code as string | undefined;
    expect([await code(one.token), await code(other.token)]).toEqual([undefined, undefined]);
    const now = own.clock.now();
    await own.sql.run(sql`update sessions set revoked_at = ${now} where user_id = ${one.user_id}`);
    await own.sql.run(sql`update users set suspended_at = ${now} where id = ${other.user_id}`);
    await vi.waitFor(async () => expect(await code(one.token)).toBe('token_invalid'), 5_000);
    await vi.waitFor(async () => expect(await code(other.token)).toBe('account_suspended'), 5_000);
    await own.sql.run(sql`update users set suspended_at = null where id = ${other.user_id}`);
    await vi.waitFor(async () => expect(await code(other.token)).toBeUndefined(), 5_000);
  });
});

describe('a caller', () => {
  it('is the user, the session and what the role is linked to', async () => {
    const admin = await app.registerOrgAdmin();
    const operator = await app.registerPlatformAdmin();
    const callerOf = (token: string): SignedInCaller | Promise<SignedInCaller> =>
      authenticateCaller(app.platform, `Bearer ${token}`);
    const session_id = expect.any(String) as string;
    expect(await callerOf(person.token)).toEqual({
      user_id: person.user_id,
      session_id,
      role: 'member',
      member_id: person.member_id,
    });
    expect(await callerOf(admin.token)).toEqual({
      user_id: admin.user_id,
      session_id,
      role: 'org_admin',
      org_id: admin.org_id,
    });
    expect(await callerOf(operator.token)).toEqual({
      user_id: operator.user_id,
      session_id,
      role: 'platform_admin',
    });
  });
});
