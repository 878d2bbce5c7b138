import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { cryptosuite } from '@digitalbazaar/ecdsa-rdfc-2019-cryptosuite';
import { verifyCredential } from '@digitalbazaar/vc';
import { Openid4vciClient, type Openid4vciClientOptions } from '@openid4vc/openid4vci';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { encode } from 'base58-universal';
import { createHash, randomBytes, verify as verifySignature } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createOwnDocumentLoader } from '#modules/credentials';
import { startApp } from '#test/harness.ts';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';
import {
  readCode,
  buildDidJwk,
  fetchCredential,
  fetchNonce,
  createCredential,
  createWalletOffer,
  signProof,
  requestRevocation,
  requestToken,
  createTradedOffer,
  createWalletKey,
  wrongSecret,
  type ProofChanges,
  type WalletKey,
} from '#test/modules/wallets.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
const minute_ms = 60_000;

/** A wallet of other makers; its requests go to the service in this process. */
function walletOf(key: WalletKey): Openid4vciClient {
  const callbacks = {
    fetch: async (url: string | URL, init: RequestInit = {}) => {
      const { pathname, search } = new URL(url);
      const response = await app.server.inject({
        method: (init.method ?? 'GET') as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.body && { payload: init.body as string }),
      });
      return new Response(response.payload, {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
      });
    },
    hash: (data: Uint8Array, algorithm: string) =>
      new Uint8Array(createHash(algorithm.replace('-', '')).update(data).digest()),
    generateRandom: (count: number) => new Uint8Array(randomBytes(count)),
    clientAuthentication: () => undefined,
    signJwt: async (_signer: unknown, { header, payload }: { header: object; payload: object }) => ({
      jwt: await new SignJWT({ ...payload })
        .setProtectedHeader({ ...header, alg: key.alg })
        .sign(key.privateKey),
      signerJwk: key.jwk,
    }),
  };
  return new Openid4vciClient({ callbacks: callbacks as unknown as Openid4vciClientOptions['callbacks'] });
}

async function intoWallet(key: WalletKey, signer: object, configuration: string) {
  const { token } = await app.registerDeployedMember();
  const credential = await createCredential(app, token);
  const offer = await createWalletOffer(app, token, credential.id);
  const wallet = walletOf(key);
  const credentialOffer = await wallet.resolveCredentialOffer(offer.offer_link);
  const issuerMetadata = await wallet.resolveIssuerMetadata(credentialOffer.credential_issuer);
  const { accessTokenResponse } = await wallet.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    txCode: offer.tx_code,
  });
  const { c_nonce: nonce } = await wallet.requestNonce({ issuerMetadata });
  const { jwt } = await wallet.createCredentialRequestJwtProof({
    issuerMetadata,
    credentialConfigurationId: configuration,
    nonce,
    issuedAt: app.clock.now(),
    signer: signer as { method: 'jwk'; alg: string; publicJwk: { kty: string } },
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

test('a wallet of other makers fetches an SD-JWT VC bound to its key, and a verifier of other makers accepts it', async () => {
  const key = await createWalletKey();
  const signer = { method: 'jwk', alg: 'ES256', publicJwk: key.jwk };
  const { credential, received, issuerMetadata } = await intoWallet(key, signer, 'trait_attestation_sd_jwt');
  expect(issuerMetadata.originalDraftVersion).toBe('V1');
  const sdJwt = new SDJwtVcInstance({
    hasher: (data: string | ArrayBuffer) => createHash('sha256').update(textOf(data)).digest(),
    verifier: isOurs,
    statusVerifier: isOurs,
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
  const asked = await app.request(
    'GET',
    `/credentials/verify?token=${encodeURIComponent(received as string)}`,
  );
  expect(asked.body).toMatchObject({ valid: true, form: 'sd_jwt_vc' });
});

test('a wallet fetches a W3C credential with an embedded proof, whose subject is its own DID', async () => {
  const key = await createWalletKey('EdDSA');
  const signer = { method: 'did', alg: 'EdDSA', didUrl: `${buildDidJwk(key)}#0` };
  const { credential, received } = await intoWallet(key, signer, 'trait_attestation_ldp');
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
  const ask = async (body: object = {}) =>
    fetchCredential(app, access_token, await signProof(app, key), body);
  expect((await ask()).status).toBe(200);
  expect((await ask()).body.error).toBe('credential_request_denied');
  expect((await ask({ credential_configuration_id: 'trait_attestation_ldp' })).status).toBe(200);
});

// From the examples of the did:key Method Specification.
test.each([
  ['EdDSA', 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'],
  ['ES256', 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169'],
])('a %s key named by did:key is found, so that another key’s signature is refused', async (alg, did) => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey(alg as 'EdDSA');
  const header = { jwk: undefined, kid: `${did}#${did.slice('did:key:'.length)}` };
  const { body } = await fetchCredential(app, access_token, await signProof(app, key, { header }));
  expect(body).toMatchObject({
    error: 'invalid_proof',
    error_description: expect.stringMatching(/signature/),
  });
});

test('a key of did:key binds the credential', async () => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey('EdDSA');
  const did = didKeyOf(key);
  const header = { jwk: undefined, kid: `${did}#${did.slice('did:key:'.length)}` };
  const { status, body } = await fetchCredential(app, access_token, await signProof(app, key, { header }));
  expect(status).toBe(200);
  const payload = String(body.credentials[0].credential).split('.')[1]!;
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).cnf.jwk).toEqual(key.jwk);
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['a wrong transaction code', { tx_code: 'abcdef' }, 'invalid_grant'],
  ['no transaction code', { tx_code: undefined }, 'invalid_request'],
  ['a wrong code', { 'pre-authorized_code': wrongSecret }, 'invalid_grant'],
  ['no code', { 'pre-authorized_code': undefined }, 'invalid_request'],
  ['another grant', { grant_type: 'authorization_code' }, 'unsupported_grant_type'],
  ['no grant', { grant_type: undefined }, 'invalid_request'],
])('%s is refused by its name', async (_, fields, error) => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  const { status, body, headers } = await requestToken(app, offer, fields);
  expect([status, body.error]).toEqual([400, error]);
  expect(headers['cache-control']).toBe('no-store');
});

test('five wrong transaction codes end the offer, also for the right one', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  for (let guess = 0; guess < 5; guess++) await requestToken(app, offer, { tx_code: 'wrong' });
  expect((await requestToken(app, offer)).body.error).toBe('invalid_grant');
});

test('a code that is used twice is worth nothing, and neither is the token it was traded for', async () => {
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

test('of two who trade one code at once, one gets a token', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  const answers = await Promise.all([requestToken(app, offer), requestToken(app, offer)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('offers, tokens and nonces end by the clock', async () => {
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

const at = (seconds: number) => Math.floor(app.clock.now().getTime() / 1000) + seconds;

test.each<[string, () => ProofChanges | Promise<ProofChanges>, string]>([
  ['for somebody else', () => ({ payload: { aud: 'https://elsewhere.example' } }), 'invalid_proof'],
  ['without an audience', () => ({ payload: { aud: undefined } }), 'invalid_proof'],
  ['with a nonce of its own', () => ({ payload: { nonce: 'AAAA' } }), 'invalid_nonce'],
  ['without a nonce', () => ({ payload: { nonce: undefined } }), 'invalid_nonce'],
  ['from long ago', () => ({ payload: { iat: at(-600) } }), 'invalid_proof'],
  ['from the future', () => ({ payload: { iat: at(600) } }), 'invalid_proof'],
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
    'with a key that is no point of its curve',
    () => ({ header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' } } }),
    'invalid_proof',
  ],
])('a proof %s is refused, and the token stays good', async (_, changes, error) => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey();
  const refused = await fetchCredential(app, access_token, await signProof(app, key, await changes()));
  expect([refused.status, refused.body.error]).toEqual([400, error]);
  expect((await fetchCredential(app, access_token, await signProof(app, key))).status).toBe(200);
});

test('a key that shows its private half is refused', async () => {
  const { access_token } = await createTradedOffer(app);
  const key = await createWalletKey();
  const jwk = await exportJWK(key.privateKey);
  const { body } = await fetchCredential(app, access_token, await signProof(app, key, { header: { jwk } }));
  expect(body.error).toBe('invalid_proof');
});

test('a signature of an algorithm that is not offered is refused, and so is none', async () => {
  const { access_token } = await createTradedOffer(app);
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const rsa = { privateKey, jwk: await exportJWK(publicKey), alg: 'RS256' } as unknown as WalletKey;
  expect((await fetchCredential(app, access_token, await signProof(app, rsa))).body.error).toBe(
    'invalid_proof',
  );
  const [, body] = (await signProof(app, await createWalletKey())).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'openid4vci-proof+jwt' })).toString(
    'base64url',
  );
  expect((await fetchCredential(app, access_token, `${header}.${body}.`)).body.error).toBe('invalid_proof');
});

test('a nonce works once, whoever uses it', async () => {
  const nonce = await fetchNonce(app);
  const answers = [];
  for (let wallet = 0; wallet < 2; wallet++) {
    const { access_token } = await createTradedOffer(app);
    const proof = await signProof(app, await createWalletKey(), { payload: { nonce } });
    answers.push(await fetchCredential(app, access_token, proof));
  }
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [200, undefined],
    [400, 'invalid_nonce'],
  ]);
});

test.each<[string, object, string]>([
  ['no configuration', { credential_configuration_id: undefined }, 'invalid_credential_request'],
  ['an unknown one', { credential_configuration_id: 'mso_mdoc' }, 'unknown_credential_configuration'],
  [
    'another than offered',
    { credential_configuration_id: 'org_validation_sd_jwt' },
    'credential_request_denied',
  ],
  ['an identifier', { credential_identifier: 'x' }, 'unknown_credential_identifier'],
  ['encryption', { credential_response_encryption: {} }, 'invalid_encryption_parameters'],
  ['no proof', { proofs: undefined }, 'invalid_proof'],
  ['two proofs', { proofs: { jwt: ['a', 'b'] } }, 'invalid_proof'],
  ['a proof of another type', { proofs: { di_vp: [{}] } }, 'invalid_proof'],
  ['a proof that is none', { proofs: { jwt: [7] } }, 'invalid_proof'],
])('a request with %s is refused by its name', async (_, change, error) => {
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

test('nothing is delivered for a member whose account is on its way out', async () => {
  const { member, access_token } = await createTradedOffer(app);
  await app.request('DELETE', '/members/me', { token: member.token });
  const { body } = await fetchCredential(app, access_token, await signProof(app, await createWalletKey()));
  expect(body.error).toBe('credential_request_denied');
});

test('guesses count against the rate limits of their network address', async () => {
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

test('a member’s own access token opens nothing here, and a wallet’s token nothing of the API', async () => {
  const { member, access_token } = await createTradedOffer(app);
  const jwt = await signProof(app, await createWalletKey());
  expect((await fetchCredential(app, member.token, jwt)).status).toBe(401);
  expect((await app.request('GET', '/members/me', { token: access_token })).status).toBe(401);
  expect((await app.request('POST', '//openid4vci/credential', { body: {} })).status).toBe(401);
});

test('what cannot be read or is too large is refused in the protocol’s own shape', async () => {
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

test('the metadata name each other, and leave the bare origin’s OAuth server alone', async () => {
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

test('a member’s copy tells of offers, and erasure takes them', async () => {
  const { member, credential } = await createTradedOffer(app);
  const [held] = await exportPersonalData(app.sql, member.member_id);
  expect(held).toMatchObject({
    name: 'wallet_offers',
    rows: [{ credential_id: credential.id, redeemed: true }],
  });
  await app.sql.transaction((tx) => erasePersonalData(tx, member.member_id));
  const left = () => app.sql.list(sql`select 1 from wallet_offers where member_id = ${member.member_id}`);
  expect(await left()).toEqual([]);
});

const textOf = (data: string | ArrayBuffer) => (typeof data === 'string' ? data : Buffer.from(data));

async function isOurs(data: string, signature: string): Promise<boolean> {
  const key = app.platform.keys.selectActive('ES256').keyObjects.public;
  return verifySignature(
    'sha256',
    Buffer.from(data),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

/** did:key Method Specification. */
function didKeyOf({ jwk }: WalletKey): string {
  return `did:key:z${encode(Buffer.concat([Buffer.from([0xed, 0x01]), Buffer.from(jwk.x!, 'base64url')]))}`;
}
