import { describe, expect, it } from 'vitest';
import { changeUserFromCommand } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createEmail, type TestUser } from '#test/users.ts';

const app = await startApp();

const change = (token: string | undefined, email: unknown, on = app) =>
  on.request('POST', '/auth/change-email', { ...(token !== undefined && { token }), body: { email } });
const verify = (token: unknown, on = app) => on.request('POST', '/auth/verify-email', { body: { token } });
const logIn = (email: string, { password }: TestUser) =>
  app.request('POST', '/auth/login', { body: { email, password } });
const readEmail = async ({ token }: TestUser) => (await app.request('GET', '/auth/me', { token })).body.email;

async function readMailsTo(email: string, on = app) {
  await on.drainQueue();
  return (await on.readMails()).filter(({ to }) => to.includes(email));
}

/** The token in the newest email to an address. */
async function readToken(email: string, on = app): Promise<string> {
  const mail = (await readMailsTo(email, on)).at(-1)!;
  return /token=([\w-]+)/.exec(mail.text)![1]!;
}

describe('changing the email address', () => {
  it('takes effect once the new address is verified, for every role', async () => {
    for (const register of [
      () => app.registerMember(),
      () => app.registerOrgAdmin(),
      () => app.registerPlatformAdmin(),
    ]) {
      const user = await register();
      const email = createEmail();
      const { status, body } = await change(user.token, email.toUpperCase());
      expect([status, body]).toEqual([202, '']);
      expect(await readEmail(user)).toBe(user.email);
      expect((await verify(await readToken(email))).status).toBe(204);
      expect(await readEmail(user)).toBe(email);
      expect((await logIn(email, user)).status).toBe(200);
      expect((await logIn(user.email, user)).body.code).toBe('credentials_wrong');
    }
  });

  it('verifies the new address for a member who had not verified the first', async () => {
    const user = await app.registerMember();
    const email = createEmail();
    await change(user.token, email);
    await verify(await readToken(email));
    const { body } = await app.request('GET', '/members/me/engagement', { token: user.token });
    expect(body.missing.map(({ code }: { code: string }) => code)).not.toContain('email_verified');
  });

  it('tells the old address at the request and at the change, and records both without an address', async () => {
    const user = await app.registerMember();
    const email = createEmail();
    await change(user.token, email);
    expect((await readMailsTo(user.email)).at(-1)?.subject).toBe('Your email address will change');
    await verify(await readToken(email));
    const told = (await readMailsTo(user.email)).at(-1)!;
    expect(told.subject).toBe('Your email address was changed');
    expect(told.text).not.toContain(email);
    const entries = await app.sql.list(sql`
      select action, detail from audit_log where member_id = ${user.member_id} and action like 'auth.email%' order by sequence`);
    expect(entries).toEqual([
      { action: 'auth.email_change_requested', detail: {} },
      { action: 'auth.email_changed', detail: {} },
    ]);
  });

  it('makes every link that was emailed to the old address useless, and keeps the sessions', async () => {
    const user = await app.registerMember();
    const old = await readToken(user.email);
    await app.request('POST', '/auth/forgot-password', { body: { email: user.email } });
    const reset = await readToken(user.email);
    const email = createEmail();
    await change(user.token, email);
    await verify(await readToken(email));
    expect((await verify(old)).body.code).toBe('verification_token_invalid');
    const body = { token: reset, new_password: 'Another-Horse-8-Stable' };
    expect((await app.request('POST', '/auth/reset-password', { body })).body.code).toBe(
      'reset_token_invalid',
    );
    expect(await readEmail(user)).toBe(email);
  });

  it('is undone by a reset of the password before the verification, which an owner uses against a thief', async () => {
    const user = await app.registerMember();
    const email = createEmail();
    await change(user.token, email);
    const token = await readToken(email);
    await app.request('POST', '/auth/forgot-password', { body: { email: user.email } });
    const reset = await readToken(user.email);
    await app.request('POST', '/auth/reset-password', {
      body: { token: reset, new_password: 'Another-Horse-8-Stable' },
    });
    expect((await verify(token)).body.code).toBe('verification_token_invalid');
  });

  it('takes only the newest link, and each once, even for many at the same time', async () => {
    const user = await app.registerMember();
    const [first, second] = [createEmail(), createEmail()];
    await change(user.token, first);
    const old = await readToken(first);
    await change(user.token, second);
    expect((await verify(old)).body.code).toBe('verification_token_invalid');
    const token = await readToken(second);
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([204, ...Array<number>(9).fill(410)]);
    expect(await readEmail(user)).toBe(second);
  });

  it('gives an address that two users want to exactly one of them', async () => {
    const users = [await app.registerMember(), await app.registerMember(), await app.registerMember()];
    const email = createEmail();
    for (const { token } of users) await change(token, email);
    const tokens = (await readMailsTo(email)).map(({ text }) => /token=([\w-]+)/.exec(text)![1]);
    const replies = await Promise.all(tokens.map((token) => verify(token)));
    const codes = replies.map(({ status, body }) => (status === 204 ? 'changed' : body.code));
    expect(codes.filter((code) => code === 'changed')).toHaveLength(1);
    expect(codes.filter((code) => code === 'email_taken')).toHaveLength(2);
  });

  it('is exported with the member’s data, and gone with the account', async () => {
    const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
    const user = await own.registerMember();
    const email = createEmail();
    await change(user.token, email, own);
    const copy = await own.request('GET', `/exports/member/${user.member_id}/gdpr-data`, {
      token: user.token,
    });
    expect(copy.body).toContain(email);
    await own.request('DELETE', '/members/me', { token: user.token });
    await own.drainQueue();
    expect(await own.sql.list(sql`select from mailed_tokens where email = ${email}`)).toEqual([]);
  });
});

describe('changing the email address is refused', () => {
  it('for an address that somebody has verified, the current one, and a malformed one', async () => {
    const user = await app.registerMember();
    const other = await app.registerMember();
    await verify(await readToken(other.email));
    const taken = await change(user.token, other.email);
    expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
    for (const email of [
      user.email,
      user.email.toUpperCase(),
      'nobody',
      undefined,
      7,
      `${'x'.repeat(250)}@a.example`,
    ]) {
      const { status, body } = await change(user.token, email);
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', '/email']);
    }
  });

  it('for an anonymous caller, and for a user of single sign-on, whose address is the organisation’s', async () => {
    expect((await change(undefined, createEmail())).body.code).toBe('authentication_required');
    const admin = await app.registerOrgAdmin();
    await app.sql.run(sql`update users set password_hash = '!' where id = ${admin.user_id}`);
    const { status, body } = await change(admin.token, createEmail());
    expect([status, body.code]).toEqual([409, 'account_without_password']);
  });

  it('after five emails within an hour', async () => {
    const user = await app.registerMember();
    for (let mail = 0; mail < 5; mail++) expect((await change(user.token, createEmail())).status).toBe(202);
    const { status, headers } = await change(user.token, createEmail());
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
  });

  it('when the account is suspended before the link is opened', async () => {
    const user = await app.registerMember();
    const email = createEmail();
    await change(user.token, email);
    const token = await readToken(email);
    await changeUserFromCommand(app.platform, { user: user.email }, true);
    expect((await verify(token)).body.code).toBe('verification_token_invalid');
  });

  it('a day after the email', async () => {
    const user = await app.registerMember();
    const email = createEmail();
    await change(user.token, email);
    const token = await readToken(email);
    app.clock.advance(86_400_000);
    expect((await verify(token)).body.code).toBe('verification_token_invalid');
  });
});
