import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openApp } from '../../../app.ts';
import { sql } from '#platform/database/database.ts';
import { createCertificate } from '#test/certificate.ts';
import { startApp, type TestReply, type TestApp } from '#test/harness.ts';
import {
  buildAssertionXml,
  buildAttributeStatement,
  buildConfigurationBody,
  domain,
  postResponse,
  buildResponseXml,
  rsaSha256,
  signXml,
  createId,
  createSsoOrganisation,
  startSsoLogin,
  type ResponseContent,
  type SigningOptions,
  type SsoOrganisation,
} from '#test/modules/sso.ts';

let app: TestApp;
let ours: SsoOrganisation;
let theirs: SsoOrganisation;
/** Who the attacker is, and may sign in as; and who the attacker wants to be. */
const mallory = `mallory@${domain}`;
const admin = `admin@${domain}`;

beforeAll(async () => {
  app = await startApp();
  ours = await createSsoOrganisation(app);
  theirs = await createSsoOrganisation(app);
});

/** Everything that a login could leave behind. */
async function everything() {
  const tables = [
    'users',
    'sessions',
    'refresh_tokens',
    'sso_requests',
    'sso_assertions',
    'audit_log',
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

/** The login that the attacker has started, and may answer honestly. */
let id: string;
let before: unknown;
beforeEach(async () => {
  ({ id } = await startSsoLogin(app, ours));
  before = await everything();
});

const said = (more: ResponseContent = {}): ResponseContent => ({
  in_response_to: id,
  email: mallory,
  ...more,
});
const honest = (more: ResponseContent = {}) => buildResponseXml(ours, app.clock.now(), said(more));

/** With another first character in an element of base64, whatever it was. */
function withOtherFirst(xml: string, element: string): string {
  return xml.replace(
    new RegExp(`(<${element}>)(.)`),
    (_, tag: string, first: string) => `${tag}${first === '/' ? 'A' : '/'}`,
  );
}

async function expectRefused(
  xml: string | { readonly raw: string },
  codes: readonly string[] = ['sso_response_refused', 'sso_response_malformed'],
) {
  const answer = await postResponse(app, ours, xml);
  expect([codes, answer.status >= 400 && answer.status < 500]).toEqual([
    expect.arrayContaining([answer.body.code]),
    true,
  ]);
  expect(answer.cookies).toEqual({});
  expect(JSON.stringify(answer.body)).not.toContain('access_token');
  expect(await everything(), 'a refusal changes nothing').toEqual(before);
  return answer;
}

const because = async (answer: Promise<TestReply>, reason: string | RegExp) =>
  expect((await answer).body.detail).toMatch(reason);

test('what the attacks are made of is taken as it is, so that they fail for no other reason', async () => {
  for (const over of ['Response', 'Assertion'] as const) {
    const { id: fresh } = await startSsoLogin(app, ours);
    const answer = await postResponse(app, ours, signXml(honest({ in_response_to: fresh }), over));
    expect([answer.status, answer.body.user.email]).toEqual([200, mallory]);
  }
});

/** The first element of a name, as text. */
function element(xml: string, name: string): string {
  return new RegExp(`<${name}[ >][^]*?</${name}>`).exec(xml)![0];
}

const signatureOf = (xml: string) => element(xml, 'ds:Signature');
const unsigned = (xml: string) => (xml.includes('<ds:Signature') ? xml.replace(signatureOf(xml), '') : xml);

/** The document with another id and another person in it. */
function evil(xml: string): string {
  return unsigned(xml)
    .replaceAll(mallory, admin)
    .replace(/ ID="_\w+"/g, () => ` ID="${createId()}"`);
}

describe('a signature is not moved around', () => {
  const ofResponse = () => signXml(honest(), 'Response');
  const ofAssertion = () => signXml(honest(), 'Assertion');
  const assertionIn = (xml: string) => element(xml, 'saml:Assertion');
  const withObject = (signature: string, content: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

  const wrapped: readonly (readonly [string, () => string])[] = [
    [
      'XSW1: the signed response inside the signature of another one',
      () => {
        const xml = ofResponse();
        return evil(xml).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${withObject(signatureOf(xml), unsigned(xml))}`,
        );
      },
    ],
    [
      'XSW2: the signed response before the signature in another one',
      () => {
        const xml = ofResponse();
        return evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${unsigned(xml)}${signatureOf(xml)}`);
      },
    ],
    [
      'XSW3: another assertion before the signed one',
      () => {
        const xml = ofAssertion();
        return xml.replace('<saml:Assertion', `${evil(assertionIn(xml))}<saml:Assertion`);
      },
    ],
    [
      'XSW4: the signed assertion inside another one',
      () => {
        const xml = ofAssertion();
        const inner = assertionIn(xml);
        return xml.replace(inner, evil(inner).replace('</saml:Assertion>', `${inner}</saml:Assertion>`));
      },
    ],
    [
      'XSW5: another assertion with the signature, the signed one behind it',
      () => {
        const xml = ofAssertion();
        const inner = assertionIn(xml);
        const other = evil(inner).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`);
        return xml.replace(inner, `${other}${unsigned(inner)}`);
      },
    ],
    [
      'XSW6: the signed assertion inside the signature inside another one',
      () => {
        const xml = ofAssertion();
        const inner = assertionIn(xml);
        const signature = withObject(signatureOf(xml), unsigned(inner));
        return xml.replace(inner, evil(inner).replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
      },
    ],
    [
      'XSW7: another assertion among the extensions',
      () => {
        const xml = ofAssertion();
        const extensions = `<samlp:Extensions>${evil(assertionIn(xml))}</samlp:Extensions>`;
        return xml.replace('<samlp:Status>', `${extensions}<samlp:Status>`);
      },
    ],
    [
      'XSW8: the signed assertion in an object of the signature in another one',
      () => {
        const xml = ofAssertion();
        const inner = assertionIn(xml);
        const signature = withObject(signatureOf(xml), `<x>${unsigned(inner)}</x>`);
        return xml.replace(inner, evil(inner).replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
      },
    ],
    [
      'the signed assertion under another namespace',
      () =>
        ofAssertion().replace(
          '<samlp:Status>',
          `<samlp:Extensions>${evil(buildAssertionXml(ours, app.clock.now(), said()))
            .replace(/saml:/g, 'x:')
            .replace('xmlns:saml', 'xmlns:x')}</samlp:Extensions><samlp:Status>`,
        ),
    ],
    [
      'two assertions with one id',
      () => {
        const xml = ofAssertion();
        const inner = assertionIn(xml);
        return xml.replace(inner, `${inner}${unsigned(inner).replaceAll(mallory, admin)}`);
      },
    ],
    [
      'the id of the assertion a second time, as another spelling of id',
      () => {
        const xml = ofAssertion();
        const own = / ID="(_\w+)"/.exec(assertionIn(xml))![1];
        return xml.replace('<samlp:Status>', `<samlp:Status Id="${own}">`);
      },
    ],
    [
      'two assertions, each signed',
      () => {
        const [one, other] = [ofAssertion(), signXml(honest({ email: admin }), 'Assertion')];
        return one.replace('</samlp:Response>', `${assertionIn(other)}</samlp:Response>`);
      },
    ],
    [
      'two signatures over the same',
      () => {
        const xml = ofAssertion();
        return xml.replace(signatureOf(xml), signatureOf(xml).repeat(2));
      },
    ],
    [
      'a signature that stands in the status',
      () => {
        const xml = ofAssertion();
        return unsigned(xml).replace('<samlp:Status>', `<samlp:Status>${signatureOf(xml)}`);
      },
    ],
    [
      'a second SignedInfo',
      () => {
        const xml = ofAssertion();
        const info = element(xml, 'ds:SignedInfo');
        return xml.replace(info, info.repeat(2));
      },
    ],
    [
      'a second reference',
      () => {
        const xml = ofAssertion();
        const reference = element(xml, 'ds:Reference');
        return xml.replace(reference, reference.repeat(2));
      },
    ],
    [
      'a comment in the digest',
      () => ofAssertion().replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->'),
    ],
  ];

  test.each(wrapped)('%s', async (_, make) => {
    const xml = make();
    expect(xml).not.toBe(ofAssertion());
    await expectRefused(xml);
  });
});

describe('a signature is', () => {
  test('there', async () => {
    await because(expectRefused(honest()), 'Neither the response nor the assertion is signed');
    await expectRefused(unsigned(signXml(honest(), 'Response')));
  });

  test('over all that is said: not a letter is changed', async () => {
    for (const over of ['Response', 'Assertion'] as const) {
      const xml = signXml(honest(), over);
      await expectRefused(xml.replaceAll(mallory, admin));
      await expectRefused(xml.replace('<saml:AudienceRestriction>', '<saml:AudienceRestriction> '));
      await expectRefused(withOtherFirst(xml, 'ds:SignatureValue'));
      await expectRefused(withOtherFirst(xml, 'ds:DigestValue'));
    }
  });

  test('right wherever it stands: a right one beside a wrong one is not enough', async () => {
    const xml = signXml(signXml(honest(), 'Assertion'), 'Response');
    await expectRefused(xml.replace(/ Destination="[^"]*"/, ` Destination="${ours.acs}" Consent="x"`));
    const stranger = createCertificate();
    await expectRefused(signXml(signXml(honest(), 'Assertion', { by: stranger }), 'Response'));
    await expectRefused(signXml(signXml(honest(), 'Assertion'), 'Response', { by: stranger }));
  });

  test('made with a configured key, whatever certificate it brings along', async () => {
    const stranger = createCertificate({ name: 'idp.harbour.example' });
    const xml = signXml(honest(), 'Assertion', { by: stranger });
    expect(xml).toContain('X509Certificate');
    await because(expectRefused(xml), 'not one of the configured identity provider');
    await expectRefused(signXml(honest(), 'Response', { by: stranger }));
  });

  const others: readonly (readonly [string, SigningOptions])[] = [
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

  test.each(others)('made as we take it, and not with %s', async (_, signing) => {
    for (const over of ['Response', 'Assertion'] as const)
      await expectRefused(signXml(honest(), over, signing));
  });

  test('over what it stands in', async () => {
    const xml = signXml(honest(), 'Assertion');
    await expectRefused(xml.replace(/URI="#_\w+"/, 'URI=""'));
    await expectRefused(xml.replace(/URI="#_\w+"/, `URI="#xpointer(/)"`));
    await expectRefused(xml.replace(/URI="#(_\w+)"/, `URI="#$1' or '1'='1"`));
    const transform = '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>';
    await expectRefused(xml.replace('</ds:Transforms>', `${transform}</ds:Transforms>`));
    await expectRefused(xml.replace(rsaSha256, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'));
  });
});

describe('an assertion counts', () => {
  const apart = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000);
  const cases: readonly (readonly [string, RegExp, () => ResponseContent])[] = [
    ['for its audience', /^The audience is not us/, () => ({ audience: theirs.sp })],
    ['for its whole audience', /^The audience is not us/, () => ({ audience: `${ours.sp}/` })],
    [
      'for everybody whom it restricts itself to',
      /^The audience is not us/,
      () => ({
        conditions: `<saml:AudienceRestriction><saml:Audience>${theirs.sp}</saml:Audience></saml:AudienceRestriction>`,
      }),
    ],
    ['at its recipient', /recipient is not our address/, () => ({ recipient: theirs.acs })],
    ['at its destination', /destination .* not our address/, () => ({ destination: theirs.acs })],
    ['with a destination', /destination .* not our address/, () => ({ destination: null })],
    ['from its issuer', /issuer is not/, () => ({ issuer: 'https://evil.example/' })],
    ['in the response of its issuer', /issuer is not/, () => ({ response_issuer: 'https://evil.example/' })],
    ['for its request', /not started here/, () => ({ in_response_to: createId() })],
    ['for one request', /do not answer the same/, () => ({ response_in_response_to: createId() })],
    [
      'with its request',
      /do not answer the same/,
      () => ({ in_response_to: null, response_in_response_to: id }),
    ],
    ['in the response to its request', /do not answer the same/, () => ({ response_in_response_to: null })],
    [
      'with the request that started it',
      /only logins that were started here/,
      () => ({ in_response_to: null }),
    ],
    ['not before its time', /not valid yet/, () => ({ not_before: apart(1.1) })],
    ['not after its time', /expired/, () => ({ not_on_or_after: apart(-1) })],
    ['not after its confirmation', /expired/, () => ({ confirmation_ends: apart(-1) })],
    ['with an end of its confirmation', /has no end|not complete/, () => ({ confirmation_ends: null })],
    [
      'while it is new, however long it says',
      /expired/,
      () => ({ issued_at: apart(-11), not_on_or_after: apart(1e6), confirmation_ends: apart(1e6) }),
    ],
    ['once it is issued', /not valid yet/, () => ({ issued_at: apart(2) })],
    [
      'while its session lasts',
      /session at the identity provider has expired/,
      () => ({ session_ends: apart(-1) }),
    ],
    ['where somebody was authenticated', /anybody was authenticated/, () => ({ authenticated: false })],
    [
      'for its bearer',
      /confirmed as the bearer/,
      () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }),
    ],
    ['with conditions that we understand', /unknown kind/, () => ({ conditions: '<saml:Condition/>' })],
    [
      'with one set of conditions',
      /not one Conditions|not complete/,
      () => ({ advice: '<saml:Conditions/>' }),
    ],
    [
      'about one subject',
      /not one Subject/,
      () => ({ advice: `<saml:Subject><saml:NameID>${admin}</saml:NameID></saml:Subject>` }),
    ],
    ['with an id', /not over what it stands in|has no id/, () => ({ assertion_id: '' })],
  ];

  test.each(cases)('only %s', async (_, reason, make) => {
    for (const over of ['Response', 'Assertion'] as const)
      await because(expectRefused(signXml(honest(make()), over)), reason);
  });

  test.each(['Responder', 'Requester', 'AuthnFailed', 'Success2'])(
    'only with success, and not with %s',
    async (status) => {
      await because(expectRefused(signXml(honest({ status }), 'Assertion')), 'did not sign anybody in');
      await expectRefused(signXml(honest({ status }), 'Response'));
    },
  );

  test('only once', async () => {
    const xml = signXml(honest(), 'Assertion');
    expect((await postResponse(app, ours, xml)).status).toBe(200);
    before = await everything();
    await because(expectRefused(xml), 'answered already');
    ({ id } = await startSsoLogin(app, ours));
    before = await everything();
    const [own] = / ID="_\w+"/.exec(element(xml, 'saml:Assertion'))!;
    const again = honest({ assertion_id: /_\w+/.exec(own)![0] });
    await because(expectRefused(signXml(again, 'Assertion')), 'used already');
  });

  test('only once, also among fifty at the same time', async () => {
    const xml = signXml(honest(), 'Assertion');
    const answers = await Promise.all(Array.from({ length: 50 }, () => postResponse(app, ours, xml)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
  });

  test('only once, also where another process with the same database has taken it', async () => {
    const database = (await app.sql.one(sql<{ name: string }>`select current_database() as name`)).name;
    const { platform, clock } = app;
    const other = await openApp(
      platform.config,
      { ...inject('server'), database },
      { clock, log: platform.log },
    );
    try {
      const xml = signXml(honest(), 'Assertion');
      const form = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') });
      const { statusCode } = await other.server.inject({
        method: 'POST',
        url: `/api/v1/auth/sso/${ours.org_id}/acs`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: form.toString(),
      });
      expect(statusCode).toBe(200);
      before = await everything();
      await because(expectRefused(xml), 'answered already');
    } finally {
      await other.close();
    }
  });

  test('only for ten minutes after the login was started', async () => {
    app.clock.advance(10 * 60_000);
    await because(expectRefused(signXml(honest(), 'Assertion')), 'older than 10 minutes');
  });

  test('only in its organisation, also where two have the same identity provider', async () => {
    const { id: other } = await startSsoLogin(app, theirs);
    before = await everything();
    for (const in_response_to of [other, id]) {
      const xml = signXml(buildResponseXml(theirs, app.clock.now(), said({ in_response_to })), 'Response');
      await expectRefused(xml);
    }
    await because(expectRefused(signXml(honest({ in_response_to: other }), 'Response')), 'not started here');
  });

  test('only as long as the configuration stands', async () => {
    const moved = await createSsoOrganisation(app);
    const { id: asked } = await startSsoLogin(app, moved);
    const xml = signXml(
      buildResponseXml(moved, app.clock.now(), said({ in_response_to: asked, email: `new@${domain}` })),
      'Response',
    );
    const { org_id, admin: administrator } = moved;
    await app.request('POST', `/orgs/${org_id}/sso/configure`, {
      token: administrator.token,
      body: buildConfigurationBody({ idp_certificates: [createCertificate().certificate] }),
    });
    expect((await postResponse(app, moved, xml)).body.code).toBe('sso_response_refused');
  });

  test('only as long as the configuration stands, also where it changes while the signature is checked', async () => {
    const xml = signXml(honest(), 'Assertion');
    const answer = await app.sql.transaction(async (tx) => {
      await tx.run(sql`
        update sso_configurations set updated_at = updated_at + interval '1 second' where org_id = ${ours.org_id}`);
      const under = postResponse(app, ours, xml);
      await somebodyWaits();
      // Told only after the commit.
      return { under };
    });
    expect((await answer.under).body.detail).toBe('The configuration has changed this very moment.');
    expect((await postResponse(app, ours, xml)).status).toBe(200);
  });

  /** Until somebody waits for a lock of ours. */
  async function somebodyWaits(): Promise<void> {
    const waiting = sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await app.sql.one(waiting)).count === 0);
  }
});

describe('a name is not cut in two', () => {
  const parts: readonly (readonly [string, (email: string, rest: string) => string])[] = [
    ['a comment', (email, rest) => `${email}<!-- -->${rest}`],
    ['a processing instruction', (email, rest) => `${email}<?x?>${rest}`],
    ['a CDATA section', (email, rest) => `<![CDATA[${email}]]>${rest}`],
    ['an element', (email, rest) => `${email}<x/>${rest}`],
  ];

  test.each(parts)('by %s, where it is signed and where it is put in afterwards', async (_, cut) => {
    const evilName = `${admin}.evil.example`;
    const [cutName, codes] = [
      cut(admin, '.evil.example'),
      ['sso_response_refused', 'sso_response_malformed'],
    ];
    // The signing library knows no processing instructions.
    if (!cutName.includes('<?'))
      await expectRefused(signXml(honest({ email: cutName, name_id: cutName }), 'Assertion'), [
        ...codes,
        'sso_account_refused',
      ]);
    const plain = signXml(honest({ email: evilName, name_id: evilName }), 'Assertion');
    await expectRefused(plain.replaceAll(evilName, cutName), codes);
    await expectRefused(plain, ['sso_account_refused']);
  });
});

describe('a document', () => {
  const declared = (declaration: string) =>
    `<?xml version="1.0"?>${declaration}${signXml(honest(), 'Assertion')}`;

  test.each([
    '<!DOCTYPE a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE a [<!ENTITY who "admin@harbour.example">]>',
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>',
    '<!doctype a>',
    '<!DOCTYPE a [<!ATTLIST saml:Assertion ID ID #IMPLIED>]>',
  ])('declares nothing of its own: %s', async (declaration) => {
    await because(expectRefused(declared(declaration)), 'document type');
  });

  test('expands no entities', async () => {
    const lol = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    await expectRefused(`<!DOCTYPE a [<!ENTITY l0 "lol">${lol.join('')}]>${honest({ email: '&l9;' })}`);
    await because(expectRefused(honest({ email: '&l9;' })), 'entity');
  });

  test('is not larger than 128 KiB', async () => {
    const large = signXml(
      honest({ advice: `<saml:Advice>${'x'.repeat(128 * 1024)}</saml:Advice>` }),
      'Assertion',
    );
    await expectRefused(large, ['field_invalid', 'body_too_large']);
    await expectRefused('x'.repeat(140_000), ['field_invalid', 'body_too_large']);
  });

  test('is read in no time, however it is built', async () => {
    const declaring = `<a${Array.from({ length: 99 }, (_, index) => ` xmlns:p${index}="c"`).join('')}>`;
    const pieces = [
      '<a>'.repeat(40_000),
      '<a '.repeat(40_000),
      `<a ${'b="" '.repeat(20_000)}`,
      `<a${' '.repeat(120_000)}`,
      '&'.repeat(120_000),
      `<a>${'&#1'.repeat(40_000)}`,
      declaring.repeat(30) + '<a xmlns:b="c"/>'.repeat(4_500) + '</a>'.repeat(30),
      signXml(honest({ advice: `<saml:Advice>${'<a/>'.repeat(4_800)}</saml:Advice>` }), 'Assertion', {
        by: createCertificate(),
      }),
    ];
    for (const piece of pieces) {
      const began = performance.now();
      await expectRefused(piece);
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });

  test('is a response', async () => {
    for (const xml of [
      'hello',
      '<a/>',
      buildAssertionXml(ours, app.clock.now(), said()),
      `<Response>${buildAssertionXml(ours, app.clock.now(), said())}</Response>`,
      signXml(honest(), 'Assertion').replaceAll('samlp:Response', 'samlp:LogoutResponse'),
      signXml(honest(), 'Assertion').replace('Version="2.0"', 'Version="1.1"'),
      signXml(honest(), 'Assertion').replace(
        'oasis:names:tc:SAML:2.0:protocol',
        'oasis:names:tc:SAML:1.0:protocol',
      ),
    ])
      await expectRefused(xml);
  });

  test('is UTF-8, and base64 without anything in between', async () => {
    const xml = signXml(honest(), 'Assertion');
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

  test('has no encrypted parts', async () => {
    const xml = honest().replace(/<saml:Assertion[^]*<\/saml:Assertion>/, '<saml:EncryptedAssertion/>');
    await because(expectRefused(xml), 'Encrypted assertions are not taken');
    const encryptedId = honest({ name_id: '</saml:NameID><saml:EncryptedID/><saml:NameID>x' });
    await expectRefused(signXml(encryptedId, 'Assertion'));
  });

  test('has attributes of a plain kind', async () => {
    const attributes = buildAttributeStatement(
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
    await expectRefused(
      signXml(
        honest({
          attributes: `${attributes}<saml:AttributeStatement><saml:Attribute><saml:AttributeValue/></saml:Attribute></saml:AttributeStatement>`,
        }),
        'Assertion',
      ),
    );
  });
});
