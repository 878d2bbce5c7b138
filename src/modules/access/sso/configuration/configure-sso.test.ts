import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate, toBareBase64, domain, idp, buildIdpMetadata } from '@tessera/saml/testing';
import { setTier } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { buildConfigurationBody, createOperatorOrganisation } from '#test/modules/sso.ts';
import { proves } from '#test/requirements.ts';
import type { TestOrgUser } from '#test/users.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });
const ours = await createOperatorOrganisation(app);

const configure = (
  { token, org_id }: Pick<TestOrgUser, 'token' | 'org_id'>,
  body: object,
  more: object = {},
  on = app,
) => on.request('POST', `/orgs/${org_id}/sso/configure`, { token, body, ...more });

const listConfigurations = (org_id: string) =>
  app.sql.list(sql<Record<string, unknown>>`select * from sso_configurations where org_id = ${org_id}`);

describe('an administrator', () => {
  test('configures single sign-on by fields, and gets the addresses for the identity provider', async () => {
    proves('sso-configure-endpoint-jwt', 'sso-configure-by-org-admin', 'sso-configured-per-organisation');
    const { status, body } = await configure(
      ours,
      buildConfigurationBody({ email_domains: [domain.toUpperCase(), domain] }),
    );
    const base = `https://tessera.example/api/v1/auth/sso/${ours.org_id}`;
    const now = app.clock.now().toISOString();
    expect([status, body]).toEqual([
      200,
      {
        org_id: ours.org_id,
        enabled: true,
        sp_entity_id: `${base}/metadata`,
        acs_url: `${base}/acs`,
        metadata_url: `${base}/metadata`,
        login_url: `${base}/login`,
        idp_entity_id: idp.entity_id,
        idp_sso_url: idp.sso_url,
        idp_metadata_url: null,
        idp_certificates: [
          {
            fingerprint_sha256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
            subject: 'CN=idp.harbour.example',
            not_before: '2025-01-01T00:00:00.000Z',
            not_after: '2035-01-01T00:00:00.000Z',
            days_left: 3_226,
            expired: false,
          },
        ],
        attribute_mapping: { email: 'email', name: null },
        email_domains: [domain],
        domains: [
          {
            domain: 'harbour.example',
            verified: true,
            verified_by: 'reserved_name',
            verified_at: null,
            record_name: '_tessera-challenge.harbour.example',
            record_value: expect.stringMatching(/^tessera-verification=[\w-]{24}$/),
          },
        ],
        default_role: 'org_viewer',
        allow_idp_initiated: false,
        administrators_from: new Date(app.clock.now().getTime() + 24 * 3_600_000).toISOString(),
        created_at: now,
        updated_at: now,
      },
    ]);
  });

  test('replaces a configuration completely, except its time of creation', async () => {
    const first = (await configure(ours, buildConfigurationBody())).body;
    app.clock.advance(1_000);
    const mapping = { email: 'urn:oid:0.9.2342.19200300.100.1.3', name: 'displayName' };
    const changes = {
      attribute_mapping: mapping,
      default_role: 'auditor',
      allow_idp_initiated: true,
      enabled: false,
      email_domains: ['b.example'],
    };
    const { body } = await configure(ours, buildConfigurationBody(changes));
    expect(body).toMatchObject({
      ...changes,
      created_at: first.created_at,
      updated_at: app.clock.now().toISOString(),
    });
    const { body: third } = await configure(ours, buildConfigurationBody());
    expect(third).toMatchObject({ default_role: 'org_viewer', allow_idp_initiated: false, enabled: true });
    expect(await listConfigurations(ours.org_id)).toHaveLength(1);
  });

  test('configures single sign-on by metadata as XML', async () => {
    const other = createCertificate({ name: 'next' });
    const certificates = [idp.identity.certificate, other.certificate, idp.identity.certificate];
    const { email_domains } = buildConfigurationBody();
    const { status, body } = await configure(ours, {
      idp_metadata_xml: buildIdpMetadata({ certificates }),
      email_domains,
    });
    expect([status, body.idp_entity_id, body.idp_sso_url]).toEqual([200, idp.entity_id, idp.sso_url]);
    expect(body.idp_certificates.map(({ subject }: { subject: string }) => subject)).toEqual([
      'CN=idp.harbour.example',
      'CN=next',
    ]);
  });

  test('may give certificates as PEM or bare base64, and expired ones, which are shown as expired', async () => {
    const expired = createCertificate({ name: 'old', not_after: new Date('2026-03-01T00:00:00Z') });
    const expiring = createCertificate({ name: 'soon', not_after: new Date('2026-03-04T00:00:00Z') });
    const { body } = await configure(
      ours,
      buildConfigurationBody({
        idp_certificates: [toBareBase64(expired.certificate), `\n${expiring.certificate}\n`],
      }),
    );
    expect(
      body.idp_certificates.map((each: Record<string, unknown>) => [
        each['subject'],
        each['days_left'],
        each['expired'],
      ]),
    ).toEqual([
      ['CN=old', 0, true],
      ['CN=soon', 1, false],
    ]);
  });

  test('retries a request with its Idempotency-Key without changing the configuration again', async () => {
    const headers = { 'idempotency-key': 'sso-1' };
    const first = await configure(ours, buildConfigurationBody(), { headers });
    app.clock.advance(1_000);
    const second = await configure(ours, buildConfigurationBody(), { headers });
    expect([second.body, second.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
  });

  test('causes an audit entry with the trusted keys and domains', async () => {
    await configure(ours, buildConfigurationBody());
    const log = await app.request('GET', '/audit-log?action=sso.configured&limit=1', { token: ours.token });
    expect(log.body.data[0]).toMatchObject({
      action: 'sso.configured',
      actor: { user_id: ours.user_id, role: 'org_admin' },
      detail: {
        enabled: true,
        default_role: 'org_viewer',
        allow_idp_initiated: false,
        certificates: expect.stringMatching(/^[0-9A-F:]{95}$/),
        email_domains: domain,
      },
    });
  });
});

describe('metadata by URL', () => {
  let local: TestApp;
  let admin: TestOrgUser;
  let origin: string;
  const responses: Record<
    string,
    () => { readonly status?: number; readonly location?: string; readonly text?: string | Buffer }
  > = {
    '/metadata': () => ({ text: buildIdpMetadata({ location: 'http://127.0.0.1:9/login' }) }),
    '/moved': () => ({ status: 302, location: '/metadata' }),
    '/missing': () => ({ status: 404, text: buildIdpMetadata() }),
    '/page': () => ({ text: '<!doctype html><p>Log in' }),
    '/wide': () => ({
      text: Buffer.from(`\ufeff${buildIdpMetadata().replace('UTF-8', 'utf-16')}`, 'utf16le').swap16(),
    }),
    '/undecodable': () => ({ text: Buffer.from('<a>Zürich</a>', 'latin1') }),
    '/huge': () => ({ text: `<a>${' '.repeat(1024 * 1024)}</a>` }),
  };
  const server = createServer((request, response) => {
    const { status = 200, location, text } = responses[request.url!]!();
    response.writeHead(status, { ...(location && { location }), 'content-type': 'text/xml' }).end(text);
  });
  afterAll(() => void server.close());

  beforeAll(async () => {
    local = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
    admin = await createOperatorOrganisation(local);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  const { email_domains } = buildConfigurationBody();

  test.each(['/metadata', '/moved', '/wide'])(
    'is fetched, even after a redirect or in UTF-16: %s',
    async (path) => {
      const { status, body } = await configure(
        admin,
        { idp_metadata_url: origin + path, email_domains },
        {},
        local,
      );
      expect([status, body.idp_entity_id, body.idp_metadata_url]).toEqual([
        200,
        idp.entity_id,
        origin + path,
      ]);
    },
  );

  test.each([
    ['/missing', 'replies with status 404'],
    ['/page', 'must be SAML metadata, and is a web page'],
    ['/undecodable', 'must be text in UTF-8, or in the encoding that it declares'],
    ['/huge', 'sends a response that is too large'],
  ])('is refused if the URL does not give metadata: %s', async (path, reason) => {
    const { status, body } = await configure(
      admin,
      { idp_metadata_url: origin + path, email_domains },
      {},
      local,
    );
    expect([status, body.errors]).toEqual([422, [{ pointer: '/idp_metadata_url', reason }]]);
  });

  test.each([
    'http://metadata.example/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user:password@metadata.example/',
    'https://metadata.example:22/',
  ])('is never fetched from a private address or without https: %s', async (idp_metadata_url) => {
    const before = await listConfigurations(ours.org_id);
    const { status, body } = await configure(ours, { idp_metadata_url, email_domains });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', '/idp_metadata_url']);
    expect(await listConfigurations(ours.org_id)).toEqual(before);
  });
});

describe('refuses a configuration and keeps the earlier one', () => {
  const { email_domains, ...fields } = buildConfigurationBody();
  const weak = createCertificate({ bits: 1024 });
  const elliptic = createCertificate({ elliptic: true });
  const xml = buildIdpMetadata();
  const cases: readonly (readonly [string, object, string])[] = [
    ['without an identity provider', { email_domains }, '/idp_metadata_url'],
    ['without a field', { email_domains, idp_entity_id: 'a', idp_sso_url: idp.sso_url }, '/idp_certificates'],
    [
      'without a login address',
      { email_domains, idp_entity_id: 'a', idp_certificates: ['a'] },
      '/idp_sso_url',
    ],
    [
      'without an entity id',
      { email_domains, idp_sso_url: idp.sso_url, idp_certificates: ['a'] },
      '/idp_entity_id',
    ],
    ['with two identity providers', { email_domains, ...fields, idp_metadata_xml: xml }, '/idp_certificates'],
    [
      'with two kinds of metadata',
      { email_domains, idp_metadata_xml: xml, idp_metadata_url: 'https://a.example/' },
      '/idp_metadata_xml',
    ],
    ['without domains', fields, '/email_domains'],
    ['with an empty list of domains', buildConfigurationBody({ email_domains: [] }), '/email_domains'],
    ['with an invalid domain', buildConfigurationBody({ email_domains: ['*'] }), '/email_domains/0'],
    ['with a domain of one label', buildConfigurationBody({ email_domains: ['com'] }), '/email_domains/0'],
    [
      'with an email address as a domain',
      buildConfigurationBody({ email_domains: ['a@b.example'] }),
      '/email_domains/0',
    ],
    [
      'with the default role org_admin',
      buildConfigurationBody({ default_role: 'org_admin' }),
      '/default_role',
    ],
    ['with the default role member', buildConfigurationBody({ default_role: 'member' }), '/default_role'],
    [
      'with a login address over http',
      buildConfigurationBody({ idp_sso_url: 'http://idp.example/' }),
      '/idp_sso_url',
    ],
    [
      'with a script as the login address',
      buildConfigurationBody({ idp_sso_url: 'javascript:alert(1)' }),
      '/idp_sso_url',
    ],
    [
      'with user information in the login address',
      buildConfigurationBody({ idp_sso_url: 'https://a@idp.example/' }),
      '/idp_sso_url',
    ],
    ['with a space in the entity id', buildConfigurationBody({ idp_entity_id: 'a b' }), '/idp_entity_id'],
    [
      'with an empty list of certificates',
      buildConfigurationBody({ idp_certificates: [] }),
      '/idp_certificates',
    ],
    [
      'with a text that is not a certificate',
      buildConfigurationBody({ idp_certificates: ['hello'] }),
      '/idp_certificates/0',
    ],
    [
      'with a public key instead of a certificate',
      buildConfigurationBody({ idp_certificates: [idp.identity.publicKey] }),
      '/idp_certificates/0',
    ],
    [
      'with a private key',
      buildConfigurationBody({ idp_certificates: [idp.identity.certificate, idp.identity.privateKey] }),
      '/idp_certificates/1',
    ],
    [
      'with a weak key',
      buildConfigurationBody({ idp_certificates: [weak.certificate] }),
      '/idp_certificates/0',
    ],
    [
      'with an elliptic-curve key',
      buildConfigurationBody({ idp_certificates: [elliptic.certificate] }),
      '/idp_certificates/0',
    ],
    [
      'with eleven certificates',
      buildConfigurationBody({ idp_certificates: Array(11).fill(idp.identity.certificate) }),
      '/idp_certificates',
    ],
    [
      'with an unknown attribute mapping',
      buildConfigurationBody({ attribute_mapping: { role: 'role' } }),
      '/attribute_mapping/role',
    ],
    ['with an unknown field', buildConfigurationBody({ sp_entity_id: 'x' }), '/sp_entity_id'],
    [
      'with metadata without an identity provider',
      { email_domains, idp_metadata_xml: '<a/>' },
      '/idp_metadata_xml',
    ],
    [
      'with metadata that declares entities',
      { email_domains, idp_metadata_xml: `<!DOCTYPE a [<!ENTITY b "c">]>${xml}` },
      '/idp_metadata_xml',
    ],
    [
      'with a weak key in the metadata',
      { email_domains, idp_metadata_xml: buildIdpMetadata({ certificates: [weak.certificate] }) },
      '/idp_metadata_xml',
    ],
    [
      'with a script as the login address in the metadata',
      { email_domains, idp_metadata_xml: buildIdpMetadata({ location: 'javascript:alert(1)' }) },
      '/idp_metadata_xml',
    ],
    [
      'with metadata without keys',
      { email_domains, idp_metadata_xml: buildIdpMetadata({ certificates: [] }) },
      '/idp_metadata_xml',
    ],
  ];

  test.each(cases)('%s', async (_, requested, pointer) => {
    const before = await listConfigurations(ours.org_id);
    const { status, body } = await configure(ours, requested);
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer]);
    expect(await listConfigurations(ours.org_id)).toEqual(before);
  });
});

describe('refuses to configure single sign-on', () => {
  test('without logging in, and for all roles except administrator', async () => {
    const at = `/orgs/${ours.org_id}/sso/configure`;
    expect((await app.request('POST', at, { body: buildConfigurationBody() })).status).toBe(401);
    const colleagues = [
      await createColleague(app, ours.org_id, 'org_viewer'),
      await createColleague(app, ours.org_id, 'auditor'),
    ];
    const before = await listConfigurations(ours.org_id);
    for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin(), ...colleagues]) {
      const { status, body } = await app.request('POST', at, { token, body: buildConfigurationBody() });
      expect([status, body.code]).toEqual([403, 'role_not_allowed']);
    }
    expect(await listConfigurations(ours.org_id)).toEqual(before);
  });

  test('for another organisation, with the same reply as for one that does not exist', async () => {
    const theirs = await createOperatorOrganisation(app);
    for (const org_id of [theirs.org_id, unknownId]) {
      const { status, body } = await configure({ token: ours.token, org_id }, buildConfigurationBody());
      expect([status, body.code]).toEqual([404, 'organisation_not_found']);
    }
    expect(await listConfigurations(theirs.org_id)).toEqual([]);
  });

  test('below tier E3 Operator', async () => {
    proves('sso-configure-needs-e3-operator-or-above');
    const admin = await app.registerOrgAdmin();
    for (const [tier, status] of [
      ['E1 Explorer', 403],
      ['E2 Builder', 403],
      ['E3 Operator', 200],
      ['partner', 200],
    ] as const) {
      await setTier(app.platform, { org: admin.org_id, tier });
      const response = await configure(admin, buildConfigurationBody());
      const code = status === 403 ? 'organisation_tier_too_low' : undefined;
      expect([tier, response.status, response.body.code]).toEqual([tier, status, code]);
    }
  });
});
