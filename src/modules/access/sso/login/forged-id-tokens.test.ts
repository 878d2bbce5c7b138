import * as jose from 'jose';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  sendAnswer,
  configureOpenid,
  createOpenidOrganisation,
  listenOnce,
  openid_domain,
  openidClient,
  startOpenidLogin,
} from '#test/modules/openid.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const ours = await createOpenidOrganisation(app);
const [own, foreign] = await Promise.all([jose.generateKeyPair('ES256'), jose.generateKeyPair('ES256')]);

type Token = {
  readonly claims: jose.JWTPayload;
  readonly sign: (claims: jose.JWTPayload) => Promise<string>;
};

/** What the token endpoint of the provider answers next. */
let idToken = '';
let issuer = '';
const jwks = { keys: [{ ...(await jose.exportJWK(own.publicKey)), alg: 'ES256', use: 'sig', kid: 'own' }] };
issuer = await listenOnce((request, reply) => {
  const { pathname } = new URL(request.url!, issuer);
  const documents: Readonly<Record<string, unknown>> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'none', 'HS256'],
    },
    '/jwks': jwks,
    '/token': { access_token: 'a', token_type: 'Bearer', id_token: idToken },
  };
  const document = documents[pathname];
  reply.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
  reply.end(JSON.stringify(document ?? {}));
});
await configureOpenid(app, ours, { issuer });

const signWith = (key: jose.CryptoKey | Uint8Array, alg: string) => (claims: jose.JWTPayload) =>
  new jose.SignJWT(claims).setProtectedHeader({ alg, kid: 'own' }).sign(key);
const sign = signWith(own.privateKey, 'ES256');
const readSeconds = () => Math.floor(Date.now() / 1000);

/** Logs in with the token that `forge` makes of a valid one. */
async function logIn(forge: (token: Token) => Token) {
  const { address, cookies } = await startOpenidLogin(app, ours);
  const { searchParams } = new URL(address);
  const claims = {
    iss: issuer,
    sub: 'ada',
    aud: openidClient.client_id,
    iat: readSeconds(),
    exp: readSeconds() + 300,
    nonce: searchParams.get('nonce')!,
    email: `ada@${openid_domain}`,
    email_verified: true,
  };
  const token = forge({ claims, sign });
  idToken = await token.sign(token.claims);
  return sendAnswer(app, ours, { code: 'a', state: searchParams.get('state')! }, cookies);
}

test('the token that is not forged logs its user in', async () => {
  const { status, body } = await logIn((token) => token);
  expect([status, body.user?.email]).toEqual([200, `ada@${openid_domain}`]);
});

const change =
  (changes: jose.JWTPayload) =>
  ({ claims, ...rest }: Token): Token => ({ ...rest, claims: { ...claims, ...changes } });

test.each<[string, (token: Token) => Token, string]>([
  ['of another login', change({ nonce: 'another' }), 'nonce'],
  ['without a nonce', change({ nonce: undefined }), ''],
  ['for another client', change({ aud: 'another' }), 'aud'],
  [
    'for several clients, and authorised for another',
    change({ aud: ['tessera', 'another'], azp: 'another' }),
    'azp',
  ],
  ['of another issuer', change({ iss: 'https://other.example' }), 'iss'],
  ['that has expired', change({ exp: 1_600_000_000 }), 'not valid now'],
  ['without a subject', change({ sub: '' }), ''],
  [
    'without a signature',
    ({ claims }) => ({ claims, sign: async (content) => new jose.UnsecuredJWT(content).encode() }),
    '',
  ],
  [
    'signed with the secret of the client',
    ({ claims }) => ({
      claims,
      sign: signWith(new TextEncoder().encode(openidClient.client_secret.padEnd(32, '-')), 'HS256'),
    }),
    'not accepted',
  ],
  ['signed with another key', ({ claims }) => ({ claims, sign: signWith(foreign.privateKey, 'ES256') }), ''],
  ['that is no token', ({ claims }) => ({ claims, sign: async () => 'a.b.c' }), ''],
])('a token %s is refused', async (_, forge, word) => {
  const { status, body } = await logIn(forge);
  expect([status, body.code]).toEqual([401, 'sso_response_refused']);
  expect(body.detail).toContain(word);
});
