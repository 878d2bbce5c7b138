import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  setConsent,
  createCredential,
  requestRevocation,
  registerSharingMember,
} from '#test/modules/credentials.ts';

let app: TestApp;
let member: Awaited<ReturnType<typeof registerSharingMember>>;
beforeAll(async () => {
  app = await startApp();
  member = await registerSharingMember(app);
});

const ask = (id: string) => app.request('GET', `/credentials/${id}/verify`);
const share = (id: string, visibility = 'public') =>
  app.request('PUT', `/credentials/${id}/visibility`, { token: member.token, body: { visibility } });

test('anybody who has the id learns whether the credential holds, and of a private one no more', async () => {
  proves(
    'credential-verify-by-id-endpoint-public',
    'credential-verify-by-id-checks-signature-expiry-revocation',
  );
  const { id } = await createCredential(app, member.token);
  const { status, body } = await ask(id);
  expect([status, body]).toEqual([
    200,
    {
      credential_id: id,
      status: 'active',
      issuer: 'did:web:localhost%3A8420',
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

test('signature, expiry and revocation each fail by name', async () => {
  const broken = await createCredential(app, member.token);
  const other = await createCredential(app, member.token);
  await app.sql.run(sql`
    update credentials set vc_jwt = overlay(vc_jwt placing ${other.formats.vc_jwt.slice(-86)}::text from length(vc_jwt) - 85)
    where id = ${broken.id}`);
  expect((await ask(broken.id)).body).toMatchObject({ valid: false, checks: { signature: 'wrong' } });
  await requestRevocation(app, member.token, other.id);
  expect((await ask(other.id)).body).toMatchObject({
    valid: false,
    status: 'revoked',
    checks: { signature: 'passed', revocation: 'revoked' },
  });
  const short = await createCredential(app, member.token, { expiry_days: 1 });
  const before = app.clock.now();
  app.clock.set(new Date(short.expires_at));
  expect((await ask(short.id)).body).toMatchObject({
    valid: false,
    status: 'expired',
    checks: { signature: 'passed', expiry: 'expired', revocation: 'passed' },
  });
  app.clock.set(before);
});

test('a public one says what it says while its member consents to credential_sharing, and no longer', async () => {
  const { id, claims } = await createCredential(app, member.token);
  await share(id);
  expect((await ask(id)).body.credential).toMatchObject({
    credential_id: id,
    credential_type: 'trait_attestation',
    claims,
  });
  await setConsent(app, member.token, 'credential_sharing', false);
  expect((await ask(id)).body).toMatchObject({ valid: true, credential: null });
  await setConsent(app, member.token, 'credential_sharing', true);
  expect((await ask(id)).body.credential).toMatchObject({ claims });
  await share(id, 'private');
  expect((await ask(id)).body.credential).toBeNull();
});

test('a member who is no longer at level 3 shows nothing', async () => {
  const { id } = await createCredential(app, member.token);
  await share(id);
  await setConsent(app, member.token, 'assessment_data', false);
  expect((await ask(id)).body).toMatchObject({ valid: true, credential: null });
  await setConsent(app, member.token, 'assessment_data', true);
});

test('a revocation by another node counts here although the list in memory is older', async () => {
  const { id } = await createCredential(app, member.token);
  expect((await ask(id)).body.valid).toBe(true);
  await app.sql.run(sql`update credentials set revoked_at = ${app.clock.now()} where id = ${id}`);
  expect((await ask(id)).body).toMatchObject({ valid: false, checks: { revocation: 'revoked' } });
});

test('there is nothing to verify behind an id that nothing has', async () => {
  expect(await ask(unknownId)).toMatchObject({ status: 404, body: { code: 'credential_not_found' } });
  expect((await ask('x')).status).toBe(422);
});
