import { describe, expect, test } from 'vitest';
import { setTier } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  configureOpenid,
  createOpenidOrganisation,
  listenOnce,
  openid_domain,
  openidClient,
  startOpenidProvider,
} from '#test/modules/openid.ts';
import { buildConfigurationBody } from '#test/modules/sso.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const ours = await createOpenidOrganisation(app);
const { issuer } = await startOpenidProvider(ours.redirect_uri);

const read = (token: string) => app.request('GET', `/orgs/${ours.org_id}/sso/openid`, { token });
const findStored = (org_id: string) =>
  app.sql.find(
    sql<{
      row: string;
    }>`select openid_configurations::text as row from openid_configurations where org_id = ${org_id}`,
  );

test('an administrator sets the provider up; the secret is stored encrypted, never returned and never logged', async () => {
  const mapping = { claim: 'groups', auditor: ['a', 'b'] };
  const { status, body } = await configureOpenid(app, ours, { issuer, role_mapping: mapping });
  const now = app.clock.now();
  expect([status, body]).toEqual([
    200,
    {
      org_id: ours.org_id,
      enabled: true,
      issuer,
      client_id: 'tessera',
      redirect_uri: ours.redirect_uri,
      login_url: ours.redirect_uri.replace('callback', 'login'),
      email_domains: [openid_domain],
      domains: [expect.objectContaining({ domain: openid_domain, verified: true })],
      default_role: 'org_viewer',
      role_mapping: mapping,
      administrators_from: new Date(now.getTime() + 24 * 3_600_000).toISOString(),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    },
  ]);
  expect((await read(ours.admin.token)).body).toEqual(body);
  const log = await app.request('GET', '/audit-log', { token: ours.admin.token });
  expect(log.body.data[0]).toMatchObject({ action: 'sso.openid_configured', detail: { issuer } });
  await app.drainQueue();
  const mails = await app.readMails();
  expect(mails.filter(({ to }) => to === ours.admin.email).length).toBeGreaterThan(0);
  for (const text of [JSON.stringify([body, log.body, mails]), (await findStored(ours.org_id))!.row])
    expect(text).not.toContain(openidClient.client_secret);
});

test('the secret may be left out while issuer and client stay, so that no other server gets it', async () => {
  const keep = { client_secret: undefined };
  expect((await configureOpenid(app, ours, { issuer, ...keep, default_role: 'auditor' })).status).toBe(200);
  const other = await startOpenidProvider(ours.redirect_uri);
  for (const change of [{ issuer: other.issuer }, { issuer, client_id: 'other' }]) {
    const { status, body } = await configureOpenid(app, ours, { ...keep, ...change });
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '/client_secret', reason: 'is required, because the issuer or the client id changes' }],
    ]);
  }
});

test('a provider waits for administrators again only if it trusts somebody new', async () => {
  const org = await createOpenidOrganisation(app);
  const first = await configureOpenid(app, org, { issuer, email_domains: [openid_domain, 'b.example'] });
  app.clock.advance(60_000);
  const narrower = await configureOpenid(app, org, { issuer, enabled: false });
  expect(narrower.body.administrators_from).toBe(first.body.administrators_from);
  const wider = await configureOpenid(app, org, { issuer });
  expect(wider.body.administrators_from > first.body.administrators_from).toBe(true);
});

test('SAML and OpenID Connect are never on together, and a domain keeps its proof when one follows the other', async () => {
  const org = await createOpenidOrganisation(app);
  const configureSaml = (enabled: boolean) =>
    app.request('POST', `/orgs/${org.org_id}/sso/configure`, {
      token: org.admin.token,
      body: buildConfigurationBody({ enabled, email_domains: ['kept-domain.org'] }),
    });
  expect((await configureSaml(true)).status).toBe(200);
  await app.sql.run(
    sql`update organisation_domains set verified_at = now(), verified_by = 'operator' where domain = 'kept-domain.org'`,
  );
  const second = await configureOpenid(app, org, { issuer });
  expect([second.status, second.body.code]).toEqual([409, 'sso_other_protocol']);
  expect(await findStored(org.org_id)).toBeUndefined();
  expect((await configureOpenid(app, org, { issuer, enabled: false })).status).toBe(200);
  expect((await configureSaml(false)).status).toBe(200);
  const on = await configureOpenid(app, org, { issuer, email_domains: ['kept-domain.org'] });
  expect(on.body.domains).toEqual([
    expect.objectContaining({ domain: 'kept-domain.org', verified_by: 'operator' }),
  ]);
  const back = await configureSaml(true);
  expect([back.status, back.body.code]).toEqual([409, 'sso_other_protocol']);
});

test('another issuer knows nobody by the old subjects', async () => {
  const org = await createOpenidOrganisation(app);
  await configureOpenid(app, org, { issuer });
  await app.sql.run(
    sql`insert into openid_subjects (org_id, subject, user_id) values (${org.org_id}, 'ada', ${org.admin.user_id})`,
  );
  const count = () =>
    app.sql.count(sql<{ count: number }>`select count(*) from openid_subjects where org_id = ${org.org_id}`);
  await configureOpenid(app, org, { issuer, default_role: 'auditor' });
  expect(await count()).toBe(1);
  await configureOpenid(app, org, { issuer: (await startOpenidProvider(org.redirect_uri)).issuer });
  expect(await count()).toBe(0);
});

describe('refuses, and keeps the earlier configuration:', () => {
  const described: Record<string, unknown> = {};
  test.each<[string, Readonly<Record<string, unknown>>, string, string]>([
    ['a host that does not exist', { issuer: 'http://127.0.0.1:9' }, '/issuer', 'does not respond'],
    [
      'no secret at first',
      { issuer, client_id: 'new', client_secret: undefined },
      '/client_secret',
      'is required',
    ],
    [
      'personal accounts',
      { issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0' },
      '/issuer',
      'must be the issuer of an organisation',
    ],
    ['an administrator’s role', { issuer, default_role: 'org_admin' }, '/default_role', ''],
    [
      'a public email service',
      { issuer, email_domains: ['gmail.com'] },
      '/email_domains/0',
      'public email service',
    ],
    ['no domain', { issuer, email_domains: [] }, '/email_domains', ''],
    [
      'an empty role mapping',
      { issuer, role_mapping: { claim: 'groups', auditor: [] } },
      '/role_mapping/auditor',
      '',
    ],
    ['text that is no address', { issuer: 'idp' }, '/issuer', ''],
    ['an unknown field', { issuer, redirect_uri: 'https://a.example' }, '/redirect_uri', ''],
  ])('%s', async (_, change, pointer, reason) => {
    const before = await findStored(ours.org_id);
    const { status, body } = await configureOpenid(app, ours, change);
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer]);
    expect(body.errors[0].reason).toContain(reason);
    expect(await findStored(ours.org_id)).toEqual(before);
  });

  test('a server that describes itself as another issuer, as a web page, or without end', async () => {
    const origin = await listenOnce((request, reply) => {
      if (request.url!.startsWith('/huge')) return reply.end(`{"issuer":"${'a'.repeat(300_000)}"}`);
      if (request.url!.startsWith('/page')) return reply.end('<!doctype html>');
      reply.writeHead(200, { 'content-type': 'application/json' });
      return reply.end(JSON.stringify(described));
    });
    described['issuer'] = 'https://login.microsoftonline.com/{tenantid}/v2.0';
    for (const [path, reason] of [
      ['', 'does not describe itself'],
      ['/page', 'does not describe itself'],
      ['/huge', 'sends a response that is too large'],
    ] as const) {
      const { status, body } = await configureOpenid(app, ours, { issuer: origin + path });
      expect([status, body.errors[0].pointer]).toEqual([422, '/issuer']);
      expect(body.errors[0].reason).toContain(reason);
    }
  });

  test('addresses inside the network', async () => {
    const guarded = await startApp();
    const admin = await createOpenidOrganisation(guarded);
    for (const address of [
      'https://127.0.0.1',
      'https://169.254.169.254',
      'https://[::ffff:10.0.0.1]',
      'http://idp.example',
      'https://a:b@idp.example',
      'https://idp.example:22',
    ]) {
      const { status, body } = await configureOpenid(guarded, admin, { issuer: address });
      expect([address, status, body.errors[0].pointer]).toEqual([address, 422, '/issuer']);
    }
  });
});

test('only administrators of the organisation, and of its tier, configure it', async () => {
  const body = { ...openidClient, issuer, email_domains: [openid_domain] };
  const at = `/orgs/${ours.org_id}/sso/openid`;
  expect((await app.request('PUT', at, { body })).status).toBe(401);
  const auditor = await createColleague(app, ours.org_id, 'auditor');
  const viewer = await createColleague(app, ours.org_id);
  for (const { token } of [auditor, viewer, await app.registerMember()])
    expect((await app.request('PUT', at, { token, body })).body.code).toBe('role_not_allowed');
  for (const org_id of [(await createOpenidOrganisation(app)).org_id, unknownId]) {
    expect((await configureOpenid(app, { admin: ours.admin, org_id }, { issuer })).body.code).toBe(
      'organisation_not_found',
    );
  }
  const fresh = await createOpenidOrganisation(app);
  await setTier(app.platform, { org: fresh.org_id, tier: 'E2 Builder' });
  expect((await configureOpenid(app, fresh, { issuer })).body.code).toBe('organisation_tier_too_low');
  app.clock.advance(901_000);
  expect((await configureOpenid(app, ours, { issuer })).body.code).toBe('recent_authentication_required');
});
