import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { createColleague } from '#test/colleague.ts';
import { createInvitation, readMailedToken } from '#test/modules/org-users.ts';

const app = await startApp();

const resend = (token: string | undefined, id: string, body: unknown = {}) =>
  app.request('POST', `/orgs/me/users/${id}/resend-invitation`, {
    body,
    ...(token !== undefined && { token }),
  });

const listMailsTo = async (email: string) => {
  await app.drainQueue();
  return (await app.readMails()).filter(({ to }) => to.includes(email));
};

test('sends the same link again and extends the invitation by seven days', async () => {
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, token);
  const first = await readMailedToken(app, email);
  app.clock.advance(600_000);
  const { status, body } = await resend(token, id);
  expect(status).toBe(202);
  const expires_at = new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString();
  expect(body).toMatchObject({ id, email, status: 'invited', expires_at });
  expect(await listMailsTo(email)).toHaveLength(2);
  expect(await readMailedToken(app, email)).toBe(first);
  expect(
    await app.sql.list(
      sql`select actor_user_id from audit_log where org_id = ${org_id} and action = 'invitations.resent'`,
    ),
  ).toEqual([{ actor_user_id: user_id }]);
  app.clock.advance(7 * 86_400_000 - 1);
  const accepted = await app.request('POST', '/auth/accept-invitation', { body: { token: first, password } });
  expect(accepted.status).toBe(201);
});

test('refuses to send two emails for one invitation within ten minutes', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, token);
  app.clock.advance(599_000);
  const { status, body, headers } = await resend(token, id);
  expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_requests', '1']);
  expect(await listMailsTo(email)).toHaveLength(1);
});

test('counts emails that are sent again for the organisation’s daily limit', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const [first, second] = [await createInvitation(app, token), await createInvitation(app, token)];
  await app.sql.run(sql`update invitations set mails = 50 where org_id = ${org_id}`);
  app.clock.advance(600_000);
  for (const { id } of [first, second])
    expect(await resend(token, id)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  await app.sql.run(sql`update invitations set mails = 49 where org_id = ${org_id}`);
  expect((await resend(token, first.id)).status).toBe(202);
});

test('replies 404 for anything but an open invitation of the organisation', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const [foreign, cancelled] = [
    await createInvitation(app, theirs.token),
    await createInvitation(app, ours.token),
  ];
  await app.request('DELETE', `/orgs/me/users/${cancelled.id}`, { token: ours.token });
  app.clock.advance(600_000);
  for (const id of [foreign.id, cancelled.id, ours.user_id, unknownId]) {
    const { status, body } = await resend(ours.token, id);
    expect([status, body.code]).toEqual([404, 'user_not_found']);
  }
  expect(await listMailsTo(foreign.email)).toHaveLength(1);
  expect((await resend(ours.token, 'not-an-id')).status).toBe(422);
  expect((await resend(theirs.token, foreign.id, { email: 'else@example.org' })).status).toBe(422);
});

test('only administrators of the organisation may resend an invitation', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, token);
  for (const other of [
    await createColleague(app, org_id, 'org_viewer'),
    await createColleague(app, org_id, 'auditor'),
    await app.registerMember(),
    await app.registerPlatformAdmin(),
  ]) {
    const { status, body } = await resend(other.token, id);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await resend(undefined, id)).status).toBe(401);
  expect(await listMailsTo(email)).toHaveLength(1);
});
