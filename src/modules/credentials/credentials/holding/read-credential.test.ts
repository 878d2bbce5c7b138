import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { createCredential } from '#test/modules/credentials.ts';

const app = await startApp();

const read = (id: string, token?: string) =>
  app.request('GET', `/credentials/${id}`, { ...(token && { token }) });

test('members read their own credentials, platform administrators any', async () => {
  proves('credential-get-endpoint-jwt', 'credential-get-members-own-admins-all');
  const member = await app.registerMember();
  const credential = await createCredential(app, member.token);
  for (const token of [member.token, (await app.registerPlatformAdmin()).token])
    expect(await read(credential.id, token)).toMatchObject({ status: 200, body: credential });
});

test('another member’s credential is not found, and other roles are refused', async () => {
  const { id } = await createCredential(app, (await app.registerMember()).token);
  const other = await app.registerMember();
  for (const [at, token] of [
    [id, other.token],
    [unknownId, other.token],
  ] as const)
    expect(await read(at, token)).toMatchObject({ status: 404, body: { code: 'credential_not_found' } });
  expect((await read(id, (await app.registerOrgAdmin()).token)).status).toBe(403);
  expect((await read(id)).status).toBe(401);
  expect((await read('not-an-id', other.token)).status).toBe(422);
});

test('a credential expires on its date without any action', async () => {
  const member = await app.registerMember();
  const { id, expires_at } = await createCredential(app, member.token, { expiry_days: 1 });
  const before = app.clock.now();
  app.clock.set(new Date(Date.parse(expires_at) - 1));
  const { body: session } = await app.request('POST', '/auth/login', {
    body: { email: member.email, password: member.password },
  });
  expect((await read(id, session.access_token)).body.status).toBe('active');
  app.clock.advance(1);
  expect((await read(id, session.access_token)).body.status).toBe('expired');
  app.clock.set(before);
});
