import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const register = (body: object, headers = {}) => app.request('POST', '/auth/register', { body, headers });
const countRows = () =>
  app.sql.one(sql<{ users: number; members: number; organisations: number; sessions: number }>`
    select (select count(*) from users) as users, (select count(*) from members) as members,
      (select count(*) from organisations) as organisations, (select count(*) from sessions) as sessions`);

describe('registering', () => {
  it('creates a member from only an email address and a password, and logs them in', async () => {
    proves(
      'auth-register-endpoint-public',
      'auth-register-response-fields',
      'auth-register-user-fields',
      'auth-register-logs-in-automatically',
      'auth-expires-in-reports-lifetime',
    );
    const email = createEmail();
    const { status, body } = await register({ email, password });
    expect(status).toBe(201);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 21_600,
      user: { id: expect.any(String), email, role: 'member', created_at: app.clock.now().toISOString() },
      verification_email_sent: true,
    });
    const me = await app.request('GET', '/auth/me', { token: body.access_token });
    expect(me.body).toMatchObject({ id: body.user.id, email, role: 'member' });
  });

  it('gives a member without a name a display name that does not identify them', async () => {
    const { body } = await register({ email: `jane.doe.${createEmail()}`, password });
    const me = await app.request('GET', '/members/me', { token: body.access_token });
    expect(me.body.display_name).toBe('Member');
  });

  it('accepts a name and a role, and creates an organisation of that name for an org_admin', async () => {
    proves('auth-register-name-and-role-accepted');
    const { status, body } = await register({
      email: createEmail(),
      password,
      name: ' Harbour Ltd ',
      role: 'org_admin',
    });
    expect(status).toBe(201);
    expect(body.user.role).toBe('org_admin');
    const organisation = await app.request('GET', '/orgs/me', { token: body.access_token });
    expect(organisation.body).toMatchObject({ name: 'Harbour Ltd', tier: 'E1 Explorer' });
    const member = await register({ email: createEmail(), password, name: 'Ana', role: 'member' });
    const me = await app.request('GET', '/members/me', { token: member.body.access_token });
    expect(me.body.display_name).toBe('Ana');
  });

  it('sets a refresh cookie that scripts and other sites cannot use', async () => {
    proves(
      'auth-register-sets-refresh-cookie',
      'auth-refresh-cookie-name',
      'auth-refresh-cookie-httponly',
      'auth-refresh-cookie-secure',
      'auth-refresh-cookie-samesite-lax',
      'auth-refresh-cookie-max-age-2592000-sampled',
    );
    const { headers } = await register({ email: createEmail(), password });
    expect(String(headers['set-cookie'])).toMatch(
      /^refresh_token=[\w-]{43}; Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('emails the verification link only after the transaction commits', async () => {
    const email = createEmail();
    await register({ email, password });
    expect((await app.readMails()).filter(({ to }) => to.includes(email))).toHaveLength(0);
    await app.drainQueue();
    const [mail, ...more] = (await app.readMails()).filter(({ to }) => to.includes(email));
    expect(more).toHaveLength(0);
    expect(mail!.text).toMatch(/http:\/\/localhost:8420\/verify-email\?token=[\w-]{43}\r?\n/);
  });

  it('stores no secret that a reader of the database could use to log in', async () => {
    const { body, cookies } = await register({ email: createEmail(), password });
    const { user } = await app.sql.one(sql<{ user: string }>`
      select row_to_json(u)::text as user from users u where id = ${body.user.id}`);
    expect(user).toContain('$argon2id$');
    expect(user).not.toContain(password);
    const { tokens } = await app.sql.one(sql<{ tokens: string }>`
      select string_agg(row_to_json(t)::text, ' ') as tokens from refresh_tokens t`);
    expect(tokens).not.toContain(cookies['refresh_token']);
  });
});

describe('registering is refused', () => {
  it('for an address that has an account, regardless of its case', async () => {
    proves('auth-user-email-unique');
    const { email } = await app.registerMember();
    const before = await countRows();
    for (const spelling of [email, email.toUpperCase()]) {
      const { status, body } = await register({ email: spelling, password });
      expect([status, body.code]).toEqual([409, 'email_taken']);
    }
    expect(await countRows()).toEqual(before);
  });

  it('for all but one of many concurrent registrations of the same address', async () => {
    const email = createEmail();
    const before = await countRows();
    const replies = await Promise.all(Array.from({ length: 8 }, () => register({ email, password })));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ]);
    expect((await countRows()).members).toBe(before.members + 1);
  });

  it('if the email address or the password is missing or malformed', async () => {
    proves('auth-register-email-required', 'auth-register-password-required');
    const email = createEmail();
    const before = await countRows();
    const cases: [object, string][] = [
      [{ password }, '/email'],
      [{ email }, '/password'],
      [{ email: 'nobody', password }, '/email'],
      [{ email: 'a\u0000@example.org', password }, '/email'],
      [{ email: `a ${email}`, password }, '/email'],
      [{ email, password, name: '   ' }, '/name'],
      [{ email, password, name: 'a\u0000b' }, '/name'],
      [{ email, password, name: 'x'.repeat(201) }, '/name'],
      [{ email, password, role: 'org_admin' }, '/name'],
      [{ email, password, admin: true }, '/admin'],
      [{ email, password: 12 }, '/password'],
    ];
    for (const [body, pointer] of cases) {
      const reply = await register(body);
      expect([reply.status, reply.body.code, reply.body.errors[0].pointer]).toEqual([
        422,
        'field_invalid',
        pointer,
      ]);
    }
    expect(await countRows()).toEqual(before);
  });

  it('for roles that only an organisation or an operator may assign', async () => {
    const before = await countRows();
    for (const role of ['platform_admin', 'org_viewer', 'auditor', 'root']) {
      const { status, body } = await register({ email: createEmail(), password, name: 'N', role });
      expect([status, body.errors[0].pointer]).toEqual([422, '/role']);
    }
    expect(await countRows()).toEqual(before);
  });

  it('for a weak password, with every part of the rule that it fails', async () => {
    const before = await countRows();
    const { status, body } = await register({ email: createEmail(), password: 'short' });
    expect([status, body.code]).toEqual([422, 'password_too_weak']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      Array(4).fill('/password'),
    );
    expect(JSON.stringify(body)).not.toContain('short"');
    expect(await countRows()).toEqual(before);
  });
});

describe('an Idempotency-Key', () => {
  it('makes a repeated registration return the same reply and cookie, with only one account', async () => {
    const body = { email: createEmail(), password };
    const headers = { 'idempotency-key': 'register-once' };
    const before = await countRows();
    const first = await register(body, headers);
    const second = await register(body, headers);
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['set-cookie']).toEqual(first.headers['set-cookie']);
    expect((await countRows()).users).toBe(before.users + 1);
  });
});
