import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory, user_schema } from '#test/modules/directories.ts';

/** The requests that Microsoft publishes for Entra ID ("Develop and plan provisioning for a SCIM endpoint"), in their order. */
const app = await startApp();
const { send, admin } = await createDirectory(app);

test('the test of the connection finds nobody by a name that is no address', async () => {
  const { status, headers, body } = await send('GET', `/Users?filter=userName+eq+"${randomUUID()}"`);
  expect([status, headers['content-type']]).toEqual([200, 'application/scim+json']);
  expect(body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
});

test('a user is created, found, changed, disabled, enabled and removed', async () => {
  const user = buildEntraUser();
  const created = await send('POST', '/Users', user);
  expect(created.status).toBe(201);
  const now = app.clock.now().toISOString();
  const { id } = created.body;
  expect(created.body).toEqual({
    schemas: [user_schema],
    id: expect.any(String),
    externalId: user.externalId,
    userName: user.userName,
    displayName: 'Noor Haddad',
    name: { formatted: 'Noor Haddad' },
    emails: [{ value: user.userName, type: 'work', primary: true }],
    active: true,
    roles: [{ value: 'org_viewer', primary: true }],
    meta: {
      resourceType: 'User',
      created: now,
      lastModified: now,
      location: `${app.platform.config.publicUrl}/scim/v2/Users/${id}`,
      version: created.headers['etag'],
    },
  });
  expect(created.headers['location']).toBe(created.body.meta.location);
  const found = await send('GET', `/Users?filter=userName eq "${user.userName.toUpperCase()}"`);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [created.body] });
  const byId = await send('GET', `/Users?filter=externalId%20eq%20%22${user.externalId}%22`);
  expect(byId.body.Resources[0].id).toBe(id);

  const changed = await send(
    'PATCH',
    `/Users/${id}`,
    buildPatch(
      { op: 'Replace', path: 'displayName', value: 'Noor Haddad-Lee' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@harbour.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Haddad-Lee' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Theatre',
      },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'auditor' },
    ),
  );
  expect([changed.status, changed.body.displayName, changed.body.roles[0].value]).toEqual([
    200,
    'Noor Haddad-Lee',
    'auditor',
  ]);
  expect(changed.body.meta.version).not.toBe(created.body.meta.version);

  const renamed = await send(
    'PATCH',
    `/Users/${id}`,
    buildPatch({ op: 'Replace', path: 'userName', value: 'Renamed.Entra@harbour.example' }),
  );
  expect(renamed.body.userName).toBe('renamed.entra@harbour.example');

  const disabled = await send(
    'PATCH',
    `/Users/${id}`,
    buildPatch({ op: 'Replace', path: 'active', value: 'False' }),
  );
  expect(disabled.body.active).toBe(false);
  const inactive = await send(
    'GET',
    '/Users?filter=active eq false and externalId eq "' + user.externalId + '"',
  );
  expect(inactive.body.totalResults).toBe(1);
  const enabled = await send(
    'PATCH',
    `/Users/${id}`,
    buildPatch({ op: 'Add', path: 'active', value: 'True' }),
  );
  expect(enabled.body.active).toBe(true);

  expect((await send('DELETE', `/Users/${id}`)).status).toBe(204);
  const gone = await send('GET', `/Users/${id}`);
  expect([gone.status, gone.body]).toEqual([
    404,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: expect.any(String),
    },
  ]);
  // Who was removed can come back, with the same id of the directory.
  expect((await send('POST', '/Users', user)).status).toBe(201);
});

test('a user who exists is found by the name and taken over; a second one is refused', async () => {
  const user = buildEntraUser();
  const { body } = await send('POST', '/Users', user);
  const again = await send('POST', '/Users', user);
  expect([again.status, again.body]).toEqual([
    409,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '409',
      scimType: 'uniqueness',
      detail: expect.any(String),
    },
  ]);
  const other = await send('POST', '/Users', buildEntraUser({ externalId: user.externalId }));
  expect([other.status, other.body.scimType]).toEqual([409, 'uniqueness']);
  const colleague = await app.request('GET', '/orgs/me/users', { token: admin.token });
  expect(colleague.body.data.map((each: { id: string }) => each.id)).toContain(body.id);
});
