import { beforeAll, expect, test } from 'vitest';
import { idp } from '@tessera/saml/testing';
import { setTier } from '#modules/organisations/orgs';
import { createColleague } from '#test/colleague.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { buildConfigurationBody, createOperatorOrganisation } from '#test/modules/sso.ts';
import { proves } from '#test/requirements.ts';
import { password } from '#test/users.ts';

let configuration: unknown;
const app = await startApp();
const ours = await createOperatorOrganisation(app);
beforeAll(async () => {
  const at = `/orgs/${ours.org_id}/sso/configure`;
  const body = buildConfigurationBody();
  configuration = (await app.request('POST', at, { token: ours.token, body })).body;
});

const read = (org_id: string, token?: string) =>
  app.request('GET', `/orgs/${org_id}/sso/configuration`, { ...(token && { token }) });

test('administrators and auditors read the configuration, which contains no private key', async () => {
  proves('sso-configuration-get-endpoint-jwt');
  for (const { token } of [ours, await createColleague(app, ours.org_id, 'auditor')]) {
    const { status, body } = await read(ours.org_id, token);
    expect([status, body]).toEqual([200, configuration]);
    expect(JSON.stringify(body)).not.toMatch(/PRIVATE|BEGIN/);
  }
});

test('shows how many days are left until a certificate expires', async () => {
  app.clock.set(new Date('2034-12-30T12:00:00Z'));
  const { body: login } = await app.request('POST', '/auth/login', { body: { email: ours.email, password } });
  const { body } = await read(ours.org_id, login.access_token);
  expect(body.idp_certificates[0]).toMatchObject({
    days_left: 1,
    expired: false,
    subject: 'CN=idp.harbour.example',
  });
  app.clock.set(new Date('2026-03-02T09:00:00Z'));
  expect(idp.identity.certificate).toContain('BEGIN');
});

test('refuses viewers, members, platform administrators and callers who are not logged in', async () => {
  expect((await read(ours.org_id)).status).toBe(401);
  for (const { token } of [
    await createColleague(app, ours.org_id, 'org_viewer'),
    await app.registerMember(),
    await app.registerPlatformAdmin(),
  ]) {
    const { status, body } = await read(ours.org_id, token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('replies 404 for another organisation, and 422 for an id that is not a UUID', async () => {
  const theirs = await createOperatorOrganisation(app);
  for (const org_id of [ours.org_id, unknownId]) {
    const { status, body } = await read(org_id, theirs.token);
    expect([status, body.code]).toEqual([404, 'organisation_not_found']);
  }
  expect((await read('me', theirs.token)).status).toBe(422);
});

test('replies 404 without a configuration, and 403 below tier E3 Operator', async () => {
  proves('sso-configuration-get-endpoint-jwt');
  const admin = await createOperatorOrganisation(app);
  const none = await read(admin.org_id, admin.token);
  expect([none.status, none.body.code]).toEqual([404, 'sso_not_configured']);
  await setTier(app.platform, { org: admin.org_id, tier: 'E2 Builder' });
  const low = await read(admin.org_id, admin.token);
  expect([low.status, low.body.code]).toEqual([403, 'organisation_tier_too_low']);
});
