import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import {
  buildAttributeStatement,
  domain,
  idp,
  buildResponseXml,
  signXml,
  createId,
} from '@tessera/saml/testing';
import { createUser } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp, type TestReply } from '#test/harness.ts';
import {
  completeSsoLogin,
  postResponse,
  createSsoOrganisation,
  startSsoLogin,
  type SsoOrganisation,
} from '#test/modules/sso.ts';
import { proves } from '#test/requirements.ts';
import { logInAgain, password } from '#test/users.ts';

const app = await startApp();
const ours = await createSsoOrganisation(app);

let addresses = 0;
/** Creates an address in the organisation's domain without an account. */
const createAddress = () => `user${addresses++}@${domain}`;

const listUsers = (email: string) =>
  app.sql.list(
    sql<
      Record<string, unknown>
    >`select id, role, org_id, password_hash, email_verified_at from users where email = ${email}`,
  );

/** Counts the rows that a successful login adds. Starting a login adds a request, and a refusal its own entry in the audit log: these are left out. */
const readTraces = () =>
  app.sql.one(
    sql<Record<string, unknown>>`
      select (select count(*) from users) as users, (select count(*) from sessions) as sessions,
        (select count(*) from sso_assertions) as assertions, (select count(*) from audit_log where action <> 'auth.login_failed') as audit_entries,
        (select max(last_login) from users) as last_login`,
  );

const readClaims = ({ body }: Pick<TestReply, 'body'>) =>
  JSON.parse(Buffer.from(String(body.access_token).split('.')[1]!, 'base64url').toString());

describe('a new user of the organisation', () => {
  test('gets an account with the default role, and the same tokens as after a login with a password', async () => {
    proves('sso-users-get-same-jwt', 'sso-configured-per-organisation');
    const email = createAddress();
    const response = await completeSsoLogin(app, ours, { email });
    const [user] = await listUsers(email);
    expect(user).toMatchObject({ role: 'org_viewer', org_id: ours.org_id, email_verified_at: null });
    expect([response.status, response.body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 21_600,
        user: {
          id: user!['id'],
          email,
          role: 'org_viewer',
          linked_entity_id: ours.org_id,
          last_login: app.clock.now().toISOString(),
        },
      },
    ]);
    const { body: login } = await app.request('POST', '/auth/login', {
      body: { email: ours.admin.email, password },
    });
    expect(Object.keys(readClaims(response)).sort()).toEqual(Object.keys(readClaims({ body: login })).sort());
    const { access_token: token } = response.body;
    expect((await app.request('GET', '/auth/me', { token })).body).toMatchObject({
      email,
      role: 'org_viewer',
    });
    expect((await app.request('GET', '/orgs/me', { token })).body.id).toBe(ours.org_id);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: response.cookies, body: {} });
    expect(refreshed.status).toBe(200);
  });

  test('gets the configured role', async () => {
    const auditors = await createSsoOrganisation(app, { default_role: 'auditor' });
    const { body } = await completeSsoLogin(app, auditors, { email: createAddress() });
    expect(body.user.role).toBe('auditor');
  });

  test('has no password', async () => {
    const email = createAddress();
    await completeSsoLogin(app, ours, { email });
    for (const guess of ['!', '', password]) {
      const { status } = await app.request('POST', '/auth/login', { body: { email, password: guess } });
      expect([401, 422]).toContain(status);
    }
  });

  test('cannot set a password by email, so that access ends with the account at the identity provider', async () => {
    const email = createAddress();
    await completeSsoLogin(app, ours, { email });
    expect((await app.request('POST', '/auth/forgot-password', { body: { email } })).status).toBe(200);
    await app.drainQueue();
    expect((await app.readMails()).filter(({ to }) => to === email)).toEqual([]);
  });

  test('gets one account from two concurrent logins', async () => {
    const email = createAddress();
    const both = await Promise.all([
      completeSsoLogin(app, ours, { email }),
      completeSsoLogin(app, ours, { email }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await listUsers(email)).toHaveLength(1);
  });

  test('is recorded in the audit log, and so is each login', async () => {
    const { body } = await completeSsoLogin(app, ours, { email: createAddress() });
    const log = await app.request('GET', `/audit-log?actor_user_id=${body.user.id}`, {
      token: ours.admin.token,
    });
    expect(log.body.data.map(({ action, detail }: Record<string, unknown>) => [action, detail])).toEqual([
      ['sso.logged_in', {}],
      ['sso.user_created', { role: 'org_viewer' }],
    ]);
  });
});

describe('a user with an account', () => {
  const createOrgUser = async (org_id: string, role: 'org_admin' | 'org_viewer' | 'auditor') => {
    const email = createAddress();
    const { id } = await createUser(app.platform, { email, password, role, org_id, name: undefined });
    return { email, id };
  };

  test.each(['org_admin', 'org_viewer', 'auditor'] as const)(
    'in this organisation keeps the role %s',
    async (role) => {
      const { email, id } = await createOrgUser(ours.org_id, role);
      app.clock.advance(24 * 3_600_000);
      const { status, body } = await completeSsoLogin(app, ours, { email: email.toUpperCase() });
      expect([status, body.user]).toEqual([
        200,
        { id, email, role, linked_entity_id: ours.org_id, last_login: app.clock.now().toISOString() },
      ]);
    },
  );

  test('that is suspended is refused', async () => {
    const { email, id } = await createOrgUser(ours.org_id, 'org_viewer');
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${id}`);
    const before = await readTraces();
    const { status, body, cookies } = await completeSsoLogin(app, ours, { email });
    expect([status, body.code, cookies]).toEqual([403, 'account_suspended', {}]);
    expect(await readTraces()).toEqual(before);
  });

  test('that was removed from the organisation gets a new account with the default role', async () => {
    const { email, id } = await createOrgUser(ours.org_id, 'auditor');
    const token = await logInAgain(app, ours.admin);
    const removed = await app.request('DELETE', `/orgs/me/users/${id}`, { token });
    expect(removed.status).toBe(204);
    const { body } = await completeSsoLogin(app, ours, { email });
    expect([body.user.role, body.user.id === id]).toEqual(['org_viewer', false]);
  });

  test('can be removed even if another user logs in with the address that removed accounts get', async () => {
    const evil = await createSsoOrganisation(app, { email_domains: ['removed.invalid'] });
    const { id } = await createOrgUser(ours.org_id, 'org_viewer');
    await completeSsoLogin(app, evil, { email: `${id}@removed.invalid` });
    const token = await logInAgain(app, ours.admin);
    const removed = await app.request('DELETE', `/orgs/me/users/${id}`, { token });
    expect(removed.status).toBe(204);
  });

  test('with MFA needs a code for a password login, and not for single sign-on', async () => {
    const { email, id } = await createOrgUser(ours.org_id, 'org_viewer');
    const logIn = () => app.request('POST', '/auth/login', { body: { email, password } });
    const token = (await logIn()).body.access_token as string;
    const { secret } = (await app.request('POST', '/auth/mfa/setup', { token, body: {} })).body;
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = authenticator.generate({ timestamp: app.clock.now().getTime() });
    expect((await app.request('POST', '/auth/mfa/verify', { token, body: { code } })).status).toBe(200);
    expect((await logIn()).body).toMatchObject({ mfa_ticket: expect.any(String) });
    expect((await completeSsoLogin(app, ours, { email })).body.user.id).toBe(id);
  });

  test('of another organisation, of a member or of a platform administrator is refused', async () => {
    const theirs = await app.registerOrgAdmin();
    const member = await app.registerMember({ email: createAddress() });
    const operator = await app.registerMember({ email: createAddress() });
    await app.sql.run(
      sql`update users set role = 'platform_admin', member_id = null where id = ${operator.user_id}`,
    );
    const emails = [(await createOrgUser(theirs.org_id, 'org_admin')).email, member.email, operator.email];
    for (const email of emails) {
      const before = [await listUsers(email), await readTraces()];
      const response = await completeSsoLogin(app, ours, { email });
      expect([response.status, response.body.code, response.cookies]).toEqual([
        403,
        'sso_account_refused',
        {},
      ]);
      expect(response.body.detail).toMatch(/^This email address cannot log in through this organisation\./);
      expect([await listUsers(email), await readTraces()]).toEqual(before);
    }
  });
});

describe('an email address', () => {
  test.each(['ada@other.example', `ada@sub.${domain}`, `ada@${domain}.evil.example`, `ada@evil-${domain}`])(
    'of another domain is refused: %s',
    async (email) => {
      const { status, body } = await completeSsoLogin(app, ours, { email });
      expect([status, body.code]).toEqual([403, 'sso_account_refused']);
      expect(await listUsers(email)).toEqual([]);
    },
  );

  test.each([
    '',
    'ada',
    `ada@evil.example@${domain}`,
    `ada @${domain}`,
    `a,b@${domain}`,
    `ad\u0430@${domain}`,
    `\u212aate@${domain}`,
    `ada@${domain}&#10;bcc: eve@evil.example`,
    `<saml:NameID>ada@${domain}</saml:NameID>`,
  ])('that is invalid is refused: %j', async (email) => {
    const { status, body } = await completeSsoLogin(app, ours, { email, name_id: 'x' });
    expect([status, body.code]).toEqual([401, 'sso_response_refused']);
  });

  test.each([
    ['absent', buildAttributeStatement({ mail: `ada@${domain}` })],
    ['given twice', buildAttributeStatement({ email: `ada@${domain}` }).repeat(2)],
    [
      'given with two values',
      `<saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>a@${domain}</saml:AttributeValue><saml:AttributeValue>b@${domain}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
    ],
    ['in no attribute statement', ''],
  ])('that is %s is refused', async (_, attributes) => {
    const { status, body } = await completeSsoLogin(app, ours, { attributes });
    expect([status, body.code]).toEqual([401, 'sso_response_refused']);
  });

  test('is read from the mapped attribute, or from the NameID', async () => {
    const urn = 'urn:oid:0.9.2342.19200300.100.1.3';
    const mapped = await createSsoOrganisation(app, { attribute_mapping: { email: urn, name: 'cn' } });
    const [first, second] = [createAddress(), createAddress()];
    const attributes = buildAttributeStatement({ email: `eve@${domain}`, [urn]: `\n  ${first}\n` });
    expect((await completeSsoLogin(app, mapped, { attributes })).body.user.email).toBe(first);
    const named = await createSsoOrganisation(app, { attribute_mapping: { email: 'NameID' } });
    expect((await completeSsoLogin(app, named, { name_id: second, attributes: '' })).body.user.email).toBe(
      second,
    );
  });
});

describe('a response', () => {
  test.each(['Response', 'Assertion'] as const)(
    'may be signed as a response or as an assertion: %s',
    async (over) => {
      const email = createAddress();
      const { id } = await startSsoLogin(app, ours);
      const xml = signXml(buildResponseXml(ours, app.clock.now(), { in_response_to: id, email }), over);
      expect((await postResponse(app, ours, xml)).body.user?.email).toBe(email);
    },
  );

  test('may be signed twice, with different accepted algorithms', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: createAddress() });
    const sha512 = {
      method: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
      digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
    };
    expect(
      (await postResponse(app, ours, signXml(signXml(xml, 'Assertion', sha512), 'Response'))).status,
    ).toBe(200);
  });

  test('may omit its issuer, start with an XML declaration, and have line breaks in its base64', async () => {
    const { id } = await startSsoLogin(app, ours);
    const content = { in_response_to: id, email: createAddress(), response_issuer: null };
    const xml = signXml(buildResponseXml(ours, app.clock.now(), content), 'Assertion');
    const base64 = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`).toString('base64');
    const raw = base64.replace(/.{76}/g, '$&\r\n');
    expect((await postResponse(app, ours, { raw })).status).toBe(200);
  });

  test('is accepted if the clocks differ by up to a minute', async () => {
    const now = app.clock.now();
    const addSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
    for (const content of [
      { not_before: addSeconds(60), issued_at: addSeconds(60) },
      { not_on_or_after: addSeconds(-59), confirmation_ends: addSeconds(-59) },
    ])
      expect((await completeSsoLogin(app, ours, { ...content, email: createAddress() })).status).toBe(200);
  });

  test('may have the conditions OneTimeUse and ProxyRestriction', async () => {
    const conditions = '<saml:OneTimeUse/><saml:ProxyRestriction Count="0"/>';
    expect((await completeSsoLogin(app, ours, { conditions, email: createAddress() })).status).toBe(200);
  });

  test('is accepted if the certificate has expired, because the organisation configured its key', async () => {
    app.clock.set(new Date('2036-01-01T00:00:00Z'));
    expect((await completeSsoLogin(app, ours, { email: createAddress() })).status).toBe(200);
    app.clock.set(new Date('2026-03-02T09:00:00Z'));
  });
});

describe('a RelayState', () => {
  test('redirects the browser to its path, logged in by a cookie', async () => {
    const { id, address } = await startSsoLogin(app, ours, '/console?tab=jobs#top');
    expect(address.searchParams.get('RelayState')).toBe('/console?tab=jobs#top');
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: createAddress() }),
      'Assertion',
    );
    const response = await postResponse(app, ours, xml, {
      relay_state: address.searchParams.get('RelayState')!,
    });
    expect([response.status, response.headers['location'], response.body]).toEqual([
      303,
      '/console?tab=jobs#top',
      '',
    ]);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: response.cookies, body: {} });
    expect(refreshed.status).toBe(200);
  });

  test('to a page of the console sets its cookie for the whole site, and no other', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: createAddress() }),
      'Assertion',
    );
    const { status, headers, cookies } = await postResponse(app, ours, xml, { relay_state: '/app/jobs' });
    expect([status, Object.keys(cookies)]).toEqual([303, ['tessera-session']]);
    expect(String(headers['set-cookie'])).toContain('Path=/; HttpOnly; Secure; SameSite=Lax');
    const page = await app.server.inject({ url: '/app/jobs', cookies, headers: { accept: 'text/html' } });
    expect(page.statusCode).toBe(200);
  });

  test('that is empty has no effect', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: createAddress() }),
      'Assertion',
    );
    expect((await postResponse(app, ours, xml, { relay_state: '' })).status).toBe(200);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example/',
    '/.//evil.example/',
    '/a/..//evil.example/',
    '/console/../admin',
    '/..',
    '/a\r\nset-cookie: a=b',
    'javascript:alert(1)',
    'console',
    ' /console',
    `/${'a'.repeat(80)}`,
    '/ä',
    'e3b0c44298fc1c149afbf4c8996fb924',
    'x'.repeat(2_000),
    '',
  ])(
    'that is not a path on this origin is not followed: a browser gets the console, a program its tokens: %j',
    async (relay_state) => {
      for (const [accept, expected] of [
        ['text/html,application/xhtml+xml,*/*;q=0.8', [303, '/app', ['tessera-session']]],
        ['application/json', [200, undefined, ['refresh_token']]],
        ['*/*', [200, undefined, ['refresh_token']]],
      ] as const) {
        const { id } = await startSsoLogin(app, ours);
        const xml = signXml(
          buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: createAddress() }),
          'Assertion',
        );
        const { status, headers, cookies } = await postResponse(app, ours, xml, {
          relay_state,
          headers: { accept },
        });
        expect([status, headers['location'], Object.keys(cookies)]).toEqual(expected);
      }
    },
  );
});

test('a login from the portal of the provider, with fields of its own, opens the console', async () => {
  const open = await createSsoOrganisation(app, { allow_idp_initiated: true });
  const xml = signXml(buildResponseXml(open, app.clock.now(), { email: createAddress() }), 'Assertion');
  const { status, headers, cookies, body } = await app.request('POST', `/auth/sso/${open.org_id}/acs`, {
    raw: new URLSearchParams({
      SAMLResponse: toBase64(xml),
      SigAlg: 'x',
      '': 'y',
      __proto__x: 'z',
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });
  expect([status, headers['location'], body]).toEqual([303, '/app', '']);
  const page = await app.server.inject({ url: '/app', cookies, headers: { accept: 'text/html' } });
  expect(page.statusCode).toBe(200);
});

const toBase64 = (xml: string) => Buffer.from(xml).toString('base64');

describe('a browser', () => {
  const browser = { origin: new URL(idp.sso_url).origin, 'sec-fetch-site': 'cross-site' };
  const prepareResponse = async () => {
    const { id, cookies } = await startSsoLogin(app, ours);
    const content = { in_response_to: id, email: createAddress() };
    return { cookies, xml: signXml(buildResponseXml(ours, app.clock.now(), content), 'Assertion') };
  };

  test('completes the login that it started', async () => {
    const { cookies, xml } = await prepareResponse();
    expect((await postResponse(app, ours, xml, { headers: browser, cookies })).status).toBe(200);
  });

  test('cannot complete a login of another browser, which can still complete it', async () => {
    const { cookies, xml } = await prepareResponse();
    const { cookies: others } = await startSsoLogin(app, ours);
    for (const wrong of [{}, others, { sso_browser: '' }, { sso_browser: 'x'.repeat(43) }]) {
      const headers = { ...browser, origin: 'null' };
      const { status, body } = await postResponse(app, ours, xml, { headers, cookies: wrong });
      expect([status, body.code, body.detail]).toEqual([
        401,
        'sso_response_refused',
        'This login was started in another browser.',
      ]);
    }
    expect((await postResponse(app, ours, xml, { headers: browser, cookies })).status).toBe(200);
  });

  test('keeps its cookie for a second login in another tab', async () => {
    const first = await startSsoLogin(app, ours);
    const { headers, cookies } = await app.request('GET', `/auth/sso/${ours.org_id}/login`, {
      cookies: first.cookies,
    });
    expect([cookies, headers['location']]).toEqual([first.cookies, expect.any(String)]);
  });
});

describe('a login that the identity provider starts', () => {
  const buildUnsolicited = (organisation: SsoOrganisation, email = createAddress()) =>
    signXml(buildResponseXml(organisation, app.clock.now(), { email }), 'Response');

  test('is refused unless the organisation allows it', async () => {
    const { status, body } = await postResponse(app, ours, buildUnsolicited(ours));
    expect([status, body.code]).toEqual([401, 'sso_response_refused']);
  });

  test('is accepted once if the organisation allows it', async () => {
    const open = await createSsoOrganisation(app, { allow_idp_initiated: true });
    const xml = buildUnsolicited(open);
    expect((await postResponse(app, open, xml, { relay_state: '/jobs' })).status).toBe(303);
    expect((await postResponse(app, open, xml)).body.detail).toBe('The assertion has already been used.');
    const unknownRequest = signXml(
      buildResponseXml(open, app.clock.now(), { email: createAddress(), in_response_to: createId() }),
      'Response',
    );
    expect((await postResponse(app, open, unknownRequest)).status).toBe(401);
  });
});

describe('refuses a login', () => {
  test('through an organisation without single sign-on, or with single sign-on disabled', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: createAddress() }),
      'Assertion',
    );
    const off = await createSsoOrganisation(app, { enabled: false });
    for (const org_id of [unknownId, (await app.registerOrgAdmin()).org_id, off.org_id]) {
      const { status, body } = await postResponse(app, { ...ours, org_id }, xml);
      expect([status, body.code]).toEqual([404, 'sso_not_configured']);
    }
  });

  test('with an invalid form, field or organisation id', async () => {
    const at = `/auth/sso/${ours.org_id}/acs`;
    const json = await app.request('POST', at, { body: { SAMLResponse: 'eA==' } });
    expect([json.status, json.body.code]).toEqual([415, 'media_type_unsupported']);
    const xml = await app.request('POST', at, {
      raw: '<a/>',
      headers: { 'content-type': 'application/xml' },
    });
    expect(xml.status).toBe(415);
    for (const raw of ['', 'SAMLResponse=', 'SAMLResponse=%21', 'RelayState=/a'])
      expect((await app.request('POST', at, { raw: raw || '&', headers: form })).status).toBe(422);
    for (const raw of [
      'SAMLResponse=eA==&SAMLResponse=eA==',
      'SAMLResponse=%',
      'SAMLResponse=eB==',
      'SAMLResponse=eA',
    ])
      expect((await app.request('POST', at, { raw, headers: form })).status).toBe(400);
    expect(
      (await app.request('POST', '/auth/sso/me/acs', { raw: 'SAMLResponse=eA==', headers: form })).status,
    ).toBe(422);
    expect((await app.request('GET', at)).status).toBe(405);
  });

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
});
