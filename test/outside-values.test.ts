import { expect, test } from 'vitest';
import { startApp, unknownId } from './harness.ts';
import { selfAttestedDraft } from './modules/credentials.ts';
import { password } from './users.ts';

const app = await startApp();

test.each([
  ['2016-12-31T23:59:60Z', 200],
  ['2016-12-31T23:59:60.000+00:00', 200],
  ['2026-03-01T00:00:00+00:00', 200],
  ['2026-03-01T12:00:60Z', 422],
])('a time in a query is read like any other: %s', async (since, status) => {
  const { token } = await app.registerMember();
  const path = `/audit-log?since=${encodeURIComponent(since)}`;
  expect((await app.request('GET', path, { token })).status).toBe(status);
});

test('one address has one account, however its domain and the space around it are written', async () => {
  const body = { email: ' Ada@München.Example ', password, name: 'Ada', role: 'member' };
  const created = await app.request('POST', '/auth/register', { body });
  expect([created.status, created.body.user.email]).toEqual([201, 'ada@xn--mnchen-3ya.example']);
  for (const email of ['ada@münchen.example', 'ada@xn--mnchen-3ya.example ', '\tADA@MÜNCHEN.EXAMPLE'])
    expect([email, (await app.request('POST', '/auth/login', { body: { email, password } })).status]).toEqual(
      [email, 200],
    );
  const org = await app.registerOrgAdmin();
  const invited = await app.request('POST', '/orgs/me/users', {
    token: org.token,
    body: { email: 'Bo@bücher.example ', role: 'org_viewer' },
  });
  expect([invited.status, invited.body.email]).toEqual([201, 'bo@xn--bcher-kva.example']);
});

test('an id in capital letters is the same id, also where it is compared with that of the caller', async () => {
  const org = await app.registerOrgAdmin();
  const member = await app.registerMember();
  const body = { member_id: unknownId, data_type: 'archetype', price_aud: 1 };
  const buy = async (org_id: string) =>
    (await app.request('POST', '/marketplace/transactions', { token: org.token, body: { ...body, org_id } }))
      .body.code;
  expect([await buy(org.org_id), await buy(org.org_id.toUpperCase())]).toEqual([
    'member_not_found',
    'member_not_found',
  ]);
  expect(await buy(unknownId)).toBe('not_a_party');
  const issue = (member_id: string) =>
    app.request('POST', '/credentials/issue', {
      token: member.token,
      body: { ...selfAttestedDraft, member_id },
    });
  expect((await issue(member.member_id.toUpperCase())).body.code).not.toBe('role_not_allowed');
  expect((await issue(unknownId)).body.code).toBe('role_not_allowed');
});

type DescribedPost = {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: { readonly properties: { email: object } } };
    };
  };
};

test('the document does not promise less than the service reads', async () => {
  const { payload } = await app.server.inject('/openapi.json');
  expect(payload).not.toContain('x-kind');
  const { paths } = JSON.parse(payload) as { paths: Readonly<Record<string, { post: DescribedPost }>> };
  const { email } =
    paths['/api/v1/auth/register']!.post.requestBody.content['application/json'].schema.properties;
  expect(email).toMatchObject({ type: 'string', format: 'idn-email' });
  expect(email).not.toHaveProperty('pattern');
});
