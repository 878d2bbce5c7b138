import { beforeEach, describe, expect, inject, test } from 'vitest';
import {
  createCertificate,
  buildAssertionXml,
  buildAttributeStatement,
  domain,
  buildResponseXml,
  rsaSha256,
  signXml,
  createId,
  type ResponseContent,
  type SigningOptions,
} from '@tessera/saml/testing';
import { openApp } from '../../../../app/app.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestReply } from '#test/harness.ts';
import {
  buildConfigurationBody,
  postResponse,
  createSsoOrganisation,
  startSsoLogin,
} from '#test/modules/sso.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { measureProcessorTime } from '#test/processor-time.ts';

/** The attacker's own address, and the address that the attacker wants to log in with. */
const mallory = `mallory@${domain}`;
const admin = `admin@${domain}`;

const app = await startApp();
const ours = await createSsoOrganisation(app);
const theirs = await createSsoOrganisation(app);

/** A digest of every table that a login could change. That it failed is recorded, if the provider has signed it. */
async function readDatabase() {
  const tables = [
    'users',
    'sessions',
    'refresh_tokens',
    'sso_requests',
    'sso_assertions',
    `audit_log where action <> 'auth.login_failed'`,
    'organisations',
    'members',
  ];
  return Promise.all(
    tables.map((table) =>
      app.sql.one(
        sql<{
          print: string;
        }>`select ${table} || md5(query_to_xml(${`select * from ${table} order by 1`}, true, false, '')::text) as print`,
      ),
    ),
  );
}

/** The id of a login that the attacker has started and could complete honestly. */
let id: string;
let before: unknown;
beforeEach(async () => {
  ({ id } = await startSsoLogin(app, ours));
  before = await readDatabase();
});

const buildContent = (more: ResponseContent = {}): ResponseContent => ({
  in_response_to: id,
  email: mallory,
  ...more,
});
const buildHonestXml = (more: ResponseContent = {}) =>
  buildResponseXml(ours, app.clock.now(), buildContent(more));

/** Replaces the first character of an element's base64 by another one. */
function alterBase64(xml: string, element: string): string {
  return xml.replace(
    new RegExp(`(<${element}>)(.)`),
    (_, tag: string, first: string) => `${tag}${first === '/' ? 'A' : '/'}`,
  );
}

async function expectRefused(
  xml: string | { readonly raw: string },
  codes: readonly string[] = ['sso_response_refused', 'sso_response_malformed'],
) {
  const response = await postResponse(app, ours, xml);
  expect([codes, response.status >= 400 && response.status < 500]).toEqual([
    expect.arrayContaining([response.body.code]),
    true,
  ]);
  expect(response.cookies).toEqual({});
  expect(JSON.stringify(response.body)).not.toContain('access_token');
  expect(await readDatabase(), 'a refusal changes nothing').toEqual(before);
  return response;
}

const expectReason = async (response: Promise<TestReply>, reason: string | RegExp) =>
  expect((await response).body.detail).toMatch(reason);

test('accepts the responses that the attacks alter, so that the attacks fail for no other reason', async () => {
  for (const over of ['Response', 'Assertion'] as const) {
    const { id: fresh } = await startSsoLogin(app, ours);
    const response = await postResponse(app, ours, signXml(buildHonestXml({ in_response_to: fresh }), over));
    expect([response.status, response.body.user.email]).toEqual([200, mallory]);
  }
});

/** Extracts the first element with a name, as text. */
function extractElement(xml: string, name: string): string {
  return new RegExp(`<${name}[ >][^]*?</${name}>`).exec(xml)![0];
}

const extractSignature = (xml: string) => extractElement(xml, 'ds:Signature');
const removeSignature = (xml: string) =>
  xml.includes('<ds:Signature') ? xml.replace(extractSignature(xml), '') : xml;

/** Forges a document: without a signature, with new ids and with the other address. */
function forgeXml(xml: string): string {
  return removeSignature(xml)
    .replaceAll(mallory, admin)
    .replace(/ ID="_\w+"/g, () => ` ID="${createId()}"`);
}

describe('refuses signature wrapping', () => {
  const signResponse = () => signXml(buildHonestXml(), 'Response');
  const signAssertion = () => signXml(buildHonestXml(), 'Assertion');
  const extractAssertion = (xml: string) => extractElement(xml, 'saml:Assertion');
  const addObject = (signature: string, content: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

  const wrapped: readonly (readonly [string, () => string])[] = [
    [
      'XSW1: the signed response inside the signature of another response',
      () => {
        const xml = signResponse();
        return forgeXml(xml).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${addObject(extractSignature(xml), removeSignature(xml))}`,
        );
      },
    ],
    [
      'XSW2: the signed response before the signature in another response',
      () => {
        const xml = signResponse();
        return forgeXml(xml).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${removeSignature(xml)}${extractSignature(xml)}`,
        );
      },
    ],
    [
      'XSW3: another assertion before the signed one',
      () => {
        const xml = signAssertion();
        return xml.replace('<saml:Assertion', `${forgeXml(extractAssertion(xml))}<saml:Assertion`);
      },
    ],
    [
      'XSW4: the signed assertion inside another assertion',
      () => {
        const xml = signAssertion();
        const inner = extractAssertion(xml);
        return xml.replace(inner, forgeXml(inner).replace('</saml:Assertion>', `${inner}</saml:Assertion>`));
      },
    ],
    [
      'XSW5: another assertion with the signature, followed by the signed assertion',
      () => {
        const xml = signAssertion();
        const inner = extractAssertion(xml);
        const other = forgeXml(inner).replace('</saml:Issuer>', `</saml:Issuer>${extractSignature(xml)}`);
        return xml.replace(inner, `${other}${removeSignature(inner)}`);
      },
    ],
    [
      'XSW6: the signed assertion inside the signature of another assertion',
      () => {
        const xml = signAssertion();
        const inner = extractAssertion(xml);
        const signature = addObject(extractSignature(xml), removeSignature(inner));
        return xml.replace(inner, forgeXml(inner).replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
      },
    ],
    [
      'XSW7: another assertion among the extensions',
      () => {
        const xml = signAssertion();
        const extensions = `<samlp:Extensions>${forgeXml(extractAssertion(xml))}</samlp:Extensions>`;
        return xml.replace('<samlp:Status>', `${extensions}<samlp:Status>`);
      },
    ],
    [
      'XSW8: the signed assertion in an object of the signature of another assertion',
      () => {
        const xml = signAssertion();
        const inner = extractAssertion(xml);
        const signature = addObject(extractSignature(xml), `<x>${removeSignature(inner)}</x>`);
        return xml.replace(inner, forgeXml(inner).replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
      },
    ],
    [
      'a forged assertion under another namespace prefix',
      () =>
        signAssertion().replace(
          '<samlp:Status>',
          `<samlp:Extensions>${forgeXml(buildAssertionXml(ours, app.clock.now(), buildContent()))
            .replace(/saml:/g, 'x:')
            .replace('xmlns:saml', 'xmlns:x')}</samlp:Extensions><samlp:Status>`,
        ),
    ],
    [
      'two assertions with one id',
      () => {
        const xml = signAssertion();
        const inner = extractAssertion(xml);
        return xml.replace(inner, `${inner}${removeSignature(inner).replaceAll(mallory, admin)}`);
      },
    ],
    [
      'the id of the assertion a second time, in another spelling of the attribute',
      () => {
        const xml = signAssertion();
        const assertion_id = / ID="(_\w+)"/.exec(extractAssertion(xml))![1];
        return xml.replace('<samlp:Status>', `<samlp:Status Id="${assertion_id}">`);
      },
    ],
    [
      'two assertions, each signed',
      () => {
        const [one, other] = [signAssertion(), signXml(buildHonestXml({ email: admin }), 'Assertion')];
        return one.replace('</samlp:Response>', `${extractAssertion(other)}</samlp:Response>`);
      },
    ],
    [
      'two signatures of one assertion',
      () => {
        const xml = signAssertion();
        return xml.replace(extractSignature(xml), extractSignature(xml).repeat(2));
      },
    ],
    [
      'a signature in the status',
      () => {
        const xml = signAssertion();
        return removeSignature(xml).replace('<samlp:Status>', `<samlp:Status>${extractSignature(xml)}`);
      },
    ],
    [
      'a second SignedInfo',
      () => {
        const xml = signAssertion();
        const info = extractElement(xml, 'ds:SignedInfo');
        return xml.replace(info, info.repeat(2));
      },
    ],
    [
      'a second reference',
      () => {
        const xml = signAssertion();
        const reference = extractElement(xml, 'ds:Reference');
        return xml.replace(reference, reference.repeat(2));
      },
    ],
    [
      'a comment in the digest',
      () => signAssertion().replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->'),
    ],
  ];

  test.each(wrapped)('%s', async (_, make) => {
    const xml = make();
    expect(xml).not.toBe(signAssertion());
    await expectRefused(xml);
  });
});

describe('refuses a response', () => {
  test('without a signature', async () => {
    await expectReason(expectRefused(buildHonestXml()), 'Neither the response nor the assertion is signed');
    await expectRefused(removeSignature(signXml(buildHonestXml(), 'Response')));
  });

  test('that was changed after it was signed', async () => {
    for (const over of ['Response', 'Assertion'] as const) {
      const xml = signXml(buildHonestXml(), over);
      await expectRefused(xml.replaceAll(mallory, admin));
      await expectRefused(xml.replace('<saml:AudienceRestriction>', '<saml:AudienceRestriction> '));
      await expectRefused(alterBase64(xml, 'ds:SignatureValue'));
      await expectRefused(alterBase64(xml, 'ds:DigestValue'));
    }
  });

  test('with one valid and one invalid signature', async () => {
    const xml = signXml(signXml(buildHonestXml(), 'Assertion'), 'Response');
    await expectRefused(xml.replace(/ Destination="[^"]*"/, ` Destination="${ours.acs}" Consent="x"`));
    const stranger = createCertificate();
    await expectRefused(signXml(signXml(buildHonestXml(), 'Assertion', { by: stranger }), 'Response'));
    await expectRefused(signXml(signXml(buildHonestXml(), 'Assertion'), 'Response', { by: stranger }));
  });

  test('signed with a key that is not configured, even if the response contains its certificate', async () => {
    const stranger = createCertificate({ name: 'idp.harbour.example' });
    const xml = signXml(buildHonestXml(), 'Assertion', { by: stranger });
    expect(xml).toContain('X509Certificate');
    await expectReason(expectRefused(xml), 'not made with a key of the configured identity provider');
    await expectRefused(signXml(buildHonestXml(), 'Response', { by: stranger }));
  });

  const unacceptedOptions: readonly (readonly [string, SigningOptions])[] = [
    ['SHA-1', { method: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }],
    ['a SHA-1 digest', { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }],
    ['an HMAC under the public key', { method: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' }],
    [
      'canonical XML with comments',
      { canonicalisation: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments' },
    ],
    ['inclusive canonical XML', { canonicalisation: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }],
    ['no enveloped transform', { transforms: ['http://www.w3.org/2001/10/xml-exc-c14n#'] }],
  ];

  test.each(unacceptedOptions)('signed with %s', async (_, signing) => {
    for (const over of ['Response', 'Assertion'] as const)
      await expectRefused(signXml(buildHonestXml(), over, signing));
  });

  test('with a signature that does not refer to the element that contains it', async () => {
    const xml = signXml(buildHonestXml(), 'Assertion');
    await expectRefused(xml.replace(/URI="#_\w+"/, 'URI=""'));
    await expectRefused(xml.replace(/URI="#_\w+"/, `URI="#xpointer(/)"`));
    await expectRefused(xml.replace(/URI="#(_\w+)"/, `URI="#$1' or '1'='1"`));
    const transform = '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>';
    await expectRefused(xml.replace('</ds:Transforms>', `${transform}</ds:Transforms>`));
    await expectRefused(xml.replace(rsaSha256, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'));
  });
});

describe('refuses an assertion', () => {
  const addMinutes = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000);
  const cases: readonly (readonly [string, RegExp, () => ResponseContent])[] = [
    [
      'for another audience',
      /^The audience of the assertion is not this service/,
      () => ({ audience: theirs.sp }),
    ],
    [
      'for an audience that only begins like this service',
      /^The audience of the assertion is not this service/,
      () => ({ audience: `${ours.sp}/` }),
    ],
    [
      'with one of two audience restrictions for another service',
      /^The audience of the assertion is not this service/,
      () => ({
        conditions: `<saml:AudienceRestriction><saml:Audience>${theirs.sp}</saml:Audience></saml:AudienceRestriction>`,
      }),
    ],
    [
      'for another recipient',
      /recipient .* not the address of this service/,
      () => ({ recipient: theirs.acs }),
    ],
    [
      'in a response for another destination',
      /destination .* not the address of this service/,
      () => ({ destination: theirs.acs }),
    ],
    [
      'in a response without a destination',
      /destination .* not the address of this service/,
      () => ({ destination: null }),
    ],
    ['of another issuer', /issuer is not/, () => ({ issuer: 'https://evil.example/' })],
    [
      'in a response of another issuer',
      /issuer is not/,
      () => ({ response_issuer: 'https://evil.example/' }),
    ],
    ['for an unknown request', /not started at this service/, () => ({ in_response_to: createId() })],
    [
      'in a response to another request',
      /refer to different requests/,
      () => ({ response_in_response_to: createId() }),
    ],
    [
      'without a request, in a response to a request',
      /refer to different requests/,
      () => ({ in_response_to: null, response_in_response_to: id }),
    ],
    [
      'in a response without a request',
      /refer to different requests/,
      () => ({ response_in_response_to: null }),
    ],
    [
      'of a login that the identity provider started',
      /only logins that start at this service/,
      () => ({ in_response_to: null }),
    ],
    ['that is not valid yet', /not valid yet/, () => ({ not_before: addMinutes(1.1) })],
    ['that has expired', /expired/, () => ({ not_on_or_after: addMinutes(-1) })],
    ['whose confirmation has expired', /expired/, () => ({ confirmation_ends: addMinutes(-1) })],
    ['whose confirmation has no expiry', /has no expiry|incomplete/, () => ({ confirmation_ends: null })],
    [
      'issued more than ten minutes ago, even if it is still valid',
      /expired/,
      () => ({
        issued_at: addMinutes(-11),
        not_on_or_after: addMinutes(1e6),
        confirmation_ends: addMinutes(1e6),
      }),
    ],
    ['issued in the future', /not valid yet/, () => ({ issued_at: addMinutes(2) })],
    [
      'whose session has expired',
      /session at the identity provider has expired/,
      () => ({ session_ends: addMinutes(-1) }),
    ],
    ['without an authentication statement', /no authentication statement/, () => ({ authenticated: false })],
    [
      'without a bearer confirmation',
      /no bearer confirmation/,
      () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }),
    ],
    ['with an unknown condition', /unknown condition/, () => ({ conditions: '<saml:Condition/>' })],
    [
      'with two sets of conditions',
      /exactly one Conditions|incomplete/,
      () => ({ advice: '<saml:Conditions/>' }),
    ],
    [
      'about two subjects',
      /exactly one Subject/,
      () => ({ advice: `<saml:Subject><saml:NameID>${admin}</saml:NameID></saml:Subject>` }),
    ],
    ['without an id', /does not refer to the element|has no id/, () => ({ assertion_id: '' })],
  ];

  test.each(cases)('%s', async (_, reason, make) => {
    for (const over of ['Response', 'Assertion'] as const)
      await expectReason(expectRefused(signXml(buildHonestXml(make()), over)), reason);
  });

  test.each(['Responder', 'Requester', 'AuthnFailed', 'Success2'])('with the status %s', async (status) => {
    await expectReason(
      expectRefused(signXml(buildHonestXml({ status }), 'Assertion')),
      'did not authenticate the user',
    );
    await expectRefused(signXml(buildHonestXml({ status }), 'Response'));
  });

  test('that has been used', async () => {
    const xml = signXml(buildHonestXml(), 'Assertion');
    expect((await postResponse(app, ours, xml)).status).toBe(200);
    before = await readDatabase();
    await expectReason(expectRefused(xml), 'already completed');
    ({ id } = await startSsoLogin(app, ours));
    before = await readDatabase();
    const [, assertion_id] = / ID="(_\w+)"/.exec(extractElement(xml, 'saml:Assertion'))!;
    const again = buildHonestXml({ assertion_id: assertion_id! });
    await expectReason(expectRefused(signXml(again, 'Assertion')), 'already been used');
  });

  test('used by fifty concurrent requests, except once', async () => {
    const xml = signXml(buildHonestXml(), 'Assertion');
    const responses = await Promise.all(Array.from({ length: 50 }, () => postResponse(app, ours, xml)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(49);
  });

  test('that another process with the same database has accepted', async () => {
    const database = (await app.sql.one(sql<{ name: string }>`select current_database() as name`)).name;
    const { platform, clock } = app;
    const other = await openApp(
      platform.config,
      { ...inject('server'), database },
      { clock, log: platform.log },
    );
    try {
      const xml = signXml(buildHonestXml(), 'Assertion');
      const form = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') });
      const { statusCode } = await other.server.inject({
        method: 'POST',
        url: `/api/v1/auth/sso/${ours.org_id}/acs`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: form.toString(),
      });
      expect(statusCode).toBe(200);
      before = await readDatabase();
      await expectReason(expectRefused(xml), 'already completed');
    } finally {
      await other.close();
    }
  });

  test('for a login that was started ten minutes ago', async () => {
    app.clock.advance(10 * 60_000);
    await expectReason(expectRefused(signXml(buildHonestXml(), 'Assertion')), 'older than 10 minutes');
  });

  test('for another organisation with the same identity provider', async () => {
    const { id: other } = await startSsoLogin(app, theirs);
    before = await readDatabase();
    for (const in_response_to of [other, id]) {
      const xml = signXml(
        buildResponseXml(theirs, app.clock.now(), buildContent({ in_response_to })),
        'Response',
      );
      await expectRefused(xml);
    }
    await expectReason(
      expectRefused(signXml(buildHonestXml({ in_response_to: other }), 'Response')),
      'not started at this service',
    );
  });

  test('if the configuration has changed since the login was started', async () => {
    const reconfigured = await createSsoOrganisation(app);
    const { id: request_id } = await startSsoLogin(app, reconfigured);
    const xml = signXml(
      buildResponseXml(
        reconfigured,
        app.clock.now(),
        buildContent({ in_response_to: request_id, email: `new@${domain}` }),
      ),
      'Response',
    );
    const { org_id, admin: administrator } = reconfigured;
    await app.request('POST', `/orgs/${org_id}/sso/configure`, {
      token: administrator.token,
      body: buildConfigurationBody({ idp_certificates: [createCertificate().certificate] }),
    });
    expect((await postResponse(app, reconfigured, xml)).body.code).toBe('sso_response_refused');
  });

  test('if the configuration changes while the signature is verified', async () => {
    const xml = signXml(buildHonestXml(), 'Assertion');
    const response = await app.sql.transaction(async (tx) => {
      await tx.run(sql`
        update sso_configurations set updated_at = updated_at + interval '1 second' where org_id = ${ours.org_id}`);
      const pending = postResponse(app, ours, xml);
      await waitUntilBlocked(app);
      // In an object, so that it is awaited only after the commit.
      return { pending };
    });
    expect((await response.pending).body.detail).toBe('The configuration has just changed. Log in again.');
    expect((await postResponse(app, ours, xml)).status).toBe(200);
  });
});

describe('refuses an email address that is split', () => {
  const parts: readonly (readonly [string, (email: string, rest: string) => string])[] = [
    ['a comment', (email, rest) => `${email}<!-- -->${rest}`],
    ['a processing instruction', (email, rest) => `${email}<?x?>${rest}`],
    ['a CDATA section', (email, rest) => `<![CDATA[${email}]]>${rest}`],
    ['an element', (email, rest) => `${email}<x/>${rest}`],
  ];

  test.each(parts)('by %s, whether it was signed or inserted later', async (_, split) => {
    const evilName = `${admin}.evil.example`;
    const [splitName, codes] = [
      split(admin, '.evil.example'),
      ['sso_response_refused', 'sso_response_malformed'],
    ];
    // The signing library does not support processing instructions.
    if (!splitName.includes('<?'))
      await expectRefused(signXml(buildHonestXml({ email: splitName, name_id: splitName }), 'Assertion'), [
        ...codes,
        'sso_account_refused',
      ]);
    const plain = signXml(buildHonestXml({ email: evilName, name_id: evilName }), 'Assertion');
    await expectRefused(plain.replaceAll(evilName, splitName), codes);
    await expectRefused(plain, ['sso_account_refused']);
  });
});

describe('refuses a document', () => {
  const addDeclaration = (declaration: string) =>
    `<?xml version="1.0"?>${declaration}${signXml(buildHonestXml(), 'Assertion')}`;

  test.each([
    '<!DOCTYPE a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE a [<!ENTITY who "admin@harbour.example">]>',
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>',
    '<!doctype a>',
    '<!DOCTYPE a [<!ATTLIST saml:Assertion ID ID #IMPLIED>]>',
  ])('with the document type %s', async (declaration) => {
    await expectReason(expectRefused(addDeclaration(declaration)), 'document type');
  });

  test('with entities, and does not expand them', async () => {
    const declarations = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    await expectRefused(
      `<!DOCTYPE a [<!ENTITY l0 "lol">${declarations.join('')}]>${buildHonestXml({ email: '&l9;' })}`,
    );
    await expectReason(expectRefused(buildHonestXml({ email: '&l9;' })), 'entity');
  });

  test('larger than 128 KiB', async () => {
    const large = signXml(
      buildHonestXml({ advice: `<saml:Advice>${'x'.repeat(128 * 1024)}</saml:Advice>` }),
      'Assertion',
    );
    await expectRefused(large, ['field_invalid', 'body_too_large']);
    await expectRefused('x'.repeat(140_000), ['field_invalid', 'body_too_large']);
  });

  test('within two seconds, however it is built', async () => {
    const manyDeclarations = `<a${Array.from({ length: 99 }, (_, index) => ` xmlns:p${index}="c"`).join('')}>`;
    const documents = [
      '<a>'.repeat(40_000),
      '<a '.repeat(40_000),
      `<a ${'b="" '.repeat(20_000)}`,
      `<a${' '.repeat(120_000)}`,
      '&'.repeat(120_000),
      `<a>${'&#1'.repeat(40_000)}`,
      manyDeclarations.repeat(30) + '<a xmlns:b="c"/>'.repeat(4_500) + '</a>'.repeat(30),
      signXml(buildHonestXml({ advice: `<saml:Advice>${'<a/>'.repeat(4_800)}</saml:Advice>` }), 'Assertion', {
        by: createCertificate(),
      }),
    ];
    for (const document of documents)
      expect(await measureProcessorTime(() => expectRefused(document))).toBeLessThan(2_000);
  });

  test('that is not a response', async () => {
    for (const xml of [
      'hello',
      '<a/>',
      buildAssertionXml(ours, app.clock.now(), buildContent()),
      `<Response>${buildAssertionXml(ours, app.clock.now(), buildContent())}</Response>`,
      signXml(buildHonestXml(), 'Assertion').replaceAll('samlp:Response', 'samlp:LogoutResponse'),
      signXml(buildHonestXml(), 'Assertion').replace('Version="2.0"', 'Version="1.1"'),
      signXml(buildHonestXml(), 'Assertion').replace(
        'oasis:names:tc:SAML:2.0:protocol',
        'oasis:names:tc:SAML:1.0:protocol',
      ),
    ])
      await expectRefused(xml);
  });

  test('that is not UTF-8 or not base64', async () => {
    const xml = signXml(buildHonestXml(), 'Assertion');
    const utf16 = Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${xml}`, 'utf16le').toString('base64');
    await expectRefused({ raw: utf16 });
    await expectRefused({
      raw: Buffer.from(xml.replace('mallory', 'mall\xf6ry'), 'latin1').toString('base64'),
    });
    await expectRefused({ raw: Buffer.from(`\ufeff${xml}`).toString('base64') });
    for (const raw of [
      `*${Buffer.from(xml).toString('base64')}`,
      Buffer.from(xml).toString('base64url') + '-_',
      `${Buffer.from(xml).toString('base64')}====`,
    ])
      await expectRefused({ raw }, ['field_invalid', 'sso_response_malformed']);
  });

  test('with encrypted parts', async () => {
    const xml = buildHonestXml().replace(
      /<saml:Assertion[^]*<\/saml:Assertion>/,
      '<saml:EncryptedAssertion/>',
    );
    await expectReason(expectRefused(xml), 'Encrypted assertions are not supported');
    const encryptedId = buildHonestXml({ name_id: '</saml:NameID><saml:EncryptedID/><saml:NameID>x' });
    await expectRefused(signXml(encryptedId, 'Assertion'));
  });

  test('with an attribute without a name', async () => {
    const attributes = buildAttributeStatement(
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
    await expectRefused(
      signXml(
        buildHonestXml({
          attributes: `${attributes}<saml:AttributeStatement><saml:Attribute><saml:AttributeValue/></saml:Attribute></saml:AttributeStatement>`,
        }),
        'Assertion',
      ),
    );
  });
});
