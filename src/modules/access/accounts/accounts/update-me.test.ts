import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

const rename = (token: string | undefined, body: object) =>
  app.request('PATCH', '/auth/me', { ...(token !== undefined && { token }), body });

test('a member’s new name is the member’s display name, and GET /auth/me shows it', async () => {
  const { token, member_id, user_id, email } = await app.registerMember({ name: 'Ada' });
  const { status, body } = await rename(token, { display_name: '  Ada Lind ' });
  expect([status, body]).toEqual([
    200,
    {
      id: user_id,
      email,
      handle: null,
      display_name: 'Ada Lind',
      role: 'member',
      linked_entity_id: member_id,
      email_verified: false,
      mfa_enabled: false,
      created_at: app.clock.now().toISOString(),
      last_login: app.clock.now().toISOString(),
    },
  ]);
  expect((await app.request('GET', '/auth/me', { token })).body).toEqual(body);
  expect((await app.request('GET', '/members/me', { token })).body.display_name).toBe('Ada Lind');
});

test('users of an organisation and platform administrators have names of their own', async () => {
  const admin = await app.registerOrgAdmin({ name: 'Harbour Health' });
  expect((await app.request('GET', '/auth/me', { token: admin.token })).body.display_name).toBeNull();
  await rename(admin.token, { display_name: 'Grace' });
  expect((await app.request('GET', '/auth/me', { token: admin.token })).body.display_name).toBe('Grace');
  const users = await app.request('GET', '/orgs/me/users', { token: admin.token });
  expect(users.body.data).toMatchObject([{ id: admin.user_id, display_name: 'Grace' }]);
  expect((await app.request('GET', '/orgs/me', { token: admin.token })).body.name).toBe('Harbour Health');
  const platformAdmin = await app.registerPlatformAdmin();
  expect((await rename(platformAdmin.token, { display_name: 'Root' })).body.display_name).toBe('Root');
});

test('a name that has changed since it was read is not overwritten by a request with If-Match', async () => {
  for (const { token } of [await app.registerMember(), await app.registerOrgAdmin()]) {
    const { headers } = await app.request('GET', '/auth/me', { token });
    const renameIfSame = (display_name: string, etag: unknown) =>
      app.request('PATCH', '/auth/me', {
        token,
        body: { display_name },
        headers: { 'if-match': String(etag) },
      });
    const renamed = await renameIfSame('First', headers['etag']);
    expect([renamed.status, renamed.body.display_name]).toEqual([200, 'First']);
    const refused = await renameIfSame('Second', headers['etag']);
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
    expect(refused.headers['etag']).toBe(renamed.headers['etag']);
    expect((await app.request('GET', '/auth/me', { token })).body.display_name).toBe('First');
  }
});

test('a name changes nobody else', async () => {
  const [one, other] = [
    await app.registerMember({ name: 'One' }),
    await app.registerMember({ name: 'Other' }),
  ];
  await rename(one.token, { display_name: 'Changed' });
  expect((await app.request('GET', '/auth/me', { token: other.token })).body.display_name).toBe('Other');
});

test('an empty, too long or missing name is refused, and so are other fields and anonymous callers', async () => {
  const { token } = await app.registerMember({ name: 'Ada' });
  for (const [body, pointer] of [
    [{ display_name: '   ' }, '/display_name'],
    [{ display_name: 'x'.repeat(201) }, '/display_name'],
    [{ display_name: null }, '/display_name'],
    [{}, '/display_name'],
    [{ display_name: 'Ada', email: 'new@example.org' }, '/email'],
    [{ display_name: 'Ada', role: 'platform_admin' }, '/role'],
  ] as const) {
    const { status, body: problem } = await rename(token, body);
    expect([status, problem.code, problem.errors[0].pointer]).toEqual([422, 'field_invalid', pointer]);
  }
  expect((await rename(undefined, { display_name: 'Ada' })).body.code).toBe('authentication_required');
  expect((await app.request('GET', '/auth/me', { token })).body.display_name).toBe('Ada');
});
