import { createHash, randomBytes, verify as verifySignature } from 'node:crypto';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { cryptosuite } from '@digitalbazaar/ecdsa-rdfc-2019-cryptosuite';
import { verifyCredential } from '@digitalbazaar/vc';
import { Openid4vciClient, type Openid4vciClientOptions } from '@openid4vc/openid4vci';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { encode } from 'base58-universal';
import { exportJWK, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { expect, test } from 'vitest';
import { createOwnDocumentLoader } from '#test/modules/credentials.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createCredential, requestRevocation } from '#test/modules/credentials.ts';
import {
  buildDidJwk,
  createTradedOffer,
  createWalletKey,
  createWalletOffer,
  fetchCredential,
  fetchNonce,
  readCode,
  requestToken,
  signProof,
  wrongSecret,
  type ProofChanges,
  type WalletKey,
} from '#test/modules/wallets.ts';
import { personalData } from './personal-data.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
const minute_ms = 60_000;

/** A third-party wallet whose requests are handled by the service in this process. */
function createWallet(key: WalletKey): Openid4vciClient {
  const callbacks: Openid4vciClientOptions['callbacks'] = {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const payload = await request.text();
      const response = await app.server.inject({
        method: request.method as 'GET' | 'POST',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(payload && { payload }),
      });
      return new Response(response.payload, {
        status: response.statusCode,
        headers: { 'content-type': String(response.headers['content-type']) },
      });
    },
    hash: (data, algorithm) => new Uint8Array(createHash(algorithm.replace('-', '')).update(data).digest()),
    generateRandom: (count) => new Uint8Array(randomBytes(count)),
    clientAuthentication: () => undefined,
    // Unlike jose's types, those of the library allow undefined members.
    signJwt: async (_signer, { header, payload }) => ({
      jwt: await new SignJWT(payload as JWTPayload)
        .setProtectedHeader({ ...header, alg: key.alg } as JWTHeaderParameters)
        .sign(key.privateKey),
      signerJwk: key.jwk,
    }),
  };
  return new Openid4vciClient({ callbacks });
}

type ProofSigner = Parameters<Openid4vciClient['createCredentialRequestJwtProof']>[0]['signer'];

async function fetchIntoWallet(
  key: WalletKey,
  signer: ProofSigner,
  configuration: string,
  device: 'this' | 'another' = 'another',
) {
  const { token } = await app.registerDeployedMember();
  const credential = await createCredential(app, token);
  const offer = await createWalletOffer(app, token, credential.id, device);
  const wallet = createWallet(key);
  const credentialOffer = await wallet.resolveCredentialOffer(offer.offer_link);
  const issuerMetadata = await wallet.resolveIssuerMetadata(credentialOffer.credential_issuer);
  const { accessTokenResponse } = await wallet.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    ...(offer.tx_code !== null && { txCode: offer.tx_code }),
  });
  const { c_nonce: nonce } = await wallet.requestNonce({ issuerMetadata });
  const { jwt } = await wallet.createCredentialRequestJwtProof({
    issuerMetadata,
    credentialConfigurationId: configuration,
    nonce,
    issuedAt: app.clock.now(),
    signer,
  });
  const { credentialResponse } = await wallet.retrieveCredentials({
    issuerMetadata,
    credentialConfigurationId: configuration,
    proofs: { jwt: [jwt] },
    accessToken: accessTokenResponse.access_token,
  });
  const [first] = credentialResponse.credentials as { credential: unknown }[];
  return { credential, received: first!.credential, issuerMetadata };
}

test('a third-party wallet fetches an SD-JWT VC bound to its key, and a third-party verifier accepts it', async () => {
  const key = await createWalletKey();
  const signer = { method: 'jwk', alg: 'ES256', publicJwk: key.jwk } as const;
  const { credential, received, issuerMetadata } = await fetchIntoWallet(
    key,
    signer,
    'trait_attestation_sd_jwt',
  );
  expect(issuerMetadata.originalDraftVersion).toBe('V1');
  const sdJwt = new SDJwtVcInstance({
    hasher: (data: string | ArrayBuffer) => createHash('sha256').update(toText(data)).digest(),
    verifier: isSignedByService,
    statusVerifier: isSignedByService,
    statusListFetcher: async (uri) => (await app.request('GET', `/${new URL(uri).pathname}`)).body as string,
  });
  const { payload } = await sdJwt.verify(received as string, {
    currentDate: app.clock.now().getTime() / 1000,
  });
  expect(payload).toMatchObject({
    iss: publicUrl,
    vct: `${publicUrl}/vct/trait_attestation`,
    jti: credential.id,
    archetype_family: 'craft',
    cnf: { jwk: { kty: 'EC', crv: 'P-256', x: key.jwk.x, y: key.jwk.y } },
  });
  const verification = await app.request(
    'GET',
    `/credentials/verify?token=${encodeURIComponent(received as string)}`,
  );
  expect(verification.body).toMatchObject({ valid: true, form: 'sd_jwt_vc' });
});

test('a wallet fetches a W3C credential with an embedded proof, whose subject is the wallet’s DID', async () => {
  const key = await createWalletKey('EdDSA');
  const signer = { method: 'did', alg: 'EdDSA', didUrl: `${buildDidJwk(key)}#0` } as const;
  const { credential, received } = await fetchIntoWallet(key, signer, 'trait_attestation_ldp');
  expect(received).toMatchObject({
    id: `urn:uuid:${credential.id}`,
    credentialSubject: { id: buildDidJwk(key), archetype_family: 'craft' },
    proof: { type: 'DataIntegrityProof', cryptosuite: 'ecdsa-rdfc-2019' },
  });
  const verifying = {
    suite: new DataIntegrityProof({ cryptosuite }),
    documentLoader: createOwnDocumentLoader(app.platform),
    now: app.clock.now(),
    checkStatus: async () => ({ verified: true }),
  };
  expect(await verifyCredential({ credential: received as object, ...verifying })).toMatchObject({
    verified: true,
  });
  const changed = {
    ...(received as object),
    credentialSubject: { id: 'did:example:somebody', archetype_family: 'craft' },
  };
  expect(await verifyCredential({ credential: changed, ...verifying })).toMatchObject({ verified: false });
});

test('both configurations of an offer can be fetched, each once', async () => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey();
  const fetchConfiguration = async (body: object = {}) =>
    fetchCredential(app, access_token, await signProof(app, key), body);
  expect((await fetchConfiguration()).status).toBe(200);
  expect((await fetchConfiguration()).body.error).toBe('credential_request_denied');
  expect((await fetchConfiguration({ credential_configuration_id: 'trait_attestation_ldp' })).status).toBe(
    200,
  );
});

// From the examples of the did:key Method Specification.
test.each([
  ['EdDSA', 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'],
  ['ES256', 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169'],
])('a proof that names a %s key by did:key must be signed by that key', async (alg, did) => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey(alg);
  const header = { jwk: undefined, kid: `${did}#${did.slice('did:key:'.length)}` };
  const { body } = await fetchCredential(app, access_token, await signProof(app, key, { header }));
  expect(body).toMatchObject({
    error: 'invalid_proof',
    error_description: expect.stringMatching(/signature/),
  });
});

test('a credential can be bound to a key named by did:key', async () => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey('EdDSA');
  const did = buildDidKey(key);
  const header = { jwk: undefined, kid: `${did}#${did.slice('did:key:'.length)}` };
  const { status, body } = await fetchCredential(app, access_token, await signProof(app, key, { header }));
  expect(status).toBe(200);
  const payload = String(body.credentials[0].credential).split('.')[1]!;
  // The wallet finds its key by the DID URL under which it proved possession.
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).cnf).toEqual({ kid: header.kid });
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['a wrong transaction code', { tx_code: 'abcdef' }, 'invalid_grant'],
  ['no transaction code', { tx_code: undefined }, 'invalid_request'],
  ['a wrong code', { 'pre-authorized_code': wrongSecret }, 'invalid_grant'],
  ['no code', { 'pre-authorized_code': undefined }, 'invalid_request'],
  ['another grant', { grant_type: 'authorization_code' }, 'unsupported_grant_type'],
  ['no grant', { grant_type: undefined }, 'invalid_request'],
])('a token request with %s gets the right error code', async (_, fields, error) => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  const { status, body, headers } = await requestToken(app, offer, fields);
  expect([status, body.error]).toEqual([400, error]);
  expect(headers['cache-control']).toBe('no-store');
});

test('a third-party wallet on the device that shows the offer fetches a credential without any digits', async () => {
  const key = await createWalletKey();
  const signer = { method: 'jwk', alg: 'ES256', publicJwk: key.jwk } as const;
  const { received } = await fetchIntoWallet(key, signer, 'trait_attestation_sd_jwt', 'this');
  expect(received).toEqual(expect.stringContaining('~'));
});

test('an offer without a transaction code refuses one, works once, and ends after two minutes', async () => {
  const { token } = await app.registerDeployedMember();
  const { id } = await createCredential(app, token);
  const offer = await createWalletOffer(app, token, id, 'this');
  expect((await requestToken(app, offer, { tx_code: '123456' })).body.error).toBe('invalid_request');
  expect((await requestToken(app, offer)).status).toBe(200);
  expect((await requestToken(app, offer)).body.error).toBe('invalid_grant');
  const late = await createWalletOffer(app, token, id, 'this');
  app.clock.advance(120_000);
  expect((await requestToken(app, late)).body.error).toBe('invalid_grant');
});

test('after five wrong transaction codes an offer accepts no code', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  for (let guess = 0; guess < 5; guess++) await requestToken(app, offer, { tx_code: 'wrong' });
  expect((await requestToken(app, offer)).body.error).toBe('invalid_grant');
});

test('using a code twice also revokes the token from the first use', async () => {
  const { offer, access_token } = await createTradedOffer(app);
  expect((await requestToken(app, offer)).body.error).toBe('invalid_grant');
  const { status, body, headers } = await fetchCredential(
    app,
    access_token,
    await signProof(app, await createWalletKey()),
  );
  expect([status, body.error]).toEqual([401, 'invalid_token']);
  expect(headers['www-authenticate']).toContain('error="invalid_token"');
});

test('two concurrent requests with one code get one token', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  const replies = await Promise.all([requestToken(app, offer), requestToken(app, offer)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('offers, tokens and nonces expire', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey();
  const nonce = await fetchNonce(app);
  app.clock.advance(5 * minute_ms);
  const late = await fetchCredential(app, access_token, await signProof(app, key, { payload: { nonce } }));
  expect(late.body.error).toBe('invalid_nonce');
  app.clock.advance(5 * minute_ms);
  expect((await requestToken(app, offer)).body.error).toBe('invalid_grant');
  expect((await app.request('GET', `/${new URL(offer.credential_offer_uri).pathname}`)).status).toBe(404);
  expect((await fetchCredential(app, access_token, await signProof(app, key))).body.error).toBe(
    'invalid_token',
  );
});

const computeSecondsFromNow = (seconds: number) => Math.floor(app.clock.now().getTime() / 1000) + seconds;

test.each<[string, () => ProofChanges | Promise<ProofChanges>, string]>([
  ['for another audience', () => ({ payload: { aud: 'https://elsewhere.example' } }), 'invalid_proof'],
  ['without an audience', () => ({ payload: { aud: undefined } }), 'invalid_proof'],
  ['with an invented nonce', () => ({ payload: { nonce: 'AAAA' } }), 'invalid_nonce'],
  ['without a nonce', () => ({ payload: { nonce: undefined } }), 'invalid_nonce'],
  ['from long ago', () => ({ payload: { iat: computeSecondsFromNow(-600) } }), 'invalid_proof'],
  ['from the future', () => ({ payload: { iat: computeSecondsFromNow(600) } }), 'invalid_proof'],
  ['without a time', () => ({ payload: { iat: undefined } }), 'invalid_proof'],
  ['of another type', () => ({ header: { typ: 'JWT' } }), 'invalid_proof'],
  ['without a type', () => ({ header: { typ: undefined } }), 'invalid_proof'],
  ['without a key', () => ({ header: { jwk: undefined } }), 'invalid_proof'],
  ['with two keys', () => ({ header: { kid: 'did:jwk:e30#0' } }), 'invalid_proof'],
  [
    'with a DID of another method',
    () => ({ header: { jwk: undefined, kid: 'did:web:a.example#0' } }),
    'invalid_proof',
  ],
  ['with a broken did:key', () => ({ header: { jwk: undefined, kid: 'did:key:z0OIl' } }), 'invalid_proof'],
  ['with a broken did:jwk', () => ({ header: { jwk: undefined, kid: 'did:jwk:AAAA#0' } }), 'invalid_proof'],
  [
    'signed by another key',
    async () => ({ signedBy: (await createWalletKey()).privateKey }),
    'invalid_proof',
  ],
  [
    'with a key that is not a point on its curve',
    () => ({ header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' } } }),
    'invalid_proof',
  ],
])('a proof %s is refused, and the token stays valid', async (_, changes, error) => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey();
  const refused = await fetchCredential(app, access_token, await signProof(app, key, await changes()));
  expect([refused.status, refused.body.error]).toEqual([400, error]);
  expect((await fetchCredential(app, access_token, await signProof(app, key))).status).toBe(200);
});

test('a key with its private part is refused', async () => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey();
  const jwk = await exportJWK(key.privateKey);
  const { body } = await fetchCredential(app, access_token, await signProof(app, key, { header: { jwk } }));
  expect(body.error).toBe('invalid_proof');
});

test('an unsupported signature algorithm is refused, and so is alg none', async () => {
  const { access_token } = await createTradedOffer(app);
  const rsa = await createWalletKey('RS256');
  expect((await fetchCredential(app, access_token, await signProof(app, rsa))).body.error).toBe(
    'invalid_proof',
  );
  const [, body] = (await signProof(app, await createWalletKey())).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'openid4vci-proof+jwt' })).toString(
    'base64url',
  );
  expect((await fetchCredential(app, access_token, `${header}.${body}.`)).body.error).toBe('invalid_proof');
});

test('a nonce works once, even for different wallets', async () => {
  const nonce = await fetchNonce(app);
  const replies = [];
  for (let wallet = 0; wallet < 2; wallet++) {
    const { access_token } = await createTradedOffer(app);
    const proof = await signProof(app, await createWalletKey(), { payload: { nonce } });
    replies.push(await fetchCredential(app, access_token, proof));
  }
  expect(replies.map(({ status, body }) => [status, body.error])).toEqual([
    [200, undefined],
    [400, 'invalid_nonce'],
  ]);
});

test.each<[string, object, string]>([
  ['no configuration', { credential_configuration_id: undefined }, 'invalid_credential_request'],
  [
    'an unknown configuration',
    { credential_configuration_id: 'mso_mdoc' },
    'unknown_credential_configuration',
  ],
  [
    'a configuration that was not offered',
    { credential_configuration_id: 'org_validation_sd_jwt' },
    'credential_request_denied',
  ],
  ['an identifier', { credential_identifier: 'x' }, 'unknown_credential_identifier'],
  ['encryption', { credential_response_encryption: {} }, 'invalid_encryption_parameters'],
  ['no proof', { proofs: undefined }, 'invalid_proof'],
  ['two proofs', { proofs: { jwt: ['a', 'b'] } }, 'invalid_proof'],
  ['a proof of another type', { proofs: { di_vp: [{}] } }, 'invalid_proof'],
  ['a proof that is a number', { proofs: { jwt: [7] } }, 'invalid_proof'],
])('a credential request with %s gets the right error code', async (_, change, error) => {
  const { access_token } = await createTradedOffer(app);
  const jwt = await signProof(app, await createWalletKey());
  const { status, body } = await fetchCredential(app, access_token, jwt, change);
  expect([status, body.error]).toEqual([400, error]);
});

test('a credential that is revoked after it was offered is not delivered', async () => {
  const { member, credential, access_token } = await createTradedOffer(app);
  await requestRevocation(app, member.token, credential.id);
  const { body } = await fetchCredential(app, access_token, await signProof(app, await createWalletKey()));
  expect(body.error).toBe('credential_request_denied');
});

test('nothing is delivered for a member who has requested deletion', async () => {
  const { member, access_token } = await createTradedOffer(app);
  await app.request('DELETE', '/members/me', { token: member.token });
  const { body } = await fetchCredential(app, access_token, await signProof(app, await createWalletKey()));
  expect(body.error).toBe('credential_request_denied');
});

test('guesses count towards the rate limit of their network address', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const guess = () =>
    limited.request('POST', '//openid4vci/token', {
      raw: `grant_type=x&pre-authorized_code=${wrongSecret}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const statuses = [];
  for (let count = 0; count < 200; count++) statuses.push((await guess()).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
});

test('a member’s access token is refused here, and a wallet’s token is refused by the API', async () => {
  const { member, access_token } = await createTradedOffer(app);
  const jwt = await signProof(app, await createWalletKey());
  expect((await fetchCredential(app, member.token, jwt)).status).toBe(401);
  expect((await app.request('GET', '/members/me', { token: access_token })).status).toBe(401);
  expect((await app.request('POST', '//openid4vci/credential', { body: {} })).status).toBe(401);
});

test('an unreadable or oversized body gets an error in the shape of the protocol', async () => {
  const { offer, access_token } = await createTradedOffer(app);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path: string, raw: string, headers: Record<string, string>) =>
    app.request('POST', `//openid4vci/${path}`, { raw, headers, token: access_token });
  expect((await post('token', '%', form)).body.error).toBe('invalid_request');
  expect((await post('token', 'grant_type=a&grant_type=b', form)).body.error).toBe('invalid_request');
  expect((await post('token', JSON.stringify({ code: readCode(offer) }), {})).body.error).toBe(
    'invalid_request',
  );
  expect((await post('credential', '{', {})).body.error).toBe('invalid_credential_request');
  expect((await post('credential', '[]', {})).body.error).toBe('invalid_credential_request');
  expect((await post('credential', '{}', form)).body.error).toBe('invalid_credential_request');
  expect((await post('credential', '['.repeat(40), {})).body.error).toBe('invalid_credential_request');
  const large = await post('credential', `"${'a'.repeat(40_000)}"`, {});
  expect([large.status, large.body.error]).toEqual([413, 'invalid_request']);
});

test('the metadata documents refer to each other, and the authorization server has a path', async () => {
  const issuer = await app.request('GET', '//.well-known/openid-credential-issuer');
  expect(issuer.body).toMatchObject({
    credential_issuer: publicUrl,
    authorization_servers: [`${publicUrl}/openid4vci`],
    credential_endpoint: `${publicUrl}/openid4vci/credential`,
    nonce_endpoint: `${publicUrl}/openid4vci/nonce`,
  });
  const server = await app.request('GET', '//.well-known/oauth-authorization-server/openid4vci');
  expect(server.body).toMatchObject({
    issuer: `${publicUrl}/openid4vci`,
    token_endpoint: `${publicUrl}/openid4vci/token`,
    'pre-authorized_grant_anonymous_access_supported': true,
  });
});

test('a member’s data export contains the offers, and erasure deletes them', async () => {
  const { member, credential } = await createTradedOffer(app);
  const [section] = await personalData.exportPersonalData(app.sql, member.member_id, noAccounts);
  expect(section).toMatchObject({
    name: 'wallet_offers',
    rows: [{ credential_id: credential.id, redeemed: true }],
  });
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member.member_id, noAccounts));
  const listOffers = () =>
    app.sql.list(sql`select 1 from wallet_offers where member_id = ${member.member_id}`);
  expect(await listOffers()).toEqual([]);
});

const toText = (data: string | ArrayBuffer) => (typeof data === 'string' ? data : Buffer.from(data));

async function isSignedByService(data: string, signature: string): Promise<boolean> {
  const key = app.platform.keys.selectActive('credential').keyObjects.public;
  return verifySignature(
    'sha256',
    Buffer.from(data),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

/** did:key Method Specification. */
function buildDidKey({ jwk }: WalletKey): string {
  return `did:key:z${encode(Buffer.concat([Buffer.from([0xed, 0x01]), Buffer.from(jwk.x!, 'base64url')]))}`;
}
