import { expect, test } from 'vitest';
import { changeUserFromCommand } from '#modules/access/accounts';
import { startApp } from '#test/harness.ts';
import { createColleague } from '#test/colleague.ts';
import { createInvitation } from '#test/modules/org-users.ts';

const app = await startApp();

const list = (token: string | undefined, query = '') =>
  app.request('GET', `/orgs/me/users${query}`, { ...(token !== undefined && { token }) });

test('administrators and auditors see all users and open invitations with role and status, newest first', async () => {
  const admin = await app.registerOrgAdmin();
  app.clock.advance(1_000);
  const auditor = await createColleague(app, admin.org_id, 'auditor');
  app.clock.advance(1_000);
  const suspended = await createColleague(app, admin.org_id, 'org_viewer');
  await changeUserFromCommand(app.platform, { user: suspended.user_id }, true);
  app.clock.advance(1_000);
  const invitation = await createInvitation(app, admin.token, { role: 'org_admin' });
  for (const { token } of [admin, auditor]) {
    const { status, body } = await list(token);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: invitation.id, email: invitation.email, role: 'org_admin', status: 'invited', last_login: null },
      {
        id: suspended.user_id,
        email: suspended.email,
        role: 'org_viewer',
        status: 'suspended',
        expires_at: null,
      },
      { id: auditor.user_id, email: auditor.email, role: 'auditor', status: 'active', expires_at: null },
      { id: admin.user_id, email: admin.email, role: 'org_admin', status: 'active', expires_at: null },
    ]);
    expect(body.data[1].last_login).toBe(body.data[1].created_at);
    expect(Object.keys(body.data[0]).toSorted()).toEqual([
      'created_at',
      'display_name',
      'email',
      'expires_at',
      'id',
      'last_login',
      'role',
      'status',
    ]);
    expect(body.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 4 });
  }
});

test('pages contain every entry once, even if all have the same time; a cursor works for its organisation only', async () => {
  const [admin, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  for (let count = 0; count < 4; count++) await createInvitation(app, admin.token);
  const ids: string[] = [];
  let cursor = '';
  do {
    const { body } = await list(admin.token, `?limit=2${cursor}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.has_more ? `&cursor=${body.pagination.next_cursor}` : '';
  } while (cursor);
  expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
  const { body } = await list(admin.token, '?limit=2');
  const foreign = await list(other.token, `?cursor=${body.pagination.next_cursor}`);
  expect([foreign.status, foreign.body.code]).toEqual([400, 'cursor_invalid']);
});

test('an organisation sees only its own users and invitations', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await createInvitation(app, theirs.token);
  const { body } = await list(ours.token);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ours.user_id]);
});

test.each([
  ['?limit=0', '/limit'],
  ['?org_id=1', '/org_id'],
])('rejects the query %s', async (query, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await list(token, query);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

test('refuses viewers, members, platform administrators and callers who are not logged in', async () => {
  const { org_id } = await app.registerOrgAdmin();
  for (const { token } of [
    await createColleague(app, org_id, 'org_viewer'),
    await app.registerMember(),
    await app.registerPlatformAdmin(),
  ]) {
    const { status, body } = await list(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await list(undefined)).status).toBe(401);
});
