import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createDirectory, createGroupsFixture } from '#test/modules/directories.ts';

const app = await startApp();
const { admin, org_id, createGroup, createUser, setRole } = await createGroupsFixture(app);
const path = '/orgs/me/directory-groups';

test('administrators see the groups of their own organisation, with roles and numbers of members', async () => {
  const { id, displayName } = await createGroup([await createUser()]);
  await setRole(id, 'auditor');
  const { status, body } = await app.request('GET', path, { token: admin.token });
  const changed_at = app.clock.now().toISOString();
  expect([status, body.data]).toEqual([
    200,
    [{ id, display_name: displayName, role: 'auditor', members: 1, changed_at }],
  ]);
  const other = await createDirectory(app);
  expect((await app.request('GET', path, { token: other.admin.token })).body.data).toEqual([]);
});

test('nobody else lists groups, and a page has a valid limit', async () => {
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const refused = await app.request('GET', path, { token: viewer.token });
  expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  expect((await app.request('GET', path)).status).toBe(401);
  const bad = await app.request('GET', `${path}?limit=0`, { token: admin.token });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/limit']);
});
