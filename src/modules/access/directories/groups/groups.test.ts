import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory } from '#test/modules/directories.ts';

const app = await startApp();
const { send, admin, org_id } = await createDirectory(app);
const { token } = admin;

const group_schema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
let groups = 0;

/** A group as Entra ID creates one. */
async function createGroup(members: readonly string[] = []) {
  const displayName = `Group ${groups++}`;
  const { status, body } = await send('POST', '/Groups', {
    schemas: [group_schema],
    externalId: `ext-${displayName}`,
    displayName,
    members: members.map((value) => ({ value })),
    meta: { resourceType: 'Group' },
  });
  expect(status).toBe(201);
  return body as { id: string; displayName: string; members: { value: string }[] };
}

const createUser = async () => (await send('POST', '/Users', buildEntraUser())).body.id as string;
const patch = (id: string, ...operations: readonly object[]) =>
  send('PATCH', `/Groups/${id}`, buildPatch(...operations));
const listMembers = async (id: string) =>
  ((await send('GET', `/Groups/${id}`)).body.members as { value: string }[]).map(({ value }) => value);
const readRole = async (id: string) => (await send('GET', `/Users/${id}`)).body.roles[0].value;
const setRole = (id: string, role: string | null) =>
  app.request('PUT', `/orgs/me/directory-groups/${id}/role`, { token, body: { role } });

test('Entra ID looks for a group, creates it, adds and removes members, renames it and deletes it', async () => {
  const user = await createUser();
  const filter = 'displayName eq "Nurses"';
  const search = () => send('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`);
  expect((await search()).body).toMatchObject({ totalResults: 0, Resources: [] });
  const { status, body, headers } = await send('POST', '/Groups', {
    schemas: [group_schema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Nurses',
    meta: { resourceType: 'Group' },
  });
  const now = app.clock.now().toISOString();
  expect([status, body]).toEqual([
    201,
    {
      schemas: [group_schema],
      id: expect.any(String),
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Nurses',
      members: [],
      meta: {
        resourceType: 'Group',
        created: now,
        lastModified: now,
        location: `${app.platform.config.publicUrl}/scim/v2/Groups/${body.id}`,
        version: headers['etag'],
      },
    },
  ]);
  const { id } = body;
  expect((await search()).body.Resources[0]).not.toHaveProperty('members');
  const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: user }] };
  expect((await patch(id, add)).status).toBe(204);
  expect(await listMembers(id)).toEqual([user]);
  const short = await send('GET', `/Groups/${id}?excludedAttributes=members`);
  expect(short.body).not.toHaveProperty('members');
  expect(short.headers['etag']).not.toBe(headers['etag']);
  const { version } = short.body.meta;
  // The same again changes nothing.
  await patch(id, add);
  expect((await send('GET', `/Groups/${id}`)).body.meta.version).toBe(version);
  const stale = await send(
    'PATCH',
    `/Groups/${id}`,
    buildPatch({ op: 'Replace', path: 'displayName', value: 'Late' }),
    { 'if-match': '"old"' },
  );
  expect(stale.status).toBe(412);
  await patch(id, { op: 'Replace', path: 'displayName', value: 'Ward nurses' });
  await patch(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: user }] });
  expect((await send('GET', `/Groups/${id}`)).body).toMatchObject({
    displayName: 'Ward nurses',
    members: [],
  });
  expect((await send('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect((await send('GET', `/Groups/${id}`)).status).toBe(404);
});

test('Okta renames a group without a path, removes a member by a filter, and replaces all members', async () => {
  const [one, two, three] = [await createUser(), await createUser(), await createUser()];
  const { id } = await createGroup([one]);
  await patch(id, { op: 'replace', value: { id, displayName: `Renamed ${id}` } });
  await patch(
    id,
    { op: 'remove', path: `members[value eq "${one}"]` },
    { op: 'add', path: 'members', value: [{ value: two, display: 'two@harbour.example' }] },
  );
  expect(await listMembers(id)).toEqual([two]);
  await patch(id, { op: 'replace', path: 'members', value: [{ value: one }, { value: three }] });
  expect((await listMembers(id)).toSorted()).toEqual([one, three].toSorted());
  await patch(id, { op: 'remove', path: 'members' });
  expect(await listMembers(id)).toEqual([]);
  const put = await send('PUT', `/Groups/${id}`, { displayName: 'Put', members: [{ value: two }] });
  expect([put.status, put.body.displayName, put.body.members.length]).toEqual([200, 'Put', 1]);
});

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
  const acts = await app.request('GET', '/audit-log?action=directories.*&limit=100', { token });
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

test('whom no group with a role concerns keeps the role, and sessions end with a change', async () => {
  const colleague = await createColleague(app, org_id, 'auditor');
  const { id } = await createGroup([colleague.user_id]);
  await patch(id, { op: 'remove', path: 'members' });
  expect(await readRole(colleague.user_id)).toBe('auditor');
  expect((await app.request('GET', '/auth/me', { token: colleague.token })).status).toBe(200);
  await patch(id, { op: 'add', path: 'members', value: [{ value: colleague.user_id }] });
  await setRole(id, 'org_viewer');
  expect(await readRole(colleague.user_id)).toBe('org_viewer');
  expect((await app.request('GET', '/auth/me', { token: colleague.token })).status).toBe(401);
});

test('the last administrator and the owner of the directory’s key keep their role', async () => {
  const { id } = await createGroup([admin.user_id]);
  expect((await setRole(id, 'org_viewer')).body.code).toBe('last_admin');
  await createColleague(app, org_id, 'org_admin');
  expect((await setRole(id, 'org_admin')).status).toBe(200);
  const refused = await patch(id, { op: 'remove', path: 'members' });
  expect([refused.status, await readRole(admin.user_id)]).toEqual([409, 'org_admin']);
  // The refusal is in the log once an hour.
  await patch(id, { op: 'remove', path: 'members' });
  const log = await app.request('GET', '/audit-log?action=directories.refused&limit=100', { token });
  const reasons = log.body.data.map(({ detail }: { detail: { reason: string } }) => detail.reason);
  expect(reasons.filter((reason: string) => reason === 'directory_key_owner')).toHaveLength(1);
});

test('what is no group, no member and no operation is refused, and nothing changes', async () => {
  const { id, displayName } = await createGroup();
  const taken = await send('POST', '/Groups', { displayName: displayName.toUpperCase() });
  expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
  const stranger = await app.registerMember();
  const cases = [
    [{ op: 'add', path: 'members', value: [{ value: unknownId }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: stranger.user_id }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: 7 }] }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
    [{ op: 'replace', path: 'roles', value: 'org_admin' }, 'invalidPath'],
    [{ op: 'move', path: 'members', value: [] }, 'invalidSyntax'],
    [{ op: 'remove' }, 'invalidSyntax'],
    [{ op: 'remove', path: 'members[value co "x"]' }, 'invalidPath'],
  ] as const;
  for (const [operation, scimType] of cases) {
    const { status, body } = await patch(id, operation);
    expect([operation, status, body.scimType]).toEqual([operation, 400, scimType]);
  }
  expect(await listMembers(id)).toEqual([]);
  expect((await send('GET', '/Groups?filter=members eq "x"')).body.scimType).toBe('invalidFilter');
  expect((await send('POST', '/Groups', {})).status).toBe(400);
});

test('groups of another organisation do not exist, and only administrators give roles', async () => {
  const { id } = await createGroup();
  const other = await createDirectory(app);
  for (const group of [id, unknownId, 'no-id']) {
    expect((await other.send('GET', `/Groups/${group}`)).status).toBe(404);
    expect((await other.send('DELETE', `/Groups/${group}`)).status).toBe(404);
  }
  const path = `/orgs/me/directory-groups/${id}/role`;
  const body = { role: 'auditor' };
  const theirs = await app.request('PUT', path, { token: other.admin.token, body });
  expect([theirs.status, theirs.body.code]).toEqual([404, 'directory_group_not_found']);
  const viewer = await createColleague(app, org_id, 'org_viewer');
  expect((await app.request('PUT', path, { token: viewer.token, body })).status).toBe(403);
  expect((await app.request('PUT', path, { body })).status).toBe(401);
  expect((await setRole(id, 'owner')).status).toBe(422);
});

test('an organisation has at most 200 groups, and one request changes at most 500 roles', async () => {
  const directory = await createDirectory(app);
  await app.sql.run(sql`
    insert into directory_groups (id, org_id, display_name, version, created_at, changed_at)
    select gen_random_uuid(), ${directory.org_id}, 'Group ' || number, 1, now(), now() from generate_series(1, 200) as number`);
  const full = await directory.send('POST', '/Groups', { displayName: 'One more' });
  expect([full.status, full.body.scimType]).toEqual([409, 'tooMany']);
  const { body } = await directory.send('GET', '/Groups?startIndex=199&count=500');
  expect([body.totalResults, body.itemsPerPage]).toEqual([200, 2]);
  await app.sql.run(sql`
    insert into users (id, email, role, org_id, password_hash, created_at, last_login)
    select gen_random_uuid(), 'many-' || number || '@harbour.example', 'org_viewer', ${directory.org_id}, '', now(), now() from generate_series(1, 501) as number`);
  const id = body.Resources[0].id;
  await app.sql.run(sql`
    insert into directory_members (group_id, user_id)
    select ${id}, id from users where org_id = ${directory.org_id} and email like 'many-%'`);
  const refused = await app.request('PUT', `/orgs/me/directory-groups/${id}/role`, {
    token: directory.admin.token,
    body: { role: 'auditor' },
  });
  expect([refused.status, refused.body.code]).toEqual([409, 'directory_group_full']);
});
