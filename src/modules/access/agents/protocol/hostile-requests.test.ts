import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  buildAuthorizeUrl,
  createBrowser,
  createChallenge,
  registerClient,
  visit,
} from '#test/modules/oauth.ts';

const app = await startApp();
const client_id = await registerClient(app);

const odd = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    '%00',
    '%',
    '[]',
    '{}',
    '__proto__',
    'null',
    'authorization_code',
    'refresh_token',
    client_id,
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('a'.repeat(300), 'a'.repeat(4_097)),
);
const names = fc.constantFrom(
  ...'grant_type client_id client_secret code code_verifier redirect_uri refresh_token token scope resource client_assertion client_assertion_type token_type_hint __proto__ a\0'.split(
    ' ',
  ),
);
const pairs = fc.array(fc.tuple(names, odd), { maxLength: 8 });
const forms = fc.oneof(
  pairs.map((each) => new URLSearchParams(each).toString()),
  // Encoded wrongly, or not at all.
  fc
    .array(fc.tuple(names, odd), { maxLength: 8 })
    .map((each) => each.map((pair) => pair.join('=')).join('&')),
);
const credentials = fc.option(
  fc.oneof(
    odd.map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
    fc
      .tuple(odd, odd)
      .map((pair) => `Basic ${Buffer.from(pair.map(encodeURIComponent).join(':')).toString('base64')}`),
    fc.constantFrom('Basic', 'Basic %', 'Bearer x', 'Basic JTAwOiUwMA=='),
  ),
  { nil: undefined },
);

test('no form sent to the token or the revocation endpoint leads to a fault of the service', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('token', 'revoke'),
      forms,
      credentials,
      async (path, raw, authorization) => {
        const { status } = await app.request('POST', `//oauth/${path}`, {
          raw,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            ...(authorization !== undefined && { authorization }),
          },
        });
        expect([200, 400, 401, 413]).toContain(status);
      },
    ),
    { numRuns: 300 },
  );
});

test('no registration leads to a fault of the service', async () => {
  const fields = fc.constantFrom(
    ...'client_name redirect_uris grant_types response_types token_endpoint_auth_method jwks jwks_uri contacts logo_uri application_type client_uri __proto__ a\0'.split(
      ' ',
    ),
  );
  const values = fc.oneof(odd, fc.array(odd, { maxLength: 3 }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fields, values), { maxLength: 6 }), async (entries) => {
      const body = { redirect_uris: ['https://client.example/callback'], ...Object.fromEntries(entries) };
      const { status } = await app.request('POST', '//oauth/register', { body });
      expect([201, 400, 413]).toContain(status);
    }),
    { numRuns: 300 },
  );
});

test('no parameter of an authorization request leads to a fault of the service', async () => {
  const parameters = fc.constantFrom(
    ...'client_id redirect_uri state scope resource code_challenge code_challenge_method prompt max_age login_age_max_s response_type response_mode request request_uri claims nonce a\0'.split(
      ' ',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(parameters, odd), { maxLength: 4 }), async (changes) => {
      const url = buildAuthorizeUrl(app, client_id, createChallenge(), Object.fromEntries(changes));
      const { status } = await visit(app, createBrowser(), url);
      expect([303, 400]).toContain(status);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['a NUL in the name of a client', 'Basic JTAwOiUwMA=='],
  ['a NUL that is not encoded', `Basic ${Buffer.from('a\0b:c').toString('base64')}`],
  ['an encoding that is wrong', `Basic ${Buffer.from('%:%').toString('base64')}`],
])('%s in the credentials is an unknown client', async (_name, authorization) => {
  const { status, body } = await app.request('POST', '//oauth/token', {
    raw: 'grant_type=refresh_token&refresh_token=unknown',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
  });
  expect([status, body.error]).toEqual([
    expect.toSatisfy((each) => each === 400 || each === 401),
    expect.any(String),
  ]);
});
