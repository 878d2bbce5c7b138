import { beforeAll, expect, test } from 'vitest';
import { createUser } from '#modules/auth';
import { setTier } from '#modules/orgs';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { password, createEmail, type TestOrgUser } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { buildConfigurationBody, idp, createOperatorOrganisation } from '#test/modules/sso.ts';

let app: TestApp;
let ours: TestOrgUser;
let configured: unknown;
beforeAll(async () => {
  app = await startApp();
  ours = await createOperatorOrganisation(app);
  const at = `/orgs/${ours.org_id}/sso/configure`;
  configured = (await app.request('POST', at, { token: ours.token, body: buildConfigurationBody() })).body;
});

const read = (org_id: string, token?: string) =>
  app.request('GET', `/orgs/${org_id}/sso/configuration`, { ...(token && { token }) });

async function colleague(role: 'auditor' | 'org_viewer'): Promise<string> {
  const email = createEmail();
  await createUser(app.platform, { email, password, role, org_id: ours.org_id, name: undefined });
  return (await app.request('POST', '/auth/login', { body: { email, password } })).body
    .access_token as string;
}

test('administrators and auditors read what was configured, and no key but the other side’s', async () => {
  proves('sso-configuration-get-endpoint-jwt');
  for (const token of [ours.token, await colleague('auditor')]) {
    const { status, body } = await read(ours.org_id, token);
    expect([status, body]).toEqual([200, configured]);
    expect(JSON.stringify(body)).not.toMatch(/PRIVATE|BEGIN/);
  }
});

test('it tells that a certificate has ended, and how long one still holds', async () => {
  app.clock.set(new Date('2034-12-30T12:00:00Z'));
  const { body: login } = await app.request('POST', '/auth/login', { body: { email: ours.email, password } });
  const certificate = async () => (await read(ours.org_id, login.access_token)).body.idp_certificates[0];
  expect(await certificate()).toMatchObject({
    days_left: 1,
    expired: false,
    subject: 'CN=idp.harbour.example',
  });
  app.clock.set(new Date('2026-03-02T09:00:00Z'));
  expect(idp.identity.certificate).toContain('BEGIN');
});

test('nobody else does', async () => {
  expect((await read(ours.org_id)).status).toBe(401);
  for (const token of [
    await colleague('org_viewer'),
    (await app.registerMember()).token,
    (await app.registerPlatformAdmin()).token,
  ]) {
    const { status, body } = await read(ours.org_id, token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('another organisation’s is as if it did not exist, and an id that is none is refused', async () => {
  const theirs = await createOperatorOrganisation(app);
  for (const org_id of [ours.org_id, unknownId]) {
    const { status, body } = await read(org_id, theirs.token);
    expect([status, body.code]).toEqual([404, 'organisation_not_found']);
  }
  expect((await read('me', theirs.token)).status).toBe(422);
});

test('where nothing is configured there is nothing to read, and below tier E3 Operator neither', async () => {
  proves('sso-configuration-get-endpoint-jwt');
  const person = await createOperatorOrganisation(app);
  const none = await read(person.org_id, person.token);
  expect([none.status, none.body.code]).toEqual([404, 'sso_not_configured']);
  await setTier(app.platform, { org: person.org_id, tier: 'E2 Builder' });
  const low = await read(person.org_id, person.token);
  expect([low.status, low.body.code]).toEqual([403, 'organisation_tier_too_low']);
});
