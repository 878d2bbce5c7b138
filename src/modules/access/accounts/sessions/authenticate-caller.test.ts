import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { describe, expect, it } from 'vitest';
import type { LoggedInCaller } from '#lib/caller.ts';
import { sql } from '#platform/database/database.ts';
import { signJws } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { authenticateCaller } from './authenticate-caller.ts';

const app = await startApp();
const member = await app.registerMember();

const readMe = (authorization: string) => app.request('GET', '/auth/me', { headers: { authorization } });
const readCode = async (token: string) => {
  const { status, body } = await readMe(`Bearer ${token}`);
  return status === 401 ? (body.code as string) : status;
};

type Forgery = {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly key?: jose.CryptoKey | Uint8Array;
};

/** Signs a token that equals a genuine one except for the given parts. */
async function forgeToken({ header = {}, claims = {}, key }: Forgery = {}): Promise<string> {
  const activeKey = app.platform.keys.selectActive('access_token');
  const genuine = jose.decodeJwt(member.token);
  return new jose.SignJWT({ ...genuine, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: activeKey.kid, typ: 'at+jwt', ...header })
    .sign(key ?? activeKey.privateKey, header['crit'] ? { crit: { strange: false } } : {});
}

describe('an access token', () => {
  it('is signed with ES256 by default, expires after 21600 s, and contains its session and role', async () => {
    proves(
      'auth-access-token-conflict-header-es256-sampled',
      'auth-access-token-conflict-lifetime-21600-refresh-30-days',
    );
    const header = jose.decodeProtectedHeader(member.token);
    expect(header).toEqual({
      alg: 'ES256',
      kid: app.platform.keys.selectActive('access_token').kid,
      typ: 'at+jwt',
    });
    const { iat, exp, ...claims } = jose.decodeJwt(member.token);
    expect(exp! - iat!).toBe(21_600);
    expect(claims).toEqual({
      iss: 'http://localhost:8420',
      aud: 'http://localhost:8420/api/v1',
      sub: member.user_id,
      sid: expect.any(String),
      jti: expect.any(String),
      auth_time: app.clock.now().getTime() / 1000,
      client_id: 'rest',
      role: 'member',
      member_id: member.member_id,
    });
  });

  it('is signed with RS256 and expires after 3600 s, with a refresh token of seven days, if so configured', async () => {
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

  it('is accepted with the scheme in upper or lower case, and until it expires after its key is retired', async () => {
    const rotated = await startApp();
    const { token } = await rotated.registerMember();
    await rotated.platform.keys.rotate('access_token');
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(
        (await rotated.request('GET', '/auth/me', { headers: { authorization: `${scheme} ${token}` } }))
          .status,
      ).toBe(200);
    rotated.clock.advance(21_599_999);
    expect((await rotated.request('GET', '/auth/me', { token })).status).toBe(200);
    rotated.clock.advance(1);
    expect((await rotated.request('GET', '/auth/me', { token })).body.code).toBe('token_expired');
  });
});

describe('the thief of a signing key', () => {
  const margin_ms = 60_000;
  const lifetime_ms = 21_600_000;

  /** A token of a platform administrator that does not exist, with a correct signature. */
  const forgeAdmin = (service: TestApp, key: SigningKey, issued_at_ms: number) => {
    const iat = Math.floor(issued_at_ms / 1000);
    return signJws(
      key,
      { kid: key.kid, typ: 'at+jwt' },
      {
        sid: randomUUID(),
        role: 'platform_admin',
        client_id: 'rest',
        iss: service.platform.config.publicUrl,
        aud: `${service.platform.config.publicUrl}/api/v1`,
        sub: randomUUID(),
        iat,
        exp: iat + 100 * 365 * 86_400,
        jti: randomUUID(),
      },
    );
  };
  const listAllCredentials = (service: TestApp, token: string) =>
    service.request('GET', '/credentials/', { token });

  it('creates no administrator with a retired key once the last token’s life is over, whatever date the token has', async () => {
    const service = await startApp();
    const { keys } = service.platform;
    const stolen = keys.selectActive('access_token');
    const retired_ms = service.clock.now().getTime();
    const early = forgeAdmin(service, stolen, retired_ms);
    // The control: while the key is active, such a token is an administrator.
    expect((await listAllCredentials(service, early)).status).toBe(200);
    await keys.rotate('access_token');
    service.clock.advance(margin_ms + 1_000);
    const dated = forgeAdmin(service, stolen, service.clock.now().getTime());
    expect((await listAllCredentials(service, dated)).body.code).toBe('token_invalid');
    const backdated = forgeAdmin(service, stolen, retired_ms + margin_ms);
    expect((await listAllCredentials(service, backdated)).status).toBe(200);
    service.clock.set(new Date(retired_ms + margin_ms + lifetime_ms));
    for (const token of [early, dated, backdated])
      expect((await listAllCredentials(service, token)).status).toBe(401);
    for (const issued_at_ms of [retired_ms + margin_ms, service.clock.now().getTime()])
      expect((await listAllCredentials(service, forgeAdmin(service, stolen, issued_at_ms))).status).toBe(401);
  });

  it('creates no administrator with a key of credentials, neither an active nor a retired one', async () => {
    const service = await startApp();
    const active = service.platform.keys.selectActive('credential');
    const now_ms = service.clock.now().getTime();
    expect((await listAllCredentials(service, forgeAdmin(service, active, now_ms))).body.code).toBe(
      'token_invalid',
    );
    await service.platform.keys.rotate('credential');
    expect((await listAllCredentials(service, forgeAdmin(service, active, now_ms))).status).toBe(401);
  });

  it('creates no administrator with a revoked key, even if the token was accepted before', async () => {
    const service = await startApp();
    const stolen = service.platform.keys.selectActive('access_token');
    const token = forgeAdmin(service, stolen, service.clock.now().getTime());
    expect((await listAllCredentials(service, token)).status).toBe(200);
    await service.platform.keys.revoke(stolen.kid);
    expect((await listAllCredentials(service, token)).body.code).toBe('token_invalid');
  });
});

describe('a token is refused', () => {
  it('if its form is unusual in any way', async () => {
    const [header, payload, signature] = member.token.split('.') as [string, string, string];
    const strayBits =
      signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1);
    const malformed = [
      '',
      'Bearer',
      'Bearer ',
      member.token,
      `Basic ${member.token}`,
      `Bearer ${header}.${payload}`,
      `Bearer ${header}.${payload}.`,
      `Bearer ${header}.${payload}.${signature}=`,
      `Bearer ${header}.${payload}.${signature}.x`,
      `Bearer ${header}.${payload}.${strayBits}`,
      `Bearer ${member.token} x`,
      `Bearer ${member.token}, Bearer ${member.token}`,
      `Bearer ${'a'.repeat(5_000)}.${payload}.${signature}`,
      `Bearer ${Buffer.from('null').toString('base64url')}.${payload}.${signature}`,
      `Bearer ${Buffer.from('not json').toString('base64url')}.${payload}.${signature}`,
    ];
    for (const authorization of malformed) {
      const { status, body, headers } = await readMe(authorization);
      expect([authorization, status, body.code]).toEqual([authorization, 401, 'token_invalid']);
      expect(headers['www-authenticate']).toBe('Bearer realm="tessera", error="invalid_token"');
    }
  });

  it('if it was not signed with the key that its header names', async () => {
    const stranger = await jose.generateKeyPair('ES256', { extractable: true });
    const jwk = await jose.exportJWK(stranger.publicKey);
    const { keys } = app.platform;
    const publicPem = await jose.exportSPKI(keys.selectActive('access_token', 'RS256').publicKey);
    expect(await readCode(await forgeToken())).toBe(200);
    const forgeries: Forgery[] = [
      { key: stranger.privateKey },
      { key: stranger.privateKey, header: { jwk } },
      { header: { jwk } },
      { header: { jku: 'https://example.org/keys' } },
      { header: { x5u: 'https://example.org/chain' } },
      { header: { kid: keys.selectActive('access_token', 'RS256').kid } },
      { header: { kid: randomUUID() } },
      { header: { kid: undefined } },
      { header: { kid: "' or true --" } },
      {
        header: { alg: 'HS256', kid: keys.selectActive('access_token', 'RS256').kid },
        key: new TextEncoder().encode(publicPem),
      },
      { header: { typ: 'JWT' } },
      { header: { typ: undefined } },
      { header: { crit: ['strange'], strange: 1 } },
    ];
    for (const forgery of forgeries)
      expect([forgery, await readCode(await forgeToken(forgery))]).toEqual([forgery, 'token_invalid']);
    const [, payload, signature] = member.token.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    expect(await readCode(`${none}.${payload}.${signature}`)).toBe('token_invalid');
  });

  it('if any claim is missing, wrong or unknown', async () => {
    const { exp, iat } = jose.decodeJwt(member.token) as { exp: number; iat: number };
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
      expect([claims, await readCode(await forgeToken({ claims }))]).toEqual([claims, 'token_invalid']);
    expect(await readCode(await forgeToken({ claims: { iat: iat + 60, exp: exp + 60 } }))).toBe(200);
  });

  it('from the second in which it expires, even if it was verified just before', async () => {
    const service = await startApp();
    const { token } = await service.registerMember();
    const readServiceCode = async () =>
      (await service.request('GET', '/auth/me', { token })).body.code as string | undefined;
    service.clock.advance(21_600_000 - 1);
    expect(await readServiceCode()).toBeUndefined();
    service.clock.advance(1);
    expect(await readServiceCode()).toBe('token_expired');
    service.clock.advance(120_000);
    expect(await readServiceCode()).toBe('token_expired');
  });

  it('if its lifetime exceeds the currently configured one', async () => {
    const { exp, iat } = jose.decodeJwt(member.token) as { exp: number; iat: number };
    expect(await readCode(await forgeToken({ claims: { exp: exp + 1, iat: iat - 21_601 } }))).toBe(
      'token_expired',
    );
  });
});

describe('a verified token', () => {
  it('is accepted synchronously until a minute has passed or the keys change', async () => {
    const service = await startApp();
    const { token } = await service.registerMember();
    const header = `Bearer ${token}`;
    const isRemembered = () => !(authenticateCaller(service.platform, header) instanceof Promise);
    expect(isRemembered()).toBe(false);
    await authenticateCaller(service.platform, header);
    expect(isRemembered()).toBe(true);
    service.clock.advance(60_000);
    expect(isRemembered()).toBe(false);
    await authenticateCaller(service.platform, header);
    await service.platform.keys.rotate('access_token');
    expect(isRemembered()).toBe(false);
  });

  it('is rejected by another service in the same process', async () => {
    const other = await startApp();
    await authenticateCaller(app.platform, `Bearer ${member.token}`);
    await expect(authenticateCaller(other.platform, `Bearer ${member.token}`)).rejects.toMatchObject({
      code: 'token_invalid',
    });
  });
});

describe('a change by another process', () => {
  it('takes effect here within seconds: the revocation of a session, and the start and end of a suspension', async () => {
    const service = await startApp();
    const [one, other] = [await service.registerMember(), await service.registerMember()];
    const readServiceCode = async (token: string) =>
      (await service.request('GET', '/auth/me', { token })).body.code as string | undefined;
    expect([await readServiceCode(one.token), await readServiceCode(other.token)]).toEqual([
      undefined,
      undefined,
    ]);
    const now = service.clock.now();
    await service.sql.run(sql`update sessions set revoked_at = ${now} where user_id = ${one.user_id}`);
    await service.sql.run(sql`update users set suspended_at = ${now} where id = ${other.user_id}`);
    await expect.poll(() => readServiceCode(one.token)).toBe('token_invalid');
    await expect.poll(() => readServiceCode(other.token)).toBe('account_suspended');
    await service.sql.run(sql`update users set suspended_at = null where id = ${other.user_id}`);
    await expect.poll(() => readServiceCode(other.token)).toBeUndefined();
  });
});

describe('a caller', () => {
  it('consists of the user, the session, the role and the linked member or organisation', async () => {
    const admin = await app.registerOrgAdmin();
    const operator = await app.registerPlatformAdmin();
    const authenticate = (token: string): LoggedInCaller | Promise<LoggedInCaller> =>
      authenticateCaller(app.platform, `Bearer ${token}`);
    const session_id = expect.any(String) as string;
    expect(await authenticate(member.token)).toEqual({
      user_id: member.user_id,
      session_id,
      authenticated_at: app.clock.now(),
      role: 'member',
      member_id: member.member_id,
    });
    expect(await authenticate(admin.token)).toEqual({
      user_id: admin.user_id,
      session_id,
      authenticated_at: app.clock.now(),
      role: 'org_admin',
      org_id: admin.org_id,
    });
    expect(await authenticate(operator.token)).toEqual({
      user_id: operator.user_id,
      session_id,
      authenticated_at: app.clock.now(),
      role: 'platform_admin',
    });
  });
});
