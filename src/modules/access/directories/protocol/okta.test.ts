import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildPatch, createDirectory, user_schema } from '#test/modules/directories.ts';

/** The requests that Okta publishes ("SCIM 2.0 protocol reference"), in their order. */
const app = await startApp();
const { send, admin } = await createDirectory(app);

const okta = {
  schemas: [user_schema],
  userName: 'test.user@harbour.example',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@harbour.example', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

test('the test of the connection reads the first users', async () => {
  const { status, body } = await send('GET', '/Users?startIndex=1&count=2');
  expect([status, body.totalResults, body.Resources[0].userName]).toEqual([200, 1, admin.email]);
  expect(body.Resources[0].roles).toEqual([{ value: 'org_admin', primary: true }]);
});

test('a user is looked up, created, read, updated by a whole representation, deactivated and activated again', async () => {
  const listByName = () =>
    send('GET', `/Users?filter=userName%20eq%20%22${okta.userName}%22&startIndex=1&count=100`);
  expect((await listByName()).body.totalResults).toBe(0);
  const { status, body } = await send('POST', '/Users', okta);
  expect([status, body.externalId, body.password]).toEqual([201, okta.externalId, undefined]);
  expect((await listByName()).body.Resources).toEqual([body]);
  const { id } = body;
  const read = await send('GET', `/Users/${id}`);
  expect(read.body).toEqual(body);
  const replaced = await send('PUT', `/Users/${id}`, {
    ...okta,
    id,
    displayName: '',
    name: { givenName: 'Another', familyName: 'User' },
    meta: { resourceType: 'User' },
  });
  expect([replaced.status, replaced.body.displayName]).toEqual([200, 'Another User']);
  const deactivated = await send(
    'PATCH',
    `/Users/${id}`,
    buildPatch({ op: 'replace', value: { active: false } }),
  );
  expect([deactivated.status, deactivated.body.active]).toEqual([200, false]);
  const activated = await send('PUT', `/Users/${id}`, { ...okta, id, active: true });
  expect(activated.body.active).toBe(true);
});

test('nobody logs in with the password that Okta makes up', async () => {
  const { status } = await app.request('POST', '/auth/login', {
    body: { email: okta.userName, password: okta.password },
  });
  expect(status).toBe(401);
});

test('what the service says about itself needs no key', async () => {
  for (const path of [
    '/ServiceProviderConfig',
    '/ResourceTypes',
    '/ResourceTypes/User',
    '/Schemas',
    `/Schemas/${user_schema}`,
  ]) {
    const response = await app.server.inject(`/scim/v2${path}`);
    expect([path, response.statusCode, response.headers['content-type']]).toEqual([
      path,
      200,
      'application/scim+json',
    ]);
  }
  const { body } = await send('GET', '/ServiceProviderConfig');
  expect(body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
  });
  const schema = (await send('GET', `/Schemas/${user_schema}`)).body;
  expect(schema.meta.location).toBe(`${app.platform.config.publicUrl}/scim/v2/Schemas/${user_schema}`);
  expect((await send('GET', '/Schemas/other')).status).toBe(404);
  const groups = await send('GET', '/Groups?startIndex=1&count=100');
  expect([groups.status, groups.body.totalResults]).toEqual([200, 0]);
});
