import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { createColleague } from '#test/colleague.ts';
import { connectClient, requestCode } from '#test/modules/oauth.ts';
import { readOrgUsers, createInvitation, readMailedToken } from '#test/modules/org-users.ts';
import { forgetInvitations } from './forget-invitations.ts';

const app = await startApp();

const remove = (token: string | undefined, id: string) =>
  app.request('DELETE', `/orgs/me/users/${id}`, { ...(token !== undefined && { token }) });

const listAuditEntries = (org_id: string) =>
  app.sql.list(sql`
    select action, actor_user_id, detail from audit_log where org_id = ${org_id} and action like 'invitations.%' order by sequence`);

test('a removed user is logged out at once, and can neither log in nor refresh', async () => {
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const { status } = await remove(token, viewer.user_id.toUpperCase());
  expect(status).toBe(204);
  const reading = await app.request('GET', '/orgs/me', { token: viewer.token });
  expect([reading.status, reading.body.code]).toEqual([401, 'token_invalid']);
  const refreshed = await app.request('POST', '/auth/refresh', { cookies: viewer.cookies, body: {} });
  expect(refreshed.status).toBe(401);
  const login = await app.request('POST', '/auth/login', { body: { email: viewer.email, password } });
  expect([login.status, login.body.code]).toEqual([401, 'credentials_wrong']);
  expect((await readOrgUsers(app, token)).map(({ id }) => id)).toEqual([user_id]);
  const detail = { user_id: viewer.user_id, role: 'org_viewer', invitations_cancelled: 0 };
  expect(await listAuditEntries(org_id)).toEqual([
    { action: 'invitations.user_removed', actor_user_id: user_id, detail },
  ]);
});

test('stores the suspension and the revoked sessions, from which other nodes refuse the token', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  await remove(token, viewer.user_id);
  const stored = await app.sql.one(sql<{ suspended: boolean; revoked: boolean }>`
    select suspended_at = ${app.clock.now()} as suspended,
      (select bool_and(revoked_at is not null) from sessions where user_id = users.id) as revoked
    from users where id = ${viewer.user_id}`);
  expect(stored).toEqual({ suspended: true, revoked: true });
});

test('deletes the user’s address, password, MFA and devices, and frees the address', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  await app.request('POST', '/auth/mfa/setup', { token: viewer.token, body: {} });
  await app.request('POST', '/auth/resend-verification', { token: viewer.token, body: {} });
  await remove(token, viewer.user_id);
  const { left } = await app.sql.one(sql<{ left: number }>`
    select (select count(*) from users where email = ${viewer.email})
      + (select count(*) from users where id = ${viewer.user_id} and password_hash <> '!')
      + (select count(*) from sessions where user_id = ${viewer.user_id} and (address <> '' or user_agent is not null))
      + (select count(*) from authenticators where user_id = ${viewer.user_id})
      + (select count(*) from mailed_tokens where user_id = ${viewer.user_id})
      + (select count(*) from refresh_tokens join sessions on sessions.id = session_id where user_id = ${viewer.user_id}) as left`);
  expect(left).toBe(0);
  expect((await app.registerMember({ email: viewer.email })).user_id).not.toBe(viewer.user_id);
});

test('deletes the emptied account once all tokens of the user have expired', async () => {
  const own = await startApp();
  const { token, org_id } = await own.registerOrgAdmin();
  const viewer = await createColleague(own, org_id, 'org_viewer');
  await own.request('DELETE', `/orgs/me/users/${viewer.user_id}`, { token });
  const context = {
    ...own.platform,
    now: own.clock.now,
    signal: AbortSignal.any([]),
    reportProgress: async () => undefined,
  };
  const doesUserExist = async () =>
    (await own.sql.list(sql`select from users where id = ${viewer.user_id}`)).length === 1;
  await forgetInvitations.run(context, {});
  expect(await doesUserExist()).toBe(true);
  own.clock.advance(8 * 3_600_000);
  await forgetInvitations.run(context, {});
  expect(await doesUserExist()).toBe(false);
});

test('cancels an invitation and deletes its address', async () => {
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, token, { role: 'auditor' });
  const mailed = await readMailedToken(app, email);
  expect((await remove(token, id)).status).toBe(204);
  expect(
    (await app.request('POST', '/auth/accept-invitation', { body: { token: mailed, password } })).status,
  ).toBe(410);
  expect(await app.sql.list(sql`select from invitations where email = ${email}`)).toEqual([]);
  expect((await remove(token, id)).body.code).toBe('user_not_found');
  expect((await listAuditEntries(org_id)).at(-1)).toEqual({
    action: 'invitations.cancelled',
    actor_user_id: user_id,
    detail: { invitation_id: id, role: 'auditor' },
  });
});

test('removing an administrator cancels the open invitations that they sent', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const second = await createColleague(app, org_id, 'org_admin');
  const theirs = await createInvitation(app, second.token, { role: 'org_admin' });
  const mine = await createInvitation(app, token);
  const mailed = await readMailedToken(app, theirs.email);
  await remove(token, second.user_id);
  expect(
    (await app.request('POST', '/auth/accept-invitation', { body: { token: mailed, password } })).status,
  ).toBe(410);
  const waiting = (await readOrgUsers(app, token)).filter(({ status }) => status === 'invited');
  expect(waiting.map(({ id }) => id)).toEqual([mine.id]);
});

test('a removed user’s row is deleted later, also while what their agents had is still stored', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const agent = { scope: 'tool:list_jobs', decision: { tools: ['list_jobs'] } };
  const { access_token } = await connectClient(app, viewer, agent);
  await requestCode(app, viewer, agent);
  expect((await app.request('GET', '/orgs/me/jobs', { token: access_token })).status).toBe(200);
  await remove(token, viewer.user_id);
  expect((await app.request('GET', '/orgs/me/jobs', { token: access_token })).status).toBe(401);
  const countRows = () =>
    app.sql.one(sql<{ users: number; artifacts: number }>`
      select (select count(*)::int from users where id = ${viewer.user_id}) as users,
        (select count(*)::int from oauth_artifacts where user_id = ${viewer.user_id}) as artifacts`);
  // The task that deletes what a grant had may not have run yet.
  expect((await countRows()).artifacts).toBeGreaterThan(2);
  app.clock.advance(app.platform.config.token.access_seconds * 1000 + 3_600_001);
  await forgetInvitations.run(
    {
      ...app.platform,
      now: app.clock.now,
      signal: AbortSignal.any([]),
      reportProgress: async () => undefined,
    },
    {},
  );
  expect(await countRows()).toEqual({ users: 0, artifacts: 0 });
});

test('refuses to remove the last administrator; an administrator who removes themselves loses the cookie', async () => {
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const suspended = await createColleague(app, org_id, 'org_admin');
  await app.sql.run(sql`update users set suspended_at = now() where id = ${suspended.user_id}`);
  const refused = await remove(token, user_id);
  expect([refused.status, refused.body.code]).toEqual([409, 'last_admin']);
  const second = await createColleague(app, org_id, 'org_admin');
  const removed = await remove(token, user_id);
  expect([removed.status, removed.cookies]).toEqual([204, { refresh_token: '' }]);
  expect((await app.request('GET', '/orgs/me', { token })).body.code).toBe('token_invalid');
  expect((await remove(second.token, second.user_id)).body.code).toBe('last_admin');
});

test('if two administrators remove each other at the same time, one of them stays', async () => {
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const second = await createColleague(app, org_id, 'org_admin');
  const responses = await Promise.all([remove(token, second.user_id), remove(second.token, user_id)]);
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
  const left = await app.sql.list(sql`select from users where org_id = ${org_id} and removed_at is null`);
  expect(left).toHaveLength(1);
});

test('replies 404 for users and invitations of other organisations, for members and for unknown ids', async () => {
  const [ours, theirs, member] = [
    await app.registerOrgAdmin(),
    await app.registerOrgAdmin(),
    await app.registerMember(),
  ];
  const viewer = await createColleague(app, theirs.org_id, 'org_viewer');
  const waiting = await createInvitation(app, theirs.token);
  for (const id of [viewer.user_id, theirs.user_id, waiting.id, member.user_id, unknownId]) {
    const { status, body } = await remove(ours.token, id);
    expect([status, body.code]).toEqual([404, 'user_not_found']);
  }
  expect(await readOrgUsers(app, theirs.token)).toHaveLength(3);
  expect((await remove(ours.token, 'not-an-id')).status).toBe(422);
});

test('only users of an organisation may remove users', async () => {
  const { token, user_id } = await app.registerOrgAdmin();
  for (const other of [await app.registerMember(), await app.registerPlatformAdmin()]) {
    const { status, body } = await remove(other.token, user_id);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await remove(undefined, user_id)).status).toBe(401);
  expect((await app.request('GET', '/orgs/me', { token })).status).toBe(200);
});

test('every user may leave, and removes nobody else without being an administrator', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  for (const role of ['org_viewer', 'auditor'] as const) {
    const leaving = await createColleague(app, org_id, role);
    const invited = await createInvitation(app, token);
    for (const id of [user_id, invited.id, unknownId]) {
      const { status, body } = await remove(leaving.token, id);
      expect([status, body.code]).toEqual([404, 'user_not_found']);
    }
    const { status, cookies } = await remove(leaving.token, leaving.user_id);
    expect([status, cookies['refresh_token']]).toEqual([204, '']);
    const login = await app.request('POST', '/auth/login', { body: { email: leaving.email, password } });
    expect(login.body.code).toBe('credentials_wrong');
    await app.drainQueue();
    const mails = (await app.readMails()).filter(({ to }) => to.includes(leaving.email));
    expect(mails.at(-1)?.subject).toBe('Your account was removed');
  }
  expect((await readOrgUsers(app, token)).filter(({ status }) => status === 'active')).toHaveLength(1);
});

test('removing a user needs a recent authentication, and cancelling an invitation does not', async () => {
  const own = await startApp();
  const { token, org_id } = await own.registerOrgAdmin();
  const viewer = await createColleague(own, org_id, 'org_viewer');
  const invited = await createInvitation(own, token);
  own.clock.advance(15 * 60_000 + 1_000);
  const send = (id: string) => own.request('DELETE', `/orgs/me/users/${id}`, { token });
  expect((await send(viewer.user_id)).body.code).toBe('recent_authentication_required');
  expect((await send(invited.id)).status).toBe(204);
  expect(await readOrgUsers(own, token)).toHaveLength(2);
});
