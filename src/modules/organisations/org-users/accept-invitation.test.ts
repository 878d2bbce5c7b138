import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { readOrgUsers, createInvitation, readMailedToken } from '#test/modules/org-users.ts';

const app = await startApp();

const accept = (token: unknown, chosen: unknown = password, headers: Record<string, string> = {}) =>
  app.request('POST', '/auth/accept-invitation', { body: { token, password: chosen }, headers });

async function sendInvitation(role: 'org_admin' | 'org_viewer' | 'auditor' = 'org_viewer') {
  const admin = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, admin.token, { role });
  return { admin, id, email, token: (await readMailedToken(app, email))! };
}

test.each(['org_admin', 'org_viewer', 'auditor'] as const)(
  'accepting an invitation as %s creates the account, logs it in and allows logging in with the password',
  async (role) => {
    const { admin, email, token, id } = await sendInvitation(role);
    const { status, body, cookies } = await accept(token);
    expect(status).toBe(201);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      user: { id: expect.any(String), email, role, created_at: app.clock.now().toISOString() },
      verification_email_sent: false,
    });
    expect(cookies['refresh_token']).toEqual(expect.any(String));
    const organisation = await app.request('GET', '/orgs/me', { token: body.access_token });
    expect(organisation.body.id).toBe(admin.org_id);
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    expect(login.body.user).toMatchObject({ role, linked_entity_id: admin.org_id });
    expect(await readOrgUsers(app, admin.token)).toContainEqual(
      expect.objectContaining({ id: body.user.id, email, role, status: 'active', expires_at: null }),
    );
    expect(
      await app.sql.list(sql`
        select actor_user_id, actor_role, detail from audit_log where org_id = ${admin.org_id} and action = 'invitations.accepted'`),
    ).toEqual([{ actor_user_id: body.user.id, actor_role: role, detail: { invitation_id: id, role } }]);
  },
);

test('accepting verifies the address, and no other email is sent', async () => {
  const { email, token } = await sendInvitation();
  const { body } = await accept(token);
  await app.drainQueue();
  expect((await app.readMails()).filter(({ to }) => to.includes(email))).toHaveLength(1);
  const again = await app.request('POST', '/auth/resend-verification', {
    token: body.access_token,
    body: {},
  });
  expect(again.body.code).toBe('email_already_verified');
});

test('a link works once, even for concurrent requests', async () => {
  const { admin, token } = await sendInvitation();
  const responses = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 410, 410, 410, 410,
  ]);
  const late = await accept(token);
  expect([late.status, late.body.code]).toEqual([410, 'invitation_token_invalid']);
  expect(await readOrgUsers(app, admin.token)).toHaveLength(2);
});

test('a request retried with its Idempotency-Key gets the same reply', async () => {
  const { token } = await sendInvitation();
  const headers = { 'idempotency-key': 'accept-1' };
  const first = await accept(token, password, headers);
  expect(await accept(token, password, headers)).toMatchObject({ status: 201, body: first.body });
});

test('refuses the links of cancelled and of expired invitations', async () => {
  const cancelled = await sendInvitation();
  await app.request('DELETE', `/orgs/me/users/${cancelled.id}`, { token: cancelled.admin.token });
  const expired = await sendInvitation();
  app.clock.advance(7 * 86_400_000);
  for (const { token, email } of [cancelled, expired]) {
    const { status, body } = await accept(token);
    expect([status, body.code]).toEqual([410, 'invitation_token_invalid']);
    expect((await app.request('POST', '/auth/login', { body: { email, password } })).status).toBe(401);
  }
});

test('rejects a password that does not meet the rule, after which the link still works', async () => {
  const { token } = await sendInvitation();
  for (const [chosen, code] of [
    ['short', 'password_too_weak'],
    ['Password1234!', 'password_too_common'],
  ]) {
    const { status, body } = await accept(token, chosen);
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, '/password']);
  }
  expect((await accept(token)).status).toBe(201);
});

test('refuses with email_taken when an account has verified the address by then, and leaves that account unchanged', async () => {
  const { admin, email, token } = await sendInvitation();
  const member = await app.registerMember({ email });
  await app.sql.run(
    sql`update users set email_verified_at = ${app.clock.now()} where id = ${member.user_id}`,
  );
  const { status, body } = await accept(token);
  expect([status, body.code]).toEqual([409, 'email_taken']);
  expect((await app.request('GET', '/auth/me', { token: member.token })).body.role).toBe('member');
  expect(await readOrgUsers(app, admin.token)).toHaveLength(2);
});

test.each([
  ['', 410],
  ['x'.repeat(43), 410],
  ['a\u0000b', 422],
  ['x'.repeat(201), 422],
  [7, 422],
])('rejects the token %j with status %i', async (token, status) => {
  expect((await accept(token)).status).toBe(status);
});

test('refuses a token from another kind of email', async () => {
  const { email } = await app.registerMember();
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email))!;
  const token = /token=([\w-]+)/.exec(mail.text)![1];
  expect((await accept(token)).body.code).toBe('invitation_token_invalid');
});
