import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  listCredentialEvents,
  listForms,
  createCredential,
  requestRevocation,
  requestVerification,
} from '#test/modules/credentials.ts';

let member: TestMember;
const app = await startApp();
beforeAll(async () => {
  member = await app.registerMember();
});

test('once its member has revoked a credential, none of its forms verifies', async () => {
  proves(
    'credential-revoke-endpoint-jwt',
    'credential-revoke-active-to-revoked',
    'credential-revoke-owner-or-platform-admin',
    'credential-statuses',
  );
  const credential = await createCredential(app, member.token);
  for (const form of listForms(credential))
    expect((await requestVerification(app, form)).body.valid).toBe(true);
  app.clock.advance(1_500);
  const { status, body } = await requestRevocation(app, member.token, credential.id, {
    reason: 'I left that path.',
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...credential,
    status: 'revoked',
    revoked_at: app.clock.now().toISOString(),
    revocation_reason: 'I left that path.',
    verifications: expect.any(Number),
  });
  for (const form of listForms(credential))
    expect((await requestVerification(app, form)).body).toMatchObject({
      valid: false,
      checks: { signature: 'passed', expiry: 'passed', revocation: 'revoked' },
    });
  expect((await app.request('GET', `/credentials/${credential.id}/verify`)).body).toMatchObject({
    valid: false,
    status: 'revoked',
    checks: { revocation: 'revoked' },
  });
});

test('a revocation emits one event and writes one audit entry, and revoking again changes nothing', async () => {
  proves('credential-revoke-emits-attestation-revoked');
  const { id } = await createCredential(app, member.token);
  const first = await requestRevocation(app, member.token, id, { reason: 'first' });
  app.clock.advance(60_000);
  const again = await requestRevocation(app, member.token, id, { reason: 'second' });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await listCredentialEvents(app, 'attestation.revoked', id)).toEqual([
    expect.objectContaining({
      credential_id: id,
      member_id: member.member_id,
      status: 'revoked',
      revoked_at: first.body.revoked_at,
    }),
  ]);
  const audited = await app.sql.list(sql`
    select actor_user_id from audit_log where action = 'credentials.revoked' and detail->>'credential_id' = ${id}`);
  expect(audited).toEqual([{ actor_user_id: member.user_id }]);
});

test('a platform administrator can revoke any credential, even without a reason', async () => {
  const { id } = await createCredential(app, member.token);
  const { token } = await app.registerPlatformAdmin();
  expect(await requestRevocation(app, token, id)).toMatchObject({
    status: 200,
    body: { status: 'revoked', revocation_reason: null },
  });
});

test('an expired credential can be revoked and then has the status revoked', async () => {
  const { id } = await createCredential(app, member.token, { expiry_days: 1 });
  app.clock.advance(2 * 86_400_000);
  // The member's access token has expired as well.
  const { body: session } = await app.request('POST', '/auth/login', {
    body: { email: member.email, password: member.password },
  });
  member = { ...member, token: session.access_token };
  expect((await app.request('GET', `/credentials/${id}`, { token: member.token })).body.status).toBe(
    'expired',
  );
  expect((await requestRevocation(app, member.token, id)).body.status).toBe('revoked');
});

test('concurrent requests revoke a credential once', async () => {
  const { id } = await createCredential(app, member.token);
  const replies = await Promise.all([1, 2, 3, 4].map(() => requestRevocation(app, member.token, id)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await listCredentialEvents(app, 'attestation.revoked', id)).toHaveLength(1);
});

test('concurrent revocations of many credentials all take effect', async () => {
  const many = await Promise.all(Array.from({ length: 20 }, () => createCredential(app, member.token)));
  await Promise.all(many.map(({ id }) => requestRevocation(app, member.token, id)));
  const replies = await Promise.all(
    many.map(({ formats }) => requestVerification(app, formats.attestation_token)),
  );
  expect(replies.map(({ body }) => body.checks.revocation)).toEqual(many.map(() => 'revoked'));
});

test('another member’s credential is not found, and other roles are refused', async () => {
  const { id, formats } = await createCredential(app, member.token);
  const other = await app.registerMember();
  for (const [token, at] of [
    [other.token, id],
    [member.token, unknownId],
  ] as const)
    expect(await requestRevocation(app, token, at)).toMatchObject({
      status: 404,
      body: { code: 'credential_not_found' },
    });
  const org = await app.registerOrgAdmin();
  expect(await requestRevocation(app, org.token, id)).toMatchObject({
    status: 403,
    body: { code: 'role_not_allowed' },
  });
  expect((await app.request('POST', `/credentials/${id}/revoke`, { body: {} })).status).toBe(401);
  expect((await requestVerification(app, formats.attestation_token)).body.valid).toBe(true);
});

test('an invalid field is refused by name', async () => {
  const { id } = await createCredential(app, member.token);
  for (const [at, body, pointer] of [
    [id, { reason: '' }, '/reason'],
    [id, { reason: 'x'.repeat(501) }, '/reason'],
    [id, { reason: 7 }, '/reason'],
    [id, { because: 'x' }, '/because'],
    ['verify-me', {}, '/credential_id'],
  ] as const) {
    const reply = await requestRevocation(app, member.token, at, body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
  }
});
