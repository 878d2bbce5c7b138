import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  setConsent,
  createCredential,
  requestRevocation,
  registerSharingMember,
} from '#test/modules/credentials.ts';

const app = await startApp();
const member = await registerSharingMember(app);

const verify = (id: string) => app.request('GET', `/credentials/${id}/verify`);
const setVisibility = (id: string, visibility = 'public') =>
  app.request('PUT', `/credentials/${id}/visibility`, { token: member.token, body: { visibility } });

test('anyone who knows the id learns whether a private credential is valid, but not its content', async () => {
  proves(
    'credential-verify-by-id-endpoint-public',
    'credential-verify-by-id-checks-signature-expiry-revocation',
  );
  const { id } = await createCredential(app, member.token);
  const { status, body } = await verify(id);
  expect([status, body]).toEqual([
    200,
    {
      credential_id: id,
      status: 'active',
      issuer: 'did:web:localhost%3A8420',
      attestation_tier: 'self_attested',
      valid: true,
      checks: {
        form: 'passed',
        issuer: 'passed',
        signature: 'passed',
        expiry: 'passed',
        revocation: 'passed',
      },
      checked_at: app.clock.now().toISOString(),
      credential: null,
    },
  ]);
});

test('the reply names the failed check: signature, expiry or revocation', async () => {
  const broken = await createCredential(app, member.token);
  const other = await createCredential(app, member.token);
  await app.sql.run(sql`
    update credentials set vc_jwt = overlay(vc_jwt placing ${other.formats.vc_jwt.slice(-86)}::text from length(vc_jwt) - 85)
    where id = ${broken.id}`);
  expect((await verify(broken.id)).body).toMatchObject({ valid: false, checks: { signature: 'wrong' } });
  await requestRevocation(app, member.token, other.id);
  expect((await verify(other.id)).body).toMatchObject({
    valid: false,
    status: 'revoked',
    checks: { signature: 'passed', revocation: 'revoked' },
  });
  const short = await createCredential(app, member.token, { expiry_days: 1 });
  const before = app.clock.now();
  app.clock.set(new Date(short.expires_at));
  expect((await verify(short.id)).body).toMatchObject({
    valid: false,
    status: 'expired',
    checks: { signature: 'passed', expiry: 'expired', revocation: 'passed' },
  });
  app.clock.set(before);
});

test('a public credential shows its content only while its member consents to credential_sharing', async () => {
  const { id, claims } = await createCredential(app, member.token);
  await setVisibility(id);
  expect((await verify(id)).body.credential).toMatchObject({
    credential_id: id,
    credential_type: 'trait_attestation',
    claims,
  });
  await setConsent(app, member.token, 'credential_sharing', false);
  expect((await verify(id)).body).toMatchObject({ valid: true, credential: null });
  await setConsent(app, member.token, 'credential_sharing', true);
  expect((await verify(id)).body.credential).toMatchObject({ claims });
  await setVisibility(id, 'private');
  expect((await verify(id)).body.credential).toBeNull();
});

test('a public credential shows no content while its member is below level 3', async () => {
  const { id } = await createCredential(app, member.token);
  await setVisibility(id);
  await setConsent(app, member.token, 'assessment_data', false);
  expect((await verify(id)).body).toMatchObject({ valid: true, credential: null });
  await setConsent(app, member.token, 'assessment_data', true);
});

test('a revocation by another node counts even if the list in memory is older', async () => {
  const { id } = await createCredential(app, member.token);
  expect((await verify(id)).body.valid).toBe(true);
  await app.sql.run(sql`update credentials set revoked_at = ${app.clock.now()} where id = ${id}`);
  expect((await verify(id)).body).toMatchObject({ valid: false, checks: { revocation: 'revoked' } });
});

test('an unknown id is not found', async () => {
  expect(await verify(unknownId)).toMatchObject({ status: 404, body: { code: 'credential_not_found' } });
  expect((await verify('x')).status).toBe(422);
});
