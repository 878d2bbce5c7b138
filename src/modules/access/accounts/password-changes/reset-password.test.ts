import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { enableMfa, requestTicket } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const new_password = 'Another-Horse-8-Stable';
const reset = (body: object, on = app) => on.request('POST', '/auth/reset-password', { body });
const logIn = (email: string, with_password: string, on = app) =>
  on.request('POST', '/auth/login', { body: { email, password: with_password } });
async function requestResetToken(email: string, on = app): Promise<string> {
  await on.request('POST', '/auth/forgot-password', { body: { email } });
  await on.drainQueue();
  const mail = (await on.readMails()).findLast(
    ({ to, text }) => to.includes(email) && text.includes('/reset-password?'),
  );
  return /token=([\w-]{43})/.exec(mail!.text)![1]!;
}
const readAccount = (user_id: string) =>
  app.sql.one(sql`
    select password_hash, access_version, (select count(*) from sessions where user_id = users.id and revoked_at is null) as open
    from users where id = ${user_id}`);

describe('resetting the password', () => {
  it('sets the new password, and the old one no longer works', async () => {
    proves('auth-reset-password-endpoint-public');
    const { email } = await app.registerMember();
    const { status, body } = await reset({ token: await requestResetToken(email), new_password });
    expect([status, body]).toEqual([204, '']);
    expect((await logIn(email, password)).body.code).toBe('credentials_wrong');
    expect((await logIn(email, new_password)).status).toBe(200);
  });

  it('revokes every refresh token, session, ticket and access token at once', async () => {
    proves('auth-reset-password-revokes-all-refresh-tokens');
    const member = await app.registerMember();
    const { email, token } = member;
    const devices = [await logIn(email, password), await logIn(email, password)];
    const other = await app.registerMember();
    await reset({ token: await requestResetToken(email), new_password });
    for (const { body, cookies } of devices) {
      expect((await app.request('GET', '/auth/me', { token: body.access_token })).body.code).toBe(
        'token_invalid',
      );
      expect((await app.request('POST', '/auth/refresh', { cookies })).body.code).toBe(
        'refresh_token_invalid',
      );
    }
    expect((await app.request('GET', '/auth/me', { token })).body.code).toBe('token_invalid');
    expect((await app.request('GET', '/auth/me', { token: other.token })).status).toBe(200);
    // A reset keeps MFA only if the address was verified before it.
    await app.sql.run(
      sql`update users set email_verified_at = ${app.clock.now()} where id = ${other.user_id}`,
    );
    await enableMfa(app, other);
    const mfa_ticket = await requestTicket(app, other);
    await reset({ token: await requestResetToken(other.email), new_password });
    const second = await app.request('POST', '/auth/mfa/authenticate', {
      body: { mfa_ticket, code: '123456' },
    });
    expect(second.body.code).toBe('mfa_ticket_invalid');
    expect((await logIn(other.email, new_password)).body.mfa_required).toBe(true);
  });

  it('leaves no valid session from a concurrent login with the old password', async () => {
    for (let round = 0; round < 5; round++) {
      const { email } = await app.registerMember();
      const token = await requestResetToken(email);
      const logins = Array.from({ length: 6 }, () => logIn(email, password));
      const replies = await Promise.all([reset({ token, new_password }), ...logins]);
      expect(replies[0].status).toBe(204);
      for (const { status, body, cookies } of replies.slice(1)) {
        if (status === 401) continue;
        expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
        expect((await app.request('GET', '/auth/me', { token: body.access_token })).status).toBe(401);
      }
    }
  });

  it('is recorded without secrets and emailed to the user', async () => {
    const { email, member_id } = await app.registerMember();
    await reset({ token: await requestResetToken(email), new_password });
    await app.drainQueue();
    expect(
      (await app.readMails()).filter(({ to }) => to.includes(email)).map(({ subject }) => subject),
    ).toContain('Your password was changed');
    expect(
      await app.sql.list(
        sql`select detail from audit_log where action = 'auth.password_reset' and member_id = ${member_id}`,
      ),
    ).toEqual([{ detail: { sessions_ended: 1 } }]);
  });

  it('allows the user to log in again after wrong guesses had blocked the account', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const { email } = await strict.registerMember();
    for (let wrong = 0; wrong < 10; wrong++) await logIn(email, 'x', strict);
    expect((await logIn(email, password, strict)).status).toBe(429);
    await reset({ token: await requestResetToken(email, strict), new_password }, strict);
    expect((await logIn(email, new_password, strict)).status).toBe(200);
  });
});

describe('a reset is refused, and changes nothing,', () => {
  it('for a token that was used, or invalidated by the use of another', async () => {
    const { email, user_id } = await app.registerMember();
    const [first, second] = [await requestResetToken(email), await requestResetToken(email)];
    await reset({ token: second, new_password });
    const before = await readAccount(user_id);
    for (const token of [second, first]) {
      const { status, body } = await reset({ token, new_password: 'Third-Horse-9-Paddock' });
      expect([status, body.code]).toEqual([410, 'reset_token_invalid']);
    }
    expect(await readAccount(user_id)).toEqual(before);
  });

  it('for all but one of many concurrent requests', async () => {
    const { email } = await app.registerMember();
    const token = await requestResetToken(email);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => reset({ token, new_password: `${new_password}-${index}` })),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      204,
      ...Array<number>(7).fill(410),
    ]);
    const winner = replies.findIndex(({ status }) => status === 204);
    expect((await logIn(email, `${new_password}-${winner}`)).status).toBe(200);
  });

  it('after thirty minutes', async () => {
    const { email, user_id } = await app.registerMember();
    const [early, late] = [await requestResetToken(email), await requestResetToken(email)];
    app.clock.advance(30 * 60_000 - 1);
    const before = await readAccount(user_id);
    app.clock.advance(1);
    expect((await reset({ token: late, new_password })).body.code).toBe('reset_token_invalid');
    expect(await readAccount(user_id)).toEqual(before);
    app.clock.advance(-1);
    expect((await reset({ token: early, new_password })).status).toBe(204);
  });

  it('for an unknown token, or a token that verifies an address', async () => {
    const { email } = await app.registerMember();
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email))!;
    const verificationToken = /token=([\w-]{43})/.exec(mail.text)![1]!;
    for (const token of ['', 'x', verificationToken])
      expect((await reset({ token, new_password })).body.code).toBe('reset_token_invalid');
    expect(
      (await app.request('POST', '/auth/verify-email', { body: { token: await requestResetToken(email) } }))
        .body.code,
    ).toBe('verification_token_invalid');
  });

  it('for a weak or a common password, and the token still works afterwards', async () => {
    const { email, user_id } = await app.registerMember();
    const token = await requestResetToken(email);
    const before = await readAccount(user_id);
    for (const [weak_password, code] of [
      ['short', 'password_too_weak'],
      ['Password1234!', 'password_too_common'],
    ] as const) {
      const { status, body } = await reset({ token, new_password: weak_password });
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, '/new_password']);
    }
    expect(await readAccount(user_id)).toEqual(before);
    expect((await reset({ token, new_password })).status).toBe(204);
  });

  it('if the token or the password is missing or too long', async () => {
    expect((await reset({ new_password })).body.errors[0].pointer).toBe('/token');
    expect((await reset({ token: 'x' })).body.errors[0].pointer).toBe('/new_password');
    expect((await reset({ token: 'x', new_password: 'x'.repeat(257) })).body.errors[0].pointer).toBe(
      '/new_password',
    );
  });
});
