import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '#modules/auth';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp, type TestReply, type TestApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import {
  buildAttributeStatement,
  domain,
  idp,
  completeSsoLogin,
  postResponse,
  buildResponseXml,
  signXml,
  createId,
  createSsoOrganisation,
  startSsoLogin,
  type SsoOrganisation,
} from '#test/modules/sso.ts';

let app: TestApp;
let ours: SsoOrganisation;
beforeAll(async () => {
  app = await startApp();
  ours = await createSsoOrganisation(app);
});

let people = 0;
/** Somebody of the organisation's domain whom nobody knows yet. */
const newcomer = () => `person${people++}@${domain}`;

const usersOf = (email: string) =>
  app.sql.list(
    sql<
      Record<string, unknown>
    >`select id, role, org_id, password_hash, email_verified_at from users where email = ${email}`,
  );

/** What a login that succeeds adds to; a login that was started and not finished is nobody's yet. */
const leftBehind = () =>
  app.sql.one(
    sql<Record<string, unknown>>`
      select (select count(*) from users) as users, (select count(*) from sessions) as sessions,
        (select count(*) from sso_assertions) as assertions, (select count(*) from audit_log) as audited,
        (select max(last_login) from users) as last_login`,
  );

const claimsOf = ({ body }: TestReply) =>
  JSON.parse(Buffer.from(String(body.access_token).split('.')[1]!, 'base64url').toString());

describe('somebody new of the organisation', () => {
  test('gets an account with the default role, and the same tokens as after a password', async () => {
    proves('sso-users-get-same-jwt', 'sso-configured-per-organisation');
    const email = newcomer();
    const answer = await completeSsoLogin(app, ours, { email });
    const [user] = await usersOf(email);
    expect(user).toMatchObject({ role: 'org_viewer', org_id: ours.org_id, email_verified_at: null });
    expect([answer.status, answer.body]).toEqual([
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
    expect(Object.keys(claimsOf(answer)).sort()).toEqual(
      Object.keys(claimsOf({ body: login } as TestReply)).sort(),
    );
    const { access_token: token } = answer.body;
    expect((await app.request('GET', '/auth/me', { token })).body).toMatchObject({
      email,
      role: 'org_viewer',
    });
    expect((await app.request('GET', '/orgs/me', { token })).body.id).toBe(ours.org_id);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: answer.cookies, body: {} });
    expect(refreshed.status).toBe(200);
  });

  test('gets the configured role', async () => {
    const auditors = await createSsoOrganisation(app, { default_role: 'auditor' });
    const { body } = await completeSsoLogin(app, auditors, { email: newcomer() });
    expect(body.user.role).toBe('auditor');
  });

  test('has no password that anybody could guess', async () => {
    const email = newcomer();
    await completeSsoLogin(app, ours, { email });
    for (const guess of ['!', '', password]) {
      const { status } = await app.request('POST', '/auth/login', { body: { email, password: guess } });
      expect([401, 422]).toContain(status);
    }
  });

  test('cannot choose a password by mail either: whoever has left the identity provider stays outside', async () => {
    const email = newcomer();
    await completeSsoLogin(app, ours, { email });
    expect((await app.request('POST', '/auth/forgot-password', { body: { email } })).status).toBe(200);
    await app.drainQueue();
    expect((await app.readMails()).filter(({ to }) => to === email)).toEqual([]);
  });

  test('who signs in twice at once has one account', async () => {
    const email = newcomer();
    const both = await Promise.all([
      completeSsoLogin(app, ours, { email }),
      completeSsoLogin(app, ours, { email }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await usersOf(email)).toHaveLength(1);
  });

  test('is in the audit log, and so is each login', async () => {
    const { body } = await completeSsoLogin(app, ours, { email: newcomer() });
    const log = await app.request('GET', `/audit-log?actor_user_id=${body.user.id}`, {
      token: ours.admin.token,
    });
    expect(log.body.data.map(({ action, detail }: Record<string, unknown>) => [action, detail])).toEqual([
      ['sso.logged_in', {}],
      ['sso.user_created', { role: 'org_viewer' }],
    ]);
  });
});

describe('somebody who is known', () => {
  const colleague = async (org_id: string, role: 'org_admin' | 'org_viewer' | 'auditor') => {
    const email = newcomer();
    const { id } = await createUser(app.platform, { email, password, role, org_id, name: undefined });
    return { email, id };
  };

  test.each(['org_admin', 'org_viewer', 'auditor'] as const)(
    'in this organisation stays what they are: %s',
    async (role) => {
      const { email, id } = await colleague(ours.org_id, role);
      app.clock.advance(1_000);
      const { status, body } = await completeSsoLogin(app, ours, { email: email.toUpperCase() });
      expect([status, body.user]).toEqual([
        200,
        { id, email, role, linked_entity_id: ours.org_id, last_login: app.clock.now().toISOString() },
      ]);
    },
  );

  test('and suspended is refused', async () => {
    const { email, id } = await colleague(ours.org_id, 'org_viewer');
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${id}`);
    const before = await leftBehind();
    const { status, body, cookies } = await completeSsoLogin(app, ours, { email });
    expect([status, body.code, cookies]).toEqual([403, 'account_suspended', {}]);
    expect(await leftBehind()).toEqual(before);
  });

  test('and removed comes back as somebody new, with nothing of what they were', async () => {
    const { email, id } = await colleague(ours.org_id, 'auditor');
    const removed = await app.request('DELETE', `/orgs/me/users/${id}`, { token: ours.admin.token });
    expect(removed.status).toBe(204);
    const { body } = await completeSsoLogin(app, ours, { email });
    expect([body.user.role, body.user.id === id]).toEqual(['org_viewer', false]);
  });

  test('can be removed also where somebody signs in under the name that removed accounts get', async () => {
    const evil = await createSsoOrganisation(app, { email_domains: ['removed.invalid'] });
    const { id } = await colleague(ours.org_id, 'org_viewer');
    await completeSsoLogin(app, evil, { email: `${id}@removed.invalid` });
    const removed = await app.request('DELETE', `/orgs/me/users/${id}`, { token: ours.admin.token });
    expect(removed.status).toBe(204);
  });

  test('with a second factor is asked for it after a password, and not after the identity provider', async () => {
    const { email, id } = await colleague(ours.org_id, 'org_viewer');
    const login = () => app.request('POST', '/auth/login', { body: { email, password } });
    const token = (await login()).body.access_token as string;
    const { secret } = (await app.request('POST', '/auth/mfa/setup', { token, body: {} })).body;
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = authenticator.generate({ timestamp: app.clock.now().getTime() });
    expect((await app.request('POST', '/auth/mfa/verify', { token, body: { code } })).status).toBe(200);
    expect((await login()).body).toMatchObject({ mfa_ticket: expect.any(String) });
    expect((await completeSsoLogin(app, ours, { email })).body.user.id).toBe(id);
  });

  test('in another organisation, as a member or as a platform administrator is not taken over', async () => {
    const theirs = await app.registerOrgAdmin();
    const member = await app.registerMember({ email: newcomer() });
    const operator = await app.registerMember({ email: newcomer() });
    await app.sql.run(
      sql`update users set role = 'platform_admin', member_id = null where id = ${operator.user_id}`,
    );
    const people = [(await colleague(theirs.org_id, 'org_admin')).email, member.email, operator.email];
    for (const email of people) {
      const before = [await usersOf(email), await leftBehind()];
      const answer = await completeSsoLogin(app, ours, { email });
      expect([answer.status, answer.body.code, answer.cookies]).toEqual([403, 'sso_account_refused', {}]);
      expect(answer.body.detail).toBe('This e-mail address cannot sign in through this organisation.');
      expect([await usersOf(email), await leftBehind()]).toEqual(before);
    }
  });
});

describe('an e-mail address', () => {
  test.each(['ada@other.example', `ada@sub.${domain}`, `ada@${domain}.evil.example`, `ada@evil-${domain}`])(
    'of another domain is refused: %s',
    async (email) => {
      const { status, body } = await completeSsoLogin(app, ours, { email });
      expect([status, body.code]).toEqual([403, 'sso_account_refused']);
      expect(await usersOf(email)).toEqual([]);
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
  ])('that is none, or two, is refused: %j', async (email) => {
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
    ['in no statement at all', ''],
  ])('that is %s is refused', async (_, attributes) => {
    const { status, body } = await completeSsoLogin(app, ours, { attributes });
    expect([status, body.code]).toEqual([401, 'sso_response_refused']);
  });

  test('is read from the mapped attribute, or from the NameID', async () => {
    const urn = 'urn:oid:0.9.2342.19200300.100.1.3';
    const mapped = await createSsoOrganisation(app, { attribute_mapping: { email: urn, name: 'cn' } });
    const [first, second] = [newcomer(), newcomer()];
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
    'may be signed as a whole or in its part: %s',
    async (over) => {
      const email = newcomer();
      const { id } = await startSsoLogin(app, ours);
      const xml = signXml(buildResponseXml(ours, app.clock.now(), { in_response_to: id, email }), over);
      expect((await postResponse(app, ours, xml)).body.user?.email).toBe(email);
    },
  );

  test('may be signed twice, by any of the configured keys, with other algorithms that we take', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: newcomer() });
    const sha512 = {
      method: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
      digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
    };
    expect(
      (await postResponse(app, ours, signXml(signXml(xml, 'Assertion', sha512), 'Response'))).status,
    ).toBe(200);
  });

  test('may leave its own issuer out, start with a declaration, and be written in lines', async () => {
    const { id } = await startSsoLogin(app, ours);
    const said = { in_response_to: id, email: newcomer(), response_issuer: null };
    const xml = signXml(buildResponseXml(ours, app.clock.now(), said), 'Assertion');
    const base64 = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`).toString('base64');
    const raw = base64.replace(/.{76}/g, '$&\r\n');
    expect((await postResponse(app, ours, { raw })).status).toBe(200);
  });

  test('is taken with clocks a minute apart', async () => {
    const now = app.clock.now();
    const apart = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
    for (const said of [
      { not_before: apart(60), issued_at: apart(60) },
      { not_on_or_after: apart(-59), confirmation_ends: apart(-59) },
    ])
      expect((await completeSsoLogin(app, ours, { ...said, email: newcomer() })).status).toBe(200);
  });

  test('may say that it is used once only, and to whom it may be passed on', async () => {
    const conditions = '<saml:OneTimeUse/><saml:ProxyRestriction Count="0"/>';
    expect((await completeSsoLogin(app, ours, { conditions, email: newcomer() })).status).toBe(200);
  });

  test('signed with a key whose certificate has ended is taken: the organisation named the key', async () => {
    app.clock.set(new Date('2036-01-01T00:00:00Z'));
    expect((await completeSsoLogin(app, ours, { email: newcomer() })).status).toBe(200);
    app.clock.set(new Date('2026-03-02T09:00:00Z'));
  });
});

describe('a RelayState', () => {
  test('sends the browser to its path, signed in by its cookie', async () => {
    const { id, address } = await startSsoLogin(app, ours, '/console?tab=jobs#top');
    expect(address.searchParams.get('RelayState')).toBe('/console?tab=jobs#top');
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: newcomer() }),
      'Assertion',
    );
    const answer = await postResponse(app, ours, xml, {
      relay_state: address.searchParams.get('RelayState')!,
    });
    expect([answer.status, answer.headers['location'], answer.body]).toEqual([
      303,
      '/console?tab=jobs#top',
      '',
    ]);
    const refreshed = await app.request('POST', '/auth/refresh', { cookies: answer.cookies, body: {} });
    expect(refreshed.status).toBe(200);
  });

  test('that is empty is none', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: newcomer() }),
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
  ])(
    'that leads elsewhere, or is no path, is refused, and the login can still be finished: %j',
    async (relay_state) => {
      const { id } = await startSsoLogin(app, ours);
      const xml = signXml(
        buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: newcomer() }),
        'Assertion',
      );
      const answer = await postResponse(app, ours, xml, { relay_state });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/RelayState']);
      expect((await postResponse(app, ours, xml)).status).toBe(200);
    },
  );
});

describe('a browser', () => {
  const browser = { origin: new URL(idp.sso_url).origin, 'sec-fetch-site': 'cross-site' };
  const answering = async () => {
    const { id, cookies } = await startSsoLogin(app, ours);
    const said = { in_response_to: id, email: newcomer() };
    return { cookies, xml: signXml(buildResponseXml(ours, app.clock.now(), said), 'Assertion') };
  };

  test('finishes the login that it started', async () => {
    const { cookies, xml } = await answering();
    expect((await postResponse(app, ours, xml, { headers: browser, cookies })).status).toBe(200);
  });

  test('cannot be made to finish somebody else’s, and the one who started it still can', async () => {
    const { cookies, xml } = await answering();
    const { cookies: others } = await startSsoLogin(app, ours);
    for (const brought of [{}, others, { sso_browser: '' }, { sso_browser: 'x'.repeat(43) }]) {
      const headers = { ...browser, origin: 'null' };
      const { status, body } = await postResponse(app, ours, xml, { headers, cookies: brought });
      expect([status, body.code, body.detail]).toEqual([
        401,
        'sso_response_refused',
        'This login was started in another browser.',
      ]);
    }
    expect((await postResponse(app, ours, xml, { headers: browser, cookies })).status).toBe(200);
  });

  test('finishes two that it started in two tabs', async () => {
    const first = await startSsoLogin(app, ours);
    const { headers, cookies } = await app.request('GET', `/auth/sso/${ours.org_id}/login`, {
      cookies: first.cookies,
    });
    expect([cookies, headers['location']]).toEqual([first.cookies, expect.any(String)]);
  });
});

describe('a login that the identity provider starts', () => {
  const unasked = (organisation: SsoOrganisation, email = newcomer()) =>
    signXml(buildResponseXml(organisation, app.clock.now(), { email }), 'Response');

  test('is refused unless the organisation allows it', async () => {
    const { status, body } = await postResponse(app, ours, unasked(ours));
    expect([status, body.code]).toEqual([401, 'sso_response_refused']);
  });

  test('is taken where it is allowed, once', async () => {
    const open = await createSsoOrganisation(app, { allow_idp_initiated: true });
    const xml = unasked(open);
    expect((await postResponse(app, open, xml, { relay_state: '/jobs' })).status).toBe(303);
    expect((await postResponse(app, open, xml)).body.detail).toBe('The assertion was used already.');
    const answering = signXml(
      buildResponseXml(open, app.clock.now(), { email: newcomer(), in_response_to: createId() }),
      'Response',
    );
    expect((await postResponse(app, open, answering)).status).toBe(401);
  });
});

describe('nobody signs in', () => {
  test('through an organisation without single sign-on, or one that has switched it off', async () => {
    const { id } = await startSsoLogin(app, ours);
    const xml = signXml(
      buildResponseXml(ours, app.clock.now(), { in_response_to: id, email: newcomer() }),
      'Assertion',
    );
    const off = await createSsoOrganisation(app, { enabled: false });
    for (const org_id of [unknownId, (await app.registerOrgAdmin()).org_id, off.org_id]) {
      const { status, body } = await postResponse(app, { ...ours, org_id }, xml);
      expect([status, body.code]).toEqual([404, 'sso_not_configured']);
    }
  });

  test('with something that is no form, no field or no id', async () => {
    const at = `/auth/sso/${ours.org_id}/acs`;
    const json = await app.request('POST', at, { body: { SAMLResponse: 'eA==' } });
    expect([json.status, json.body.code]).toEqual([415, 'media_type_unsupported']);
    const xml = await app.request('POST', at, {
      raw: '<a/>',
      headers: { 'content-type': 'application/xml' },
    });
    expect(xml.status).toBe(415);
    for (const raw of ['', 'SAMLResponse=', 'SAMLResponse=%21', 'SAMLResponse=eA==&extra=1', 'RelayState=/a'])
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
