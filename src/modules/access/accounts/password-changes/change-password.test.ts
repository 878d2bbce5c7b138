import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { enableMfa, requestTicket } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { createEmail, type TestUser } from '#test/users.ts';

const new_password = 'Another-Horse-8-Stable';

const app = await startApp();

const change = (token: string | undefined, body: object, on = app) =>
  on.request('POST', '/auth/change-password', { ...(token !== undefined && { token }), body });
const logIn = ({ email }: Pick<TestUser, 'email'>, password: string) =>
  app.request('POST', '/auth/login', { body: { email, password } });

async function readMailsTo(email: string) {
  await app.drainQueue();
  return (await app.readMails()).filter(({ to }) => to.includes(email));
}

describe('changing the password', () => {
  it('replaces it for every role, and keeps the caller logged in', async () => {
    for (const register of [
      () => app.registerMember(),
      () => app.registerOrgAdmin(),
      () => app.registerPlatformAdmin(),
    ]) {
      const user = await register();
      const { status, body } = await change(user.token, { current_password: user.password, new_password });
      expect([status, body]).toEqual([204, '']);
      expect((await app.request('GET', '/auth/me', { token: user.token })).status).toBe(200);
      expect((await logIn(user, user.password)).body.code).toBe('credentials_wrong');
      expect((await logIn(user, new_password)).status).toBe(200);
    }
  });

  it('ends the other sessions, unfinished logins and emailed links, and tells the owner', async () => {
    const user = await app.registerMember();
    const other = await logIn(user, user.password);
    await app.request('POST', '/auth/forgot-password', { body: { email: user.email } });
    await app.request('POST', '/auth/change-email', { token: user.token, body: { email: createEmail() } });
    await app.drainQueue();
    await enableMfa(app, user);
    const mfa_ticket = await requestTicket(app, user);
    expect((await change(user.token, { current_password: user.password, new_password })).status).toBe(204);
    const dead = await app.request('GET', '/auth/me', { token: other.body.access_token });
    expect([dead.status, dead.body.code]).toEqual([401, 'token_invalid']);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: other.cookies, body: {} });
    expect(refreshed.status).toBe(401);
    const login = { mfa_ticket, code: '123456' };
    expect((await app.request('POST', '/auth/mfa/authenticate', { body: login })).body.code).toBe(
      'mfa_ticket_invalid',
    );
    const unused = await app.sql.list(sql`
      select from mailed_tokens where user_id = ${user.user_id} and used_at is null and purpose in ('reset_password', 'change_email')`);
    expect(unused).toEqual([]);
    const subjects = (await readMailsTo(user.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your password was changed');
    const audited = await app.sql.list(
      sql`select detail from audit_log where action = 'auth.password_changed' and actor_user_id = ${user.user_id}`,
    );
    expect(audited).toEqual([{ detail: { sessions_ended: 1 } }]);
  });

  it('lets no login with the old password through that happens at the same time', async () => {
    const user = await app.registerMember();
    const [, ...logins] = await Promise.all([
      change(user.token, { current_password: user.password, new_password }),
      ...Array.from({ length: 6 }, () => logIn(user, user.password)),
    ]);
    for (const { body } of logins.filter(({ status }) => status === 200))
      expect((await app.request('GET', '/auth/me', { token: body.access_token })).status).toBe(401);
  });

  it('happens once when it is asked twice at the same time', async () => {
    const user = await app.registerMember();
    const replies = await Promise.all(
      [1, 2, 3].map((number) =>
        change(user.token, { current_password: user.password, new_password: `${new_password}-${number}` }),
      ),
    );
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
  });
});

describe('changing the password is refused, and changes nothing,', () => {
  it('for a wrong current password and a new one that breaks the rule', async () => {
    const user = await app.registerMember();
    const current_password = user.password;
    for (const [body, code, pointer] of [
      [{ current_password: new_password, new_password }, 'password_wrong', '/current_password'],
      [{ current_password, new_password: 'short' }, 'password_too_weak', '/new_password'],
      [{ current_password, new_password: 'Password1234!' }, 'password_too_common', '/new_password'],
      [{ current_password }, 'field_invalid', '/new_password'],
      [{ new_password }, 'field_invalid', '/current_password'],
    ] as const) {
      const reply = await change(user.token, body);
      expect([reply.status, reply.body.code, reply.body.errors[0].pointer]).toEqual([422, code, pointer]);
    }
    expect((await logIn(user, user.password)).status).toBe(200);
  });

  it('for an anonymous caller, for another user’s password, and for an account without one', async () => {
    const user = await app.registerMember();
    const body = { current_password: user.password, new_password };
    expect((await change(undefined, body)).body.code).toBe('authentication_required');
    const other = await app.registerMember();
    await change(other.token, { current_password: other.password, new_password });
    expect((await change(user.token, { ...body, current_password: new_password })).body.code).toBe(
      'password_wrong',
    );
    await app.sql.run(sql`update users set password_hash = '!' where id = ${user.user_id}`);
    expect((await change(user.token, body)).body.code).toBe('account_without_password');
  });
});
