import { Secret, URI, type TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { computeTotpCode, enableMfa } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const setUp = (token?: string, body: object = {}) =>
  app.request('POST', '/auth/mfa/setup', { ...(token !== undefined && { token }), body });

describe('setting MFA up', () => {
  it('returns a secret of 160 bits, and a URI for a QR code with the same secret', async () => {
    proves('mfa-setup-endpoint-jwt');
    const { token, email } = await app.registerMember();
    const { status, body } = await setUp(token);
    expect([status, Object.keys(body)]).toEqual([200, ['secret', 'provisioning_uri']]);
    expect(Secret.fromBase32(body.secret).bytes).toHaveLength(20);
    const { issuer, label, algorithm, digits, period, secret } = URI.parse(body.provisioning_uri) as TOTP;
    expect([issuer, label, algorithm, digits, period]).toEqual(['Tessera', email, 'SHA1', 6, 30]);
    expect(secret.base32).toBe(body.secret);
  });

  it('does not enable MFA yet, and can be repeated, in which case the last secret counts', async () => {
    const member = await app.registerMember();
    const { token, email, password } = member;
    const [first, second] = [await setUp(token), await setUp(token)];
    expect(second.body.secret).not.toBe(first.body.secret);
    expect(
      (await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token,
    ).toEqual(expect.any(String));
    const verify = (secret: string) =>
      app.request('POST', '/auth/mfa/verify', { token, body: { code: computeTotpCode(secret, app.clock) } });
    expect((await verify(first.body.secret)).body.code).toBe('totp_code_wrong');
    expect((await verify(second.body.secret)).status).toBe(200);
  });

  it('stores the secret encrypted', async () => {
    const { token, user_id } = await app.registerMember();
    const { body } = await setUp(token);
    const { row } = await app.sql.one(sql<{ row: string }>`
      select row_to_json(a)::text as row from authenticators a where user_id = ${user_id}`);
    const secret = Secret.fromBase32(body.secret);
    for (const spelling of [body.secret, secret.hex, Buffer.from(body.secret).toString('hex')])
      expect(row.toLowerCase()).not.toContain(spelling.toLowerCase());
  });

  it('accepts every role and rejects an anonymous caller', async () => {
    for (const user of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()])
      expect((await setUp(user.token)).status).toBe(200);
    expect((await setUp()).body.code).toBe('authentication_required');
  });

  it('is refused while MFA is enabled, and does not change the secret', async () => {
    const member = await app.registerMember();
    await enableMfa(app, member);
    const listAuthenticators = () =>
      app.sql.list(sql`select * from authenticators where user_id = ${member.user_id}`);
    const before = await listAuthenticators();
    const { status, body } = await setUp(member.token);
    expect([status, body.code]).toEqual([409, 'mfa_already_enabled']);
    expect(await listAuthenticators()).toEqual(before);
    expect((await setUp(member.token, { secret: 'AAAA' })).body.errors[0].pointer).toBe('/secret');
  });
});
