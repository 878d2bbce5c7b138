import { describe, expect, test } from 'vitest';
import { setTier } from '#modules/organisations/orgs';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory, sendScim } from '#test/modules/directories.ts';
import { createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const ours = await createDirectory(app);
const theirs = await createDirectory(app);
const { body: ourUser } = await ours.send('POST', '/Users', buildEntraUser());

const requests = [
  ['GET', '/Users', undefined],
  ['POST', '/Users', buildEntraUser()],
  ['GET', `/Users/${ourUser.id}`, undefined],
  ['PUT', `/Users/${ourUser.id}`, buildEntraUser()],
  ['PATCH', `/Users/${ourUser.id}`, buildPatch({ op: 'replace', value: { active: false } })],
  ['DELETE', `/Users/${ourUser.id}`, undefined],
] as const;

describe.each(requests)('%s %s', (method, path, body) => {
  test('is for service keys with the permission alone', async () => {
    const call = async (authorization: string | undefined) => {
      const reply = await sendScim(app, authorization, method, path, body);
      expect(reply.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
      return [reply.status, reply.body.status];
    };
    const other = await createServiceKey(app, ours.admin.token, { permissions: ['GET /orgs/me'] });
    expect(await call(undefined)).toEqual([401, '401']);
    expect(await call('Bearer tsk_wrong')).toEqual([401, '401']);
    expect(await call(`Bearer ${other.key}`)).toEqual([403, '403']);
    expect(await call(`Bearer ${ours.admin.token}`)).toEqual([403, '403']);
    const viewer = await createColleague(app, ours.org_id);
    const member = await app.registerMember();
    const operator = await app.registerPlatformAdmin();
    for (const { token } of [viewer, member, operator]) expect((await call(`Bearer ${token}`))[0]).toBe(403);
  });

  test('reaches nobody of another organisation', async () => {
    if (!path.startsWith('/Users/')) return;
    const reply = await theirs.send(method, path, body);
    const unknown = await theirs.send(method, `/Users/${unknownId}`, body);
    expect([reply.status, reply.body]).toEqual([404, unknown.body]);
    expect((await theirs.send(method, '/Users/no-id', body)).body).toEqual(unknown.body);
    expect((await ours.send('GET', `/Users/${ourUser.id}`)).body).toEqual(ourUser);
  });
});

test('the list has the users of one organisation', async () => {
  const { body } = await theirs.send('GET', '/Users');
  expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual([theirs.admin.user_id]);
});

test('a tier without single sign-on has no directory', async () => {
  const low = await createDirectory(app);
  await setTier(app.platform, { org: low.org_id, tier: 'E1 Explorer' });
  expect((await low.send('GET', '/Users')).status).toBe(403);
  expect((await low.send('POST', '/Users', buildEntraUser())).status).toBe(403);
});

test('a body that is no JSON is refused as SCIM does', async () => {
  const { statusCode, payload, headers } = await app.server.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers: { authorization: `Bearer ${ours.key}`, 'content-type': 'application/scim+json' },
    payload: '{',
  });
  expect([statusCode, headers['content-type'], JSON.parse(payload).scimType]).toEqual([
    400,
    'application/scim+json',
    'invalidSyntax',
  ]);
});
