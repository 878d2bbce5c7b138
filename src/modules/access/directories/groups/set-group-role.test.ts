import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { buildPatch, createDirectory, createGroupsFixture } from '#test/modules/directories.ts';

const app = await startApp();
const { send, admin, org_id, createGroup, createUser, patch, readRole, setRole } =
  await createGroupsFixture(app);

test('members get the highest role of their groups, and are viewers after the last one', async () => {
  const user = await createUser();
  const [auditors, admins] = [await createGroup([user]), await createGroup()];
  expect(await readRole(user)).toBe('org_viewer');
  expect((await setRole(auditors.id, 'auditor')).body).toMatchObject({ role: 'auditor', members: 1 });
  expect(await readRole(user)).toBe('auditor');
  await setRole(admins.id, 'org_admin');
  await patch(admins.id, { op: 'add', path: 'members', value: [{ value: user }] });
  expect(await readRole(user)).toBe('org_admin');
  // What the directory says about the role of one user does not count beside the groups.
  await send('PATCH', `/Users/${user}`, buildPatch({ op: 'replace', path: 'roles', value: ['org_viewer'] }));
  expect(await readRole(user)).toBe('org_admin');
  await send('DELETE', `/Groups/${admins.id}`);
  expect(await readRole(user)).toBe('auditor');
  await setRole(auditors.id, null);
  expect(await readRole(user)).toBe('org_viewer');
  const acts = await app.request('GET', '/audit-log?action=directories.*&limit=100', { token: admin.token });
  const actions = new Set(acts.body.data.map(({ action }: { action: string }) => action));
  for (const act of [
    'group_created',
    'group_changed',
    'group_removed',
    'group_role_set',
    'role_changed',
    'user_created',
  ])
    expect(actions).toContain(`directories.${act}`);
  expect([...actions].every((action) => String(action).startsWith('directories.'))).toBe(true);
});

test('one request changes the roles of at most 500 users', async () => {
  const { id } = await createGroup();
  await app.sql.run(sql`
    insert into users (id, email, role, org_id, password_hash, created_at, last_login)
    select gen_random_uuid(), 'many-' || number || '@harbour.example', 'org_viewer', ${org_id}, '', now(), now() from generate_series(1, 501) as number`);
  await app.sql.run(sql`
    insert into directory_members (group_id, user_id)
    select ${id}, id from users where org_id = ${org_id} and email like 'many-%'`);
  const refused = await setRole(id, 'auditor');
  expect([refused.status, refused.body.code]).toEqual([409, 'directory_group_full']);
});

test('only administrators give roles, and only to groups of their own organisation', async () => {
  const { id } = await createGroup();
  const other = await createDirectory(app);
  for (const group of [id, unknownId]) {
    const theirs = await setRole(group, 'auditor', other.admin.token);
    expect([theirs.status, theirs.body.code]).toEqual([404, 'directory_group_not_found']);
  }
  const viewer = await createColleague(app, org_id, 'org_viewer');
  expect((await setRole(id, 'auditor', viewer.token)).status).toBe(403);
  const path = `/orgs/me/directory-groups/${id}/role`;
  expect((await app.request('PUT', path, { body: { role: 'auditor' } })).status).toBe(401);
  const refused = await setRole(id, 'owner');
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/role']);
});
