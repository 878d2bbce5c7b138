import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  buildPatch,
  createDirectory,
  createGroupsFixture,
  group_schema,
  sendWithoutRights,
} from '#test/modules/directories.ts';

const app = await startApp();
const { send, admin, org_id, createGroup, createUser, patch, listMembers, readRole, setRole } =
  await createGroupsFixture(app);

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
  const log = await app.request('GET', '/audit-log?action=directories.refused&limit=100', {
    token: admin.token,
  });
  const reasons = log.body.data.map(({ detail }: { detail: { reason: string } }) => detail.reason);
  expect(reasons.filter((reason: string) => reason === 'directory_key_owner')).toHaveLength(1);
});

test('what is no member and no operation is refused, and nothing changes', async () => {
  const { id } = await createGroup();
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
});

test('a directory changes its own groups alone, with its key', async () => {
  const { id } = await createGroup();
  const rename = buildPatch({ op: 'replace', path: 'displayName', value: 'Theirs' });
  const other = await createDirectory(app);
  for (const group of [id, unknownId, 'no-id'])
    expect((await other.send('PATCH', `/Groups/${group}`, rename)).status).toBe(404);
  expect(await sendWithoutRights(app, org_id, 'PATCH', `/Groups/${id}`, rename)).toEqual([401, 403]);
  expect((await send('GET', `/Groups/${id}`)).body.displayName).not.toBe('Theirs');
});
