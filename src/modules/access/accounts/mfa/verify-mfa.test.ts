import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { computeTotpCode, enableMfa, findWrongCode } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const verify = (code: unknown, token?: string, on = app) =>
  on.request('POST', '/auth/mfa/verify', { ...(token !== undefined && { token }), body: { code } });
const registerWithSecret = async (on = app) => {
  const member = await on.registerMember();
  const { body } = await on.request('POST', '/auth/mfa/setup', { token: member.token, body: {} });
  return { ...member, secret: body.secret as string };
};
const listAuthenticators = (user_id: string) =>
  app.sql
    .list(sql`select enabled_at, last_step, (select count(*) from recovery_codes where user_id = ${user_id}) as codes
    from authenticators where user_id = ${user_id}`);

describe('verifying the first code', () => {
  it('enables MFA, and returns ten recovery codes with a warning', async () => {
    proves('mfa-verify-endpoint-jwt', 'mfa-verify-response-fields', 'mfa-verify-enables-mfa');
    const { token, email, password, secret } = await registerWithSecret();
    const { status, body } = await verify(computeTotpCode(secret, app.clock), token);
    expect([status, Object.keys(body)]).toEqual([200, ['message', 'recovery_codes', 'warning']]);
    expect(new Set(body.recovery_codes).size).toBe(10);
    for (const code of body.recovery_codes)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect((await app.request('POST', '/auth/login', { body: { email, password } })).body.mfa_required).toBe(
      true,
    );
    expect((await app.request('GET', '/auth/me', { token })).status).toBe(200);
  });

  it('shows the recovery codes only once, and stores none of them in plain text', async () => {
    proves('mfa-recovery-codes-shown-once');
    const { token, user_id, secret } = await registerWithSecret();
    const { body } = await verify(computeTotpCode(secret, app.clock), token);
    app.clock.advance(60_000);
    expect((await verify(computeTotpCode(secret, app.clock), token)).body.code).toBe('mfa_already_enabled');
    const { rows } = await app.sql.one(sql<{ rows: string }>`
      select string_agg(row_to_json(r)::text, ' ') as rows from recovery_codes r where user_id = ${user_id}`);
    const removeHyphen = (code: string) => code.replace('-', '');
    for (const code of body.recovery_codes)
      for (const spelling of [code, removeHyphen(code), Buffer.from(removeHyphen(code)).toString('hex')])
        expect(rows).not.toContain(spelling);
  });

  it('accepts a code of the previous, the current or the next step only', async () => {
    for (const steps of [-1, 1]) {
      const { token, secret } = await registerWithSecret();
      expect((await verify(computeTotpCode(secret, app.clock, steps), token)).status).toBe(200);
    }
    for (const steps of [-2, 2]) {
      const { token, secret } = await registerWithSecret();
      expect((await verify(computeTotpCode(secret, app.clock, steps), token)).body.code).toBe(
        'totp_code_wrong',
      );
    }
  });

  it('is recorded and emailed to the user', async () => {
    const { token, email, user_id, member_id, secret } = await registerWithSecret();
    await verify(computeTotpCode(secret, app.clock), token);
    await app.drainQueue();
    expect(
      (await app.readMails()).filter(({ to }) => to.includes(email)).map(({ subject }) => subject),
    ).toContain('MFA is enabled');
    expect(
      await app.sql.list(
        sql`select actor_user_id, member_id from audit_log where action = 'auth.mfa_enabled' and actor_user_id = ${user_id}`,
      ),
    ).toEqual([{ actor_user_id: user_id, member_id }]);
  });
});

describe('a verification is refused, and changes nothing,', () => {
  it('for a wrong or malformed code', async () => {
    const { token, user_id, secret } = await registerWithSecret();
    const before = await listAuthenticators(user_id);
    const wrong = await verify(findWrongCode(secret, app.clock), token);
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].pointer]).toEqual([
      422,
      'totp_code_wrong',
      '/code',
    ]);
    for (const code of [undefined, 123_456, '12345', '1234567', '12345a', ' 12345', '１２３４５６', null])
      expect((await verify(code, token)).body.errors[0].pointer).toBe('/code');
    expect(await listAuthenticators(user_id)).toEqual(before);
  });

  it('before MFA is set up, and after it is enabled', async () => {
    const { token } = await app.registerMember();
    expect((await verify('123456', token)).body.code).toBe('mfa_not_set_up');
    const member = await app.registerMember();
    const { secret } = await enableMfa(app, member);
    const again = await verify(computeTotpCode(secret, app.clock), member.token);
    expect([again.status, again.body.code]).toEqual([409, 'mfa_already_enabled']);
  });

  it('for an anonymous caller, and for another user’s code', async () => {
    const [one, other] = [await registerWithSecret(), await registerWithSecret()];
    expect((await verify(computeTotpCode(one.secret, app.clock))).body.code).toBe('authentication_required');
    expect((await verify(computeTotpCode(one.secret, app.clock), other.token)).body.code).toBe(
      'totp_code_wrong',
    );
  });

  it('for all but one of many concurrent requests', async () => {
    const { token, secret } = await registerWithSecret();
    const code = computeTotpCode(secret, app.clock);
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(code, token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'mfa_already_enabled')).toHaveLength(19);
  });
});
