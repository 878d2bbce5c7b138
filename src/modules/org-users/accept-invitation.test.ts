import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { readOrgUsers, createInvitation, readMailedToken } from '#test/modules/org-users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const accept = (token: unknown, chosen: unknown = password, headers: Record<string, string> = {}) =>
  app.request('POST', '/auth/accept-invitation', { body: { token, password: chosen }, headers });

async function invitation(role: 'org_admin' | 'org_viewer' | 'auditor' = 'org_viewer') {
  const admin = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, admin.token, { role });
  return { admin, id, email, mailed: (await readMailedToken(app, email))! };
}

test.each(['org_admin', 'org_viewer', 'auditor'] as const)(
  'whoever follows the link chooses a password, is signed in as %s of the organisation, and can log in again',
  async (role) => {
    const { admin, email, mailed, id } = await invitation(role);
    const { status, body, cookies } = await accept(mailed);
    expect(status).toBe(201);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      user: { id: expect.any(String), email, role, created_at: app.clock.now().toISOString() },
      verification_email_sent: false,
    });
    expect(cookies['refresh_token']).toEqual(expect.any(String));
    const own = await app.request('GET', '/orgs/me', { token: body.access_token });
    expect(own.body.id).toBe(admin.org_id);
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

test('the address is confirmed by the link, and no other mail is sent', async () => {
  const { email, mailed } = await invitation();
  const { body } = await accept(mailed);
  await app.drainQueue();
  expect((await app.readMails()).filter(({ to }) => to.includes(email))).toHaveLength(1);
  const again = await app.request('POST', '/auth/resend-verification', {
    token: body.access_token,
    body: {},
  });
  expect(again.body.code).toBe('email_already_verified');
});

test('a link works once, and of many at once one gets in', async () => {
  const { admin, mailed } = await invitation();
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(mailed)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 410, 410, 410, 410,
  ]);
  const late = await accept(mailed);
  expect([late.status, late.body.code]).toEqual([410, 'invitation_token_invalid']);
  expect(await readOrgUsers(app, admin.token)).toHaveLength(2);
});

test('an answer that was lost is answered again by its Idempotency-Key', async () => {
  const { mailed } = await invitation();
  const headers = { 'idempotency-key': 'accept-1' };
  const first = await accept(mailed, password, headers);
  expect(await accept(mailed, password, headers)).toMatchObject({ status: 201, body: first.body });
});

test('a cancelled and an expired link open nothing', async () => {
  const cancelled = await invitation();
  await app.request('DELETE', `/orgs/me/users/${cancelled.id}`, { token: cancelled.admin.token });
  const expired = await invitation();
  app.clock.advance(7 * 86_400_000);
  for (const { mailed, email } of [cancelled, expired]) {
    const { status, body } = await accept(mailed);
    expect([status, body.code]).toEqual([410, 'invitation_token_invalid']);
    expect((await app.request('POST', '/auth/login', { body: { email, password } })).status).toBe(401);
  }
});

test('a password that does not meet the rule is refused by name, and the link still works', async () => {
  const { mailed } = await invitation();
  for (const [chosen, code] of [
    ['short', 'password_too_weak'],
    ['Password1234!', 'password_too_common'],
  ]) {
    const { status, body } = await accept(mailed, chosen);
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, '/password']);
  }
  expect((await accept(mailed)).status).toBe(201);
});

test('whoever has made an account meanwhile is told, and keeps it', async () => {
  const { admin, email, mailed } = await invitation();
  const { token } = await app.registerMember({ email });
  const { status, body } = await accept(mailed);
  expect([status, body.code]).toEqual([409, 'email_taken']);
  expect((await app.request('GET', '/auth/me', { token })).body.role).toBe('member');
  expect(await readOrgUsers(app, admin.token)).toHaveLength(2);
});

test.each([
  ['', 410],
  ['x'.repeat(43), 410],
  ['a\u0000b', 422],
  ['x'.repeat(201), 422],
  [7, 422],
])('the token %j is refused', async (token, status) => {
  expect((await accept(token)).status).toBe(status);
});

test('the token of another mail is refused', async () => {
  const { email } = await app.registerMember();
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email))!;
  const token = /token=([\w-]+)/.exec(mail.text)![1];
  expect((await accept(token)).body.code).toBe('invitation_token_invalid');
});
