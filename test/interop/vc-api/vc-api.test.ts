import { createHash } from 'node:crypto';
import { encode as encodeBase58 } from 'base58-universal';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { describe, expect, it, test } from 'vitest';
import { startApp, type TestReply } from '#test/harness.ts';
import { interopAdditions } from '../additions.ts';

const app = await startApp({}, undefined, interopAdditions);
const issuer = 'did:web:localhost%3A8420';
const v2 = 'https://www.w3.org/ns/credentials/v2';

type Json = Record<string, unknown>;

const credential = {
  '@context': [v2, 'https://www.w3.org/ns/credentials/examples/v2'],
  id: 'http://university.example/credentials/1872',
  type: ['VerifiableCredential', 'ExampleAlumniCredential'],
  issuer,
  validFrom: '2026-01-01T00:00:00Z',
  credentialSubject: {
    id: 'did:example:ebfeb1f712ebc6f1c276e12ec21',
    alumniOf: 'Example University',
    degree: 'BSc',
  },
};

const post = (path: string, body: Json) => app.request('POST', `//vc-api${path}`, { body });
const issue = (options: Json = {}, changes: Json = {}) =>
  post('/credentials/issue', { credential: dropUndefined({ ...credential, ...changes }), options });
const verify = (verifiableCredential: unknown, options: Json = {}) =>
  post('/credentials/verify', { verifiableCredential, options });

function dropUndefined(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

const algorithms = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512', Ed25519: 'EdDSA' } as const;
type Curve = keyof typeof algorithms;

async function createKey(curve: Curve) {
  const { privateKey, publicKey } = await generateKeyPair(algorithms[curve], { extractable: true });
  const secretKeyJwk = await exportJWK(privateKey);
  const publicKeyJwk = await exportJWK(publicKey);
  const did = `did:jwk:${Buffer.from(JSON.stringify(publicKeyJwk)).toString('base64url')}`;
  return { did, privateKey, publicKeyJwk, key: { id: `${did}#0`, controller: did, secretKeyJwk } };
}

const securings: readonly [string, Json][] = [
  ['an embedded ecdsa-rdfc-2019 proof', {}],
  ['an embedded ecdsa-jcs-2019 proof', { cryptosuite: 'ecdsa-jcs-2019' }],
  ['a JWT', { mediaType: 'application/vc+jwt' }],
  ['an SD-JWT', { mediaType: 'application/vc+sd-jwt', disclosurePaths: ['/credentialSubject/degree'] }],
];

test.each(securings)('a credential with %s is issued and verifies', async (_, options) => {
  const { status, body } = await issue(options);
  expect(status).toBe(201);
  expect(await verify(body)).toMatchObject({ status: 200, body: { verified: true, errors: [] } });
});

const jwtSecurings = securings.filter(([, { mediaType }]) => mediaType !== undefined);
const securingsOfCurves: readonly (readonly [Curve, typeof securings])[] = [
  ['P-256', securings],
  ['P-384', securings],
  ['P-521', jwtSecurings],
  ['Ed25519', [['an embedded eddsa-rdfc-2022 proof', {}], ...jwtSecurings]],
];

test.each(securingsOfCurves)('a caller’s %s key signs and verifies in each form', async (curve, forms) => {
  const { did, key, publicKeyJwk } = await createKey(curve);
  for (const [, options] of forms) {
    const { status, body } = await issue({ ...options, key }, { issuer: did });
    expect(status).toBe(201);
    expect((await verify(body)).status).toBe(200);
    expect((await verify(body, { key: { id: key.id, controller: did, publicKeyJwk } })).status).toBe(200);
  }
});

test('an embedded proof needs a cryptosuite of the curve of the key', async () => {
  const keys = {
    ed25519: await createKey('Ed25519'),
    p256: await createKey('P-256'),
    p521: await createKey('P-521'),
  };
  const otherSuite = 'options.cryptosuite must be eddsa-rdfc-2022 for an Ed25519 key, and for no other';
  const otherKey = 'options.key must be a P-256, P-384 or Ed25519 key for an embedded proof';
  for (const [{ key, did }, cryptosuite, reason] of [
    [keys.ed25519, 'ecdsa-rdfc-2019', otherSuite],
    [keys.p256, 'eddsa-rdfc-2022', otherSuite],
    [keys.p521, undefined, otherKey],
    [keys.p521, 'ecdsa-rdfc-2019', otherKey],
  ] as const) {
    const refused = await issue({ key, ...(cryptosuite && { cryptosuite }) }, { issuer: did });
    expect([refused.status, refused.body.errors]).toEqual([400, [reason]]);
  }
  const { body } = await issue({ key: keys.ed25519.key }, { issuer: keys.ed25519.did });
  expect(body.proof.cryptosuite).toBe('eddsa-rdfc-2022');
  const changed = { ...body, credentialSubject: { ...body.credentialSubject, degree: 'PhD' } };
  expect((await verify(changed)).status).toBe(400);
});

test('a key that a token names by the kid of its JWK is found among the caller’s, for its controller only', async () => {
  const controller = 'https://issuer.example/keys';
  const curves: readonly Curve[] = ['P-256', 'P-384', 'P-521', 'Ed25519'];
  const keys = await Promise.all(
    curves.map(async (curve, index) => {
      const { privateKey, publicKeyJwk } = await createKey(curve);
      const kid = `thumbprint-${index}`;
      const method = { id: `${controller}#${index}`, controller, publicKeyJwk: { ...publicKeyJwk, kid } };
      return { alg: algorithms[curve], kid, privateKey, method };
    }),
  );
  const methods = keys.map(({ method }) => method);
  for (const { alg, kid, privateKey, method } of keys) {
    const signed = await new SignJWT({ ...credential, issuer: controller })
      .setProtectedHeader({ alg, kid, typ: 'vc+jwt', cty: 'vc' })
      .sign(privateKey);
    const envelope = buildEnvelope(signed);
    expect((await verify(envelope, { key: method })).body).toMatchObject({ verified: true });
    expect((await verify(envelope, { key: methods })).body).toMatchObject({ verified: true });
    const others = methods.filter((each) => each !== method);
    expect((await verify(envelope, { key: others })).status).toBe(400);
    expect((await verify(envelope)).status).toBe(400);
    // Another key, or another controller, under the same kid.
    const foreign = { ...others[0]!, publicKeyJwk: { ...others[0]!.publicKeyJwk, kid } };
    expect((await verify(envelope, { key: foreign })).status).toBe(400);
    expect((await verify(envelope, { key: { ...method, controller: 'https://other.example' } })).status).toBe(
      400,
    );
  }
  const tooMany = Array.from({ length: 21 }, () => methods[0]);
  expect((await verify({}, { key: tooMany })).status).toBe(400);
  const [first, second] = [await createKey('P-256'), await createKey('P-256')];
  expect((await issue({ key: [first.key, second.key] }, { issuer: first.did })).status).toBe(400);
});

test('a token must name as iss the controller of its key, also where its issuer or holder is not disclosed', async () => {
  const { did, privateKey } = await createKey('P-256');
  const presentation = { '@context': [v2], type: ['VerifiablePresentation'], verifiableCredential: [] };
  const wrap = async (iss: string) => {
    const signed = await signToken({ ...presentation, iss }, did, privateKey, 'vp+jwt');
    return {
      '@context': v2,
      id: `data:application/vp+jwt,${signed}`,
      type: 'EnvelopedVerifiablePresentation',
    };
  };
  expect((await verifyPresentation(await wrap(did), {})).status).toBe(200);
  expect((await verifyPresentation(await wrap('https://other.example'), {})).status).toBe(400);
});

test('a disclosed part of an ecdsa-sd-2023 credential verifies and omits the rest', async () => {
  const cryptosuite = 'ecdsa-sd-2023';
  const { body: base } = await issue({ cryptosuite, mandatoryPointers: ['/issuer', '/validFrom'] });
  expect((await verify(base)).status).toBe(400);
  const options = { selectivePointers: ['/credentialSubject/degree'] };
  const { status, body } = await post('/credentials/derive', { verifiableCredential: base, options });
  expect(status).toBe(201);
  expect(body).toMatchObject({ issuer, credentialSubject: { degree: 'BSc' } });
  expect(JSON.stringify(body)).not.toContain('Example University');
  expect((await verify(body)).status).toBe(200);
  expect(
    (await verify({ ...body, credentialSubject: { ...body.credentialSubject, degree: 'PhD' } })).status,
  ).toBe(400);
});

test('a disclosed part of an SD-JWT verifies and omits the rest', async () => {
  const disclosurePaths = ['/credentialSubject/degree', '/credentialSubject/alumniOf'];
  const { body: whole } = await issue({ mediaType: 'application/vc+sd-jwt', disclosurePaths });
  const options = { disclosurePaths: ['/credentialSubject/degree'] };
  const { status, body } = await post('/credentials/derive', { verifiableCredential: whole, options });
  expect(status).toBe(201);
  const disclosures = String(body.id)
    .split('~')
    .slice(1, -1)
    .map((each) => Buffer.from(each, 'base64url').toString());
  expect(disclosures).toEqual([expect.stringContaining('BSc')]);
  expect((await verify(body)).status).toBe(200);
});

test.each(securings)('a credential with %s that was changed does not verify', async (_, options) => {
  const { body } = await issue(options);
  const changed =
    'proof' in body
      ? { ...body, credentialSubject: { ...body.credentialSubject, degree: 'PhD' } }
      : { ...body, id: replaceClaim(String(body.id)) };
  const reply = await verify(changed);
  expect([reply.status, reply.body.verified]).toEqual([400, false]);
});

/** The same token with another claim and the old signature. */
function replaceClaim(id: string): string {
  const [head, payload, ...rest] = id.split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Json;
  return [head, Buffer.from(JSON.stringify({ ...claims, name: 'X' })).toString('base64url'), ...rest].join(
    '.',
  );
}

const invalidChanges: readonly [string, Json][] = [
  ['no context', { '@context': undefined }],
  ['another first context', { '@context': ['https://www.w3.org/2018/credentials/v1'] }],
  ['a context that is not a URL', { '@context': [v2, 'nonsense'] }],
  ['no type', { type: undefined }],
  ['no VerifiableCredential among its types', { type: ['ExampleAlumniCredential'] }],
  ['a type that is not a name', { type: ['VerifiableCredential', null] }],
  ['two ids', { id: ['urn:a:1', 'urn:a:2'] }],
  ['an id that is not a URL', { id: 'no url' }],
  ['no issuer', { issuer: undefined }],
  ['an issuer that is not a URL', { issuer: 'me' }],
  ['another issuer than the signer', { issuer: 'did:web:elsewhere.example' }],
  ['no subject', { credentialSubject: undefined }],
  ['a subject without a claim', { credentialSubject: {} }],
  ['a subject that is text', { credentialSubject: 'Ada' }],
  ['a date without a time zone', { validFrom: '2026-01-01T00:00:00' }],
  ['a date in words', { validUntil: 'tomorrow' }],
  ['an end before its start', { validUntil: '2025-01-01T00:00:00Z' }],
  ['a status without a type', { credentialStatus: { id: 'urn:a:1' } }],
  ['a schema without an id', { credentialSchema: { type: 'JsonSchema' } }],
  ['a name that is a number', { name: 7 }],
  ['a name with an unknown field', { name: { '@value': 'a', url: 'b' } }],
  ['evidence that is text', { evidence: 'seen' }],
  ['a resource without a digest', { relatedResource: [{ id: v2 }] }],
  [
    'a repeated resource',
    {
      relatedResource: [
        { id: v2, digestSRI: 'a' },
        { id: v2, digestSRI: 'a' },
      ],
    },
  ],
];

test.each(invalidChanges)('a credential with %s is not issued, and does not verify', async (_, changes) => {
  for (const [, options] of securings) expect((await issue(options, changes)).status).toBe(400);
  const { did, privateKey } = await createKey('P-256');
  const payload = dropUndefined({ ...credential, issuer: did, ...changes });
  const jwt = await signToken(payload, did, privateKey);
  expect((await verify(buildEnvelope(jwt))).status).toBe(400);
});

async function signToken(payload: Json, did: string, privateKey: CryptoKey, typ = 'vc+jwt'): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ, kid: `${did}#0` }).sign(privateKey);
}

const buildEnvelope = (jwt: string, changes: Json = {}) => ({
  '@context': v2,
  id: `data:application/vc+jwt,${jwt}`,
  type: 'EnvelopedVerifiableCredential',
  ...changes,
});

test('a token by another signer verifies, unless its type, key, envelope or claims are wrong', async () => {
  const { did, privateKey } = await createKey('P-256');
  const stranger = await createKey('P-256');
  const good = { ...credential, issuer: did };
  const jwt = await signToken(good, did, privateKey);
  expect((await verify(buildEnvelope(jwt))).status).toBe(200);
  const bad = [
    buildEnvelope(await signToken(good, did, privateKey, 'JWT')),
    buildEnvelope(await signToken(good, did, stranger.privateKey)),
    buildEnvelope(await signToken(good, stranger.did, stranger.privateKey)),
    buildEnvelope(await signToken({ ...good, vc: {} }, did, privateKey)),
    buildEnvelope(await signToken({ ...good, iss: 'did:web:elsewhere.example' }, did, privateKey)),
    buildEnvelope(await signToken(good, 'did:web:elsewhere.example', privateKey)),
    buildEnvelope(jwt, { '@context': 'https://elsewhere.example' }),
    buildEnvelope(jwt, { id: `data:text/plain,${jwt}` }),
    buildEnvelope(jwt, { type: ['EnvelopedVerifiableCredential'] }),
    jwt,
    null,
  ];
  for (const each of bad) expect((await verify(each)).status).toBe(400);
});

test('a credential that has expired, is not yet valid or has no proof does not verify', async () => {
  const expired = (await issue({}, { validFrom: '2020-01-01T00:00:00Z', validUntil: '2021-01-01T00:00:00Z' }))
    .body;
  const early = (await issue({ mediaType: 'application/vc+jwt' }, { validFrom: '2040-01-01T00:00:00Z' }))
    .body;
  for (const each of [expired, early, credential]) expect((await verify(each)).status).toBe(400);
});

test('a proof for another purpose, of another suite or without its method does not verify', async () => {
  const { body } = await issue();
  for (const change of [
    { proofPurpose: 'authentication' },
    { cryptosuite: 'ecdsa-jcs-2019' },
    { type: 'Ed25519Signature2020' },
    { verificationMethod: undefined },
    { verificationMethod: 'did:web:elsewhere.example#key' },
    { proofValue: 'z1' },
    { proofValue: undefined },
  ])
    expect((await verify({ ...body, proof: dropUndefined({ ...body.proof, ...change }) })).status).toBe(400);
});

test('the service’s own credentials verify until they are revoked', async () => {
  const { token } = await app.registerDeployedMember();
  const fields = { credential_type: 'trait_attestation', claims: { trait_coverage: 0.9 } };
  const { body: record } = await app.request('POST', '/credentials/issue', { token, body: fields });
  const own = buildEnvelope(record.formats.vc_jwt);
  const embedded = (await app.request('GET', `/credentials/${record.id}/data-integrity`, { token })).body;
  expect((await verify(own)).body).toMatchObject({ verified: true, warnings: [] });
  expect((await verify(embedded.credential ?? embedded)).status).toBe(200);
  await app.request('POST', `/credentials/${record.id}/revoke`, { token, body: {} });
  expect((await verify(own)).body.errors).toEqual(['the credential is revoked']);
});

test('an issued credential gets a status list entry on request, and the list itself verifies', async () => {
  for (const [, options] of securings) {
    const { body } = await issue({ ...options, credentialStatus: true });
    expect((await verify(body)).body).toMatchObject({ verified: true, warnings: [] });
  }
  const { body } = await issue({ credentialStatus: true });
  const list = new URL(body.credentialStatus.statusListCredential as string).pathname;
  const fetched = await app.request('GET', `/${list}`, { headers: { accept: 'application/json' } });
  const proof = { type: 'DataIntegrityProof' };
  expect(fetched.body).toMatchObject({ proof: [proof, proof] });
  expect((await verify(fetched.body)).status).toBe(200);
});

test('a status in another service’s list causes a warning', async () => {
  const credentialStatus = {
    type: 'BitstringStatusListEntry',
    statusListCredential: 'https://elsewhere.example/1',
  };
  const { body } = await issue({ mediaType: 'application/vc+jwt' }, { credentialStatus });
  expect((await verify(body)).body.warnings).toEqual([
    'a status was not checked, because it is not in a list of this service',
  ]);
});

const contextDigests = {
  sha256: 'WZVc7WaX1h4D8rJVb+vlMIqxaEKEb1tYbX8fet7JJzQ=',
  sha384: 'l/HrjlBCNWyAX91hr6LFV2Y3heB5Tcr6IeE4/Tje8YyzYBM8IhqjHWiWpr8+ZbYU',
  sha512: 'XVVFK9Lc+KKfWikEc+skKxxft31OaPGgqoe6pNuiaUhS1l7GPUisBKmdlW+fcVO5QG+E0tBMdIabAsI5odgTBQ==',
};
const multihashCodes = { sha256: [0x12, 32], sha384: [0x20, 48], sha512: [0x13, 64] } as const;
type HashName = keyof typeof contextDigests;
const hashNames: readonly HashName[] = ['sha256', 'sha384', 'sha512'];

const buildMultihash = (hash: HashName, digest: string) =>
  Buffer.concat([Buffer.from(multihashCodes[hash]), Buffer.from(digest, 'base64')]);
const changeDigest = (digest: string) => `${digest.startsWith('A') ? 'B' : 'A'}${digest.slice(1)}`;
const issueWithResource = (resource: Json) => issue({}, { relatedResource: [resource] });

describe('the digest of a related resource', () => {
  const formats: readonly [string, (hash: HashName, digest: string) => Json][] = [
    ['digestSRI', (hash, digest) => ({ digestSRI: `${hash}-${digest}` })],
    [
      'digestMultibase in base64url',
      (hash, digest) => ({ digestMultibase: `u${buildMultihash(hash, digest).toString('base64url')}` }),
    ],
    [
      'digestMultibase in base58',
      (hash, digest) => ({ digestMultibase: `z${encodeBase58(buildMultihash(hash, digest))}` }),
    ],
  ];

  it.each(hashNames.flatMap((hash) => formats.map(([name, build]) => [hash, name, build] as const)))(
    '%s as %s is compared when a credential is issued and when it is verified',
    async (hash, _, build) => {
      const right = await issueWithResource({ id: v2, ...build(hash, contextDigests[hash]) });
      expect(right.status).toBe(201);
      expect(await verify(right.body)).toMatchObject({ status: 200, body: { warnings: [] } });
      const wrong = { id: v2, ...build(hash, changeDigest(contextDigests[hash])) };
      expect(await issueWithResource(wrong)).toMatchObject({
        status: 400,
        body: { errors: [`the digest of ${v2} does not match`] },
      });
      expect(await verify(await signElsewhere({ relatedResource: wrong }))).toMatchObject({
        status: 400,
        body: { errors: [`the digest of ${v2} does not match`] },
      });
    },
  );

  it('counts only if its algorithm is the strongest that is given, and any one of equal strength may match', async () => {
    const { sha256, sha384 } = contextDigests;
    const accepted = [
      `sha256-${changeDigest(sha256)} sha384-${sha384}`,
      `sha384-${changeDigest(sha384)} sha384-${sha384}?ct=application/ld+json`,
    ];
    for (const digestSRI of accepted)
      expect((await issueWithResource({ id: v2, digestSRI })).status).toBe(201);
    const refused = [
      `sha256-${sha256} sha384-${changeDigest(sha384)}`,
      `sha256-${sha384}`,
      'sha256-AAAA',
      'md5-AAAA',
      '',
    ];
    for (const digestSRI of refused)
      expect((await issueWithResource({ id: v2, digestSRI })).status).toBe(400);
    for (const digestMultibase of ['', 'u', 'z', 'f00', 'z0OIl', 'uEiA', 7])
      expect((await issueWithResource({ id: v2, digestMultibase })).status).toBe(400);
  });

  it('may be a bare SHA-256 in digestMultibase, as in the test suite of the W3C', async () => {
    const build = (digest: string) => `u${Buffer.from(digest, 'base64').toString('base64url')}`;
    const { sha256 } = contextDigests;
    expect((await issueWithResource({ id: v2, digestMultibase: build(sha256) })).status).toBe(201);
    expect((await issueWithResource({ id: v2, digestMultibase: build(changeDigest(sha256)) })).status).toBe(
      400,
    );
  });

  it('is that of the bytes that this service serves for its own context', async () => {
    const id = 'http://localhost:8420/contexts/credentials/v1';
    const { rawPayload } = await app.server.inject({ url: '/contexts/credentials/v1' });
    const digestSRI = `sha512-${createHash('sha512').update(rawPayload).digest('base64')}`;
    const { status, body } = await issueWithResource({ id, digestSRI });
    expect(status).toBe(201);
    expect((await verify(body)).body.warnings).toEqual([]);
  });

  it('causes a warning if the resource is not known here', async () => {
    const resource = { id: 'https://elsewhere.example/1', digestSRI: `sha256-${contextDigests.sha256}` };
    const { body } = await issueWithResource(resource);
    expect((await verify(body)).body.warnings).toEqual([
      'the digest of https://elsewhere.example/1 was not checked, because it is not known here',
    ]);
  });
});

/** A credential as a JWT by another issuer, who checks nothing. */
async function signElsewhere(changes: Json): Promise<object> {
  const { did, privateKey } = await createKey('P-256');
  const compact = await new SignJWT({ ...credential, issuer: did, ...changes })
    .setProtectedHeader({ alg: 'ES256', kid: `${did}#0`, typ: 'vc+jwt', cty: 'vc' })
    .sign(privateKey);
  return { '@context': v2, type: 'EnvelopedVerifiableCredential', id: `data:application/vc+jwt,${compact}` };
}

const challenge = '3182bdea-63d9-11ea-b6de-3b7c1404d57f';
const buildPresentation = (...verifiableCredential: unknown[]) => ({
  '@context': [v2],
  type: ['VerifiablePresentation'],
  holder: issuer,
  verifiableCredential,
});
const provePresentation = (presentation: Json, options: Json) =>
  post('/presentations/prove', { presentation, options });
const verifyPresentation = (verifiablePresentation: unknown, options: Json): Promise<TestReply> =>
  post('/presentations/verify', { verifiablePresentation, options });

test.each<[string, Json]>([
  ['an embedded proof', { challenge, domain: 'a.example' }],
  ['a JWT', { mediaType: 'application/vp+jwt' }],
  [
    'an SD-JWT',
    { mediaType: 'application/vp+sd-jwt', disclosurePaths: ['/holder', '/verifiableCredential/0'] },
  ],
])('a presentation with %s verifies with its credentials, unless one was changed', async (_, options) => {
  const [proven, jwt] = [(await issue()).body, (await issue({ mediaType: 'application/vc+jwt' })).body];
  const { status, body } = await provePresentation(buildPresentation(proven, jwt), options);
  expect(status).toBe(201);
  expect((await verifyPresentation(body, options)).body).toMatchObject({ verified: true, errors: [] });
  const bad = { ...proven, credentialSubject: { ...proven.credentialSubject, degree: 'PhD' } };
  const changed = await provePresentation(buildPresentation(bad), options);
  expect((await verifyPresentation(changed.body, options)).status).toBe(400);
});

test('a disclosed part of a presentation as an SD-JWT verifies and omits the rest', async () => {
  const [first, second] = [(await issue()).body, (await issue({ mediaType: 'application/vc+jwt' })).body];
  const disclosurePaths = ['/verifiableCredential/0', '/verifiableCredential/1'];
  const { body: whole } = await provePresentation(buildPresentation(first, second), {
    mediaType: 'application/vp+sd-jwt',
    disclosurePaths,
  });
  const options = { disclosurePaths: ['/verifiableCredential/1'] };
  const { status, body } = await post('/credentials/derive', { verifiableCredential: whole, options });
  expect(status).toBe(201);
  const [token, ...disclosures] = String(body.id).split('~');
  const texts = disclosures.slice(0, -1).map((each) => Buffer.from(each, 'base64url').toString());
  expect(texts).toEqual([expect.stringContaining('EnvelopedVerifiableCredential')]);
  expect(Buffer.from(token!.split('.')[1]!, 'base64url').toString()).not.toContain('degree');
  expect((await verifyPresentation(body, {})).status).toBe(200);
});

test('a presentation with another challenge, domain, purpose or shape, or without a proof, does not verify', async () => {
  const { body } = await provePresentation(buildPresentation((await issue()).body), {
    challenge,
    domain: 'a.example',
  });
  expect((await verifyPresentation(body, { challenge: 'another' })).status).toBe(400);
  expect((await verifyPresentation(body, { challenge, domain: 'b.example' })).status).toBe(400);
  const purposed = { ...body, proof: { ...body.proof, proofPurpose: 'assertionMethod' } };
  expect((await verifyPresentation(purposed, { challenge })).status).toBe(400);
  expect((await verifyPresentation(buildPresentation(), { challenge })).status).toBe(400);
  for (const change of [
    { type: ['X'] },
    { '@context': [] },
    { holder: 7 },
    { verifiableCredential: ['text'] },
  ])
    expect((await provePresentation({ ...buildPresentation(), ...change }, { challenge })).status).toBe(400);
});

test.each<[string, Json]>([
  ['an unknown suite', { cryptosuite: 'bbs-2023' }],
  ['an unknown media type', { mediaType: 'text/plain' }],
  ['an invalid key', { key: { secretKeyJwk: { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' } } }],
  [
    'a key on another curve',
    { key: { secretKeyJwk: { kty: 'EC', crv: 'secp256k1', x: 'a', y: 'b', d: 'c' } as JWK } },
  ],
  [
    'a key that cannot be read',
    { key: { secretKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: 'a', d: 'b' } as JWK } },
  ],
  ['the media type of a presentation', { mediaType: 'application/vp+sd-jwt' }],
  ['a disclosure path to the issuer', { mediaType: 'application/vc+sd-jwt', disclosurePaths: ['/issuer'] }],
  ['a disclosure path that is a number', { mediaType: 'application/vc+sd-jwt', disclosurePaths: [7] }],
])('%s is refused', async (_, options) => {
  expect((await issue(options)).status).toBe(400);
});
