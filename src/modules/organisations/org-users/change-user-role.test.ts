import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createInvitation, readOrgUsers } from '#test/modules/org-users.ts';
import { password } from '#test/users.ts';

const app = await startApp();

const changeRole = (token: string | undefined, id: string, role: unknown) =>
  app.request('PATCH', `/orgs/me/users/${id}`, { ...(token !== undefined && { token }), body: { role } });
const logIn = async (email: string) =>
  (await app.request('POST', '/auth/login', { body: { email, password } })).body;

test('the last administrator hands over the role and leaves', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const leave = () => app.request('DELETE', `/orgs/me/users/${user_id}`, { token });
  expect((await leave()).body.code).toBe('last_admin');
  const { status, body } = await changeRole(token, viewer.user_id.toUpperCase(), 'org_admin');
  expect([status, body]).toMatchObject([200, { id: viewer.user_id, role: 'org_admin', status: 'active' }]);
  expect((await leave()).status).toBe(204);
  const { access_token } = await logIn(viewer.email);
  expect(await readOrgUsers(app, access_token)).toMatchObject([{ id: viewer.user_id, role: 'org_admin' }]);
});

test('the old role ends at once: tokens and sessions of the user are refused', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const second = await createColleague(app, org_id, 'org_admin');
  await changeRole(token, second.user_id, 'auditor');
  const reading = await app.request('GET', '/orgs/me', { token: second.token });
  expect([reading.status, reading.body.code]).toEqual([401, 'token_invalid']);
  expect((await app.request('POST', '/auth/refresh', { cookies: second.cookies, body: {} })).status).toBe(
    401,
  );
  const login = await logIn(second.email);
  expect(login.user.role).toBe('auditor');
  const inviting = await app.request('POST', '/orgs/me/users', {
    token: login.access_token,
    body: { email: 'x@example.org', role: 'auditor' },
  });
  expect(inviting.body.code).toBe('role_not_allowed');
  const entries = await app.sql.list(
    sql`select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'orgs.user_role_changed'`,
  );
  const detail = {
    user_id: second.user_id,
    role_before: 'org_admin',
    role: 'auditor',
    invitations_cancelled: 0,
  };
  expect(entries).toEqual([{ actor_user_id: user_id, detail }]);
});

test('the user is informed by email', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  await changeRole(token, viewer.user_id, 'auditor');
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to.includes(viewer.email));
  expect(mails.at(-1)?.subject).toBe('Your role was changed');
});

test('an administrator who steps down is logged out, and their open invitations end', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  await createColleague(app, org_id, 'org_admin');
  await createInvitation(app, token, { role: 'org_admin' });
  const { status, cookies } = await changeRole(token, user_id, 'org_viewer');
  expect([status, cookies['refresh_token']]).toEqual([200, '']);
  expect((await app.request('GET', '/orgs/me', { token })).status).toBe(401);
  const { open } = await app.sql.one(sql<{ open: number }>`
    select count(*) as open from invitations where org_id = ${org_id} and ended_at is null`);
  expect(open).toBe(0);
});

test('the same role changes nothing and signs nobody out', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  expect((await changeRole(token, viewer.user_id, 'org_viewer')).status).toBe(200);
  expect((await app.request('GET', '/orgs/me', { token: viewer.token })).status).toBe(200);
});

test('two administrators who demote each other at once leave one', async () => {
  for (let round = 0; round < 5; round++) {
    const first = await app.registerOrgAdmin();
    const second = await createColleague(app, first.org_id, 'org_admin');
    await Promise.all([
      changeRole(first.token, second.user_id, 'auditor'),
      changeRole(second.token, first.user_id, 'auditor'),
    ]);
    const { admins } = await app.sql.one(sql<{ admins: number }>`
      select count(*) as admins from users where org_id = ${first.org_id} and role = 'org_admin'`);
    expect(admins).toBe(1);
  }
});

test('a token whose role another process has just changed invites nobody', async () => {
  const { org_id } = await app.registerOrgAdmin();
  const second = await createColleague(app, org_id, 'org_admin');
  await app.sql.run(sql`update users set role = 'org_viewer' where id = ${second.user_id}`);
  const { status, body } = await app.request('POST', '/orgs/me/users', {
    token: second.token,
    body: { email: 'y@example.org', role: 'auditor' },
  });
  expect([status, body.code]).toEqual([401, 'token_invalid']);
});

test('it is refused for the last administrator, others’ users, invitations, bad input and other roles', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const invited = await createInvitation(app, token);
  const other = await app.registerOrgAdmin();
  const member = await app.registerMember();
  const last = await changeRole(token, user_id, 'auditor');
  expect([last.status, last.body.code]).toEqual([409, 'last_admin']);
  for (const id of [unknownId, other.user_id, member.user_id, invited.id]) {
    const { status, body } = await changeRole(token, id, 'org_viewer');
    expect([status, body.code]).toEqual([404, 'user_not_found']);
  }
  for (const role of ['member', 'platform_admin', undefined, 7])
    expect((await changeRole(token, user_id, role)).body.code).toBe('field_invalid');
  expect((await changeRole(undefined, user_id, 'auditor')).body.code).toBe('authentication_required');
  const viewer = await createColleague(app, org_id, 'org_viewer');
  expect((await changeRole(viewer.token, viewer.user_id, 'org_admin')).body.code).toBe('role_not_allowed');
});
