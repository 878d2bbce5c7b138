import { beforeAll, describe, expect, it } from 'vitest';
import { computeTotpCode, enableMfa, findWrongCode } from '#test/modules/auth.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const verify = (code: unknown, token?: string, on = app) =>
  on.request('POST', '/auth/mfa/verify', { ...(token !== undefined && { token }), body: { code } });
const setUp = async (on = app) => {
  const person = await on.registerMember();
  const { body } = await on.request('POST', '/auth/mfa/setup', { token: person.token, body: {} });
  return { ...person, secret: body.secret as string };
};
const stored = (user_id: string) =>
  app.sql
    .list(sql`select enabled_at, last_step, (select count(*) from recovery_codes where user_id = ${user_id}) as codes
    from authenticators where user_id = ${user_id}`);

describe('verifying the first code', () => {
  it('enables MFA, and answers ten recovery codes with a warning', async () => {
    proves('mfa-verify-endpoint-jwt', 'mfa-verify-response-fields', 'mfa-verify-enables-mfa');
    const { token, email, password, secret } = await setUp();
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

  it('shows the recovery codes once, and keeps nothing that tells them', async () => {
    proves('mfa-recovery-codes-shown-once');
    const { token, user_id, secret } = await setUp();
    const { body } = await verify(computeTotpCode(secret, app.clock), token);
    app.clock.advance(60_000);
    expect((await verify(computeTotpCode(secret, app.clock), token)).body.code).toBe('mfa_already_enabled');
    const { rows } = await app.sql.one(sql<{ rows: string }>`
      select string_agg(row_to_json(r)::text, ' ') as rows from recovery_codes r where user_id = ${user_id}`);
    const bare = (code: string) => code.replace('-', '');
    for (const code of body.recovery_codes)
      for (const spelling of [code, bare(code), Buffer.from(bare(code)).toString('hex')])
        expect(rows).not.toContain(spelling);
  });

  it('takes a code of the step before and after, and of no other', async () => {
    for (const steps of [-1, 1]) {
      const { token, secret } = await setUp();
      expect((await verify(computeTotpCode(secret, app.clock, steps), token)).status).toBe(200);
    }
    for (const steps of [-2, 2]) {
      const { token, secret } = await setUp();
      expect((await verify(computeTotpCode(secret, app.clock, steps), token)).body.code).toBe(
        'totp_code_wrong',
      );
    }
  });

  it('is recorded, and told to the user', async () => {
    const { token, email, user_id, member_id, secret } = await setUp();
    await verify(computeTotpCode(secret, app.clock), token);
    await app.drainQueue();
    expect(
      (await app.readMails()).filter(({ to }) => to.includes(email)).map(({ subject }) => subject),
    ).toContain('Two-step login is on');
    expect(
      await app.sql.list(
        sql`select actor_user_id, member_id from audit_log where action = 'auth.mfa_enabled' and actor_user_id = ${user_id}`,
      ),
    ).toEqual([{ actor_user_id: user_id, member_id }]);
  });
});

describe('a verification is refused, and changes nothing,', () => {
  it('with a wrong code, and with what is no code', async () => {
    const { token, user_id, secret } = await setUp();
    const before = await stored(user_id);
    const wrong = await verify(findWrongCode(secret, app.clock), token);
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].pointer]).toEqual([
      422,
      'totp_code_wrong',
      '/code',
    ]);
    for (const code of [undefined, 123_456, '12345', '1234567', '12345a', ' 12345', '１２３４５６', null])
      expect((await verify(code, token)).body.errors[0].pointer).toBe('/code');
    expect(await stored(user_id)).toEqual(before);
  });

  it('before a set-up, and after it was done', async () => {
    const { token } = await app.registerMember();
    expect((await verify('123456', token)).body.code).toBe('mfa_not_set_up');
    const person = await app.registerMember();
    const { secret } = await enableMfa(app, person);
    const again = await verify(computeTotpCode(secret, app.clock), person.token);
    expect([again.status, again.body.code]).toEqual([409, 'mfa_already_enabled']);
  });

  it('without a sign-in, and with somebody else’s code', async () => {
    const [one, other] = [await setUp(), await setUp()];
    expect((await verify(computeTotpCode(one.secret, app.clock))).body.code).toBe('authentication_required');
    expect((await verify(computeTotpCode(one.secret, app.clock), other.token)).body.code).toBe(
      'totp_code_wrong',
    );
  });

  it('for all but one of many at once', async () => {
    const { token, secret } = await setUp();
    const code = computeTotpCode(secret, app.clock);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(code, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'mfa_already_enabled')).toHaveLength(19);
  });
});
