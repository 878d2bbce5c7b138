import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  addDidWeb,
  buildForeignCredential,
  createForeignKey,
  startForeignServer,
} from '#test/modules/foreign-issuer.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const key = createForeignKey();

/** An issuer on a server of its own, whose replies a test makes hostile. */
async function startIssuer() {
  const server = await startForeignServer();
  const { did, kid, multikey } = addDidWeb(server, key);
  const sign = (overrides: object = {}, header: object = {}) =>
    key.signJwt({ typ: 'vc+jwt', kid, ...header }, buildForeignCredential(did, overrides));
  return { ...server, did, kid, multikey, sign };
}

const verify = async (credential: string, service = app) => {
  const { status, body } = await service.request('POST', '/credentials/verify', { body: { credential } });
  return status === 200 ? body : { verdict: status };
};

const buildUnchecked = (fault: string) => ({
  verdict: 'not_checked',
  fault,
  issuer: { domain: null },
  checks: { signature: 'not_checked' },
});

test('an issuer that never answers, or never ends, is given up', async () => {
  const silent = await startIssuer();
  silent.replies.set('/.well-known/did.json', () => undefined);
  expect(await verify(silent.sign())).toMatchObject(buildUnchecked('issuer_slow'));
  const endless = await startIssuer();
  endless.replies.set('/.well-known/did.json', (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  expect(await verify(endless.sign())).toMatchObject(buildUnchecked('issuer_document_invalid'));
});

test('no redirect is followed, because the domain of the issuer is what is proven', async () => {
  const [issuer, other] = [await startIssuer(), await startForeignServer()];
  issuer.replies.set('/.well-known/did.json', (_, response) => {
    response.writeHead(302, { location: `${other.origin}/did.json` }).end();
  });
  expect(await verify(issuer.sign())).toMatchObject(buildUnchecked('issuer_unreachable'));
  expect(other.requested).toEqual([]);
});

test('private addresses are not requested, and the reply is that for a name that does not exist', async () => {
  const strict = await startApp();
  const server = await startForeignServer();
  const port = server.host.split(':')[1];
  const issuers = [
    `did:web:127.0.0.1%3A${port}`,
    `did:web:localhost%3A${port}`,
    `https://127.0.0.1:${port}`,
    server.origin,
    'https://169.254.169.254',
    'https://[::1]:8443',
    'did:web:10.0.0.1',
    'did:web:no-such-name.invalid',
  ];
  const replies = [];
  for (const issuer of issuers) {
    const token = key.signJwt({ kid: 'one' }, buildForeignCredential(issuer));
    const { issuer: _, ...rest } = await verify(token, strict);
    replies.push(rest);
  }
  expect(replies[0]).toMatchObject({ verdict: 'not_checked', fault: 'issuer_unreachable' });
  expect(new Set(replies.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(server.requested).toEqual([]);
});

test('a name cannot lead to another server than the one that it says', async () => {
  for (const issuer of [
    'did:web:user@harbour.example',
    'did:web:harbour.example%2F..%2Fother',
    'did:web:harbour.example:..:other',
    'did:web:',
    'did:ion:EiA',
    'https://harbour.example/?next=https://other.example',
    'ftp://harbour.example',
  ]) {
    const token = key.signJwt({ kid: 'one' }, buildForeignCredential(issuer));
    expect([issuer, await verify(token)]).toMatchObject([issuer, buildUnchecked('issuer_unsupported')]);
  }
});

test('a document that is not the issuer’s, or does not list the key for statements, proves nothing', async () => {
  const issuer = await startIssuer();
  const { replies, did, kid } = issuer;
  const document = replies.get('/.well-known/did.json') as object;
  const path = '/.well-known/did.json';
  replies.set(path, { ...document, id: 'did:web:harbour.example' });
  expect(await verify(issuer.sign())).toMatchObject(buildUnchecked('issuer_document_invalid'));
  replies.set(path, 'no JSON');
  expect(await verify(issuer.sign())).toMatchObject(buildUnchecked('issuer_document_invalid'));
  replies.set(path, { ...document, assertionMethod: [] });
  expect(await verify(issuer.sign())).toMatchObject(buildUnchecked('key_not_listed'));
  const controller = 'did:web:harbour.example';
  const foreign = { id: kid, type: 'JsonWebKey', controller, publicKeyJwk: key.jwk };
  replies.set(path, { id: did, verificationMethod: [foreign], assertionMethod: [kid] });
  expect(await verify(issuer.sign())).toMatchObject(buildUnchecked('key_not_listed'));
  replies.set(path, document);
  expect((await verify(issuer.sign())).verdict).toBe('genuine');
});

test.each([
  ['no signature', { alg: 'none' }],
  ['a shared secret', { alg: 'HS256' }],
  ['an extension', { crit: ['b64'], b64: false }],
])('a token with %s is not taken for genuine', async (_, header) => {
  const issuer = await startIssuer();
  expect(await verify(issuer.sign({}, header))).toMatchObject(buildUnchecked('algorithm_unsupported'));
});

test('a context is never fetched, and one that is not known is said to be', async () => {
  const issuer = await startIssuer();
  const proof = {
    type: 'DataIntegrityProof',
    cryptosuite: 'ecdsa-rdfc-2019',
    proofPurpose: 'assertionMethod',
    verificationMethod: issuer.multikey,
    proofValue: 'z3',
  };
  const send = (overrides: object) =>
    verify(JSON.stringify({ ...buildForeignCredential(issuer.did, overrides), proof }));
  const v2 = 'https://www.w3.org/ns/credentials/v2';
  const unnamedOrigin = 'data:/contexts/credentials/v2';
  for (const context of [`${issuer.origin}/context`, unnamedOrigin, { name: 'urn:name' }])
    expect(await send({ '@context': [v2, context] })).toMatchObject(buildUnchecked('context_unknown'));
  expect(await send({ evidence: { '@context': v2 } })).toMatchObject(buildUnchecked('context_unknown'));
  expect(await send({ invented: 'word' })).toMatchObject(buildUnchecked('context_unknown'));
  const unnamed = Array.from({ length: 40 }, () => ({ type: 'VerifiableCredential' }));
  expect(await send({ evidence: unnamed })).toMatchObject(buildUnchecked('too_complex'));
  expect(await send({ evidence: [...unnamed, ...unnamed] })).toMatchObject(buildUnchecked('too_complex'));
  for (const type of ['type', '@type'])
    expect(await send({ evidence: { [type]: Array(60).fill('VerifiableCredential') } })).toMatchObject(
      buildUnchecked('too_complex'),
    );
  expect(await send({ credentialSubject: { id: '_:c14n0' } })).toMatchObject(buildUnchecked('too_complex'));
  expect(issuer.requested).not.toContain('/context');
});

test('a status list that is a bomb, forged, expired or absent leaves the revocation open', async () => {
  const issuer = await startIssuer();
  const { origin, replies, did } = issuer;
  const credentialStatus = {
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: '1',
    statusListCredential: `${origin}/list`,
  };
  const token = issuer.sign({ credentialStatus });
  const buildList = (overrides: object = {}, encoded = gzipSync(Buffer.alloc(16_384))) => ({
    ...buildForeignCredential(did),
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: { statusPurpose: 'revocation', encodedList: `u${encoded.toString('base64url')}` },
    ...overrides,
  });
  const kid = issuer.kid;
  const verifyWith = async (list: string | object) => {
    replies.set('/list', list);
    return verify(token);
  };
  const buildOpen = (fault: string) => ({
    verdict: 'not_checked',
    fault,
    checks: { issuer: 'domain', signature: 'passed', status: 'not_checked' },
  });
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
  expect(await verifyWith(key.signJwt({ kid }, buildList({}, bomb)))).toMatchObject(
    buildOpen('status_invalid'),
  );
  const forged = createForeignKey().signJwt({ kid }, buildList());
  expect(await verifyWith(forged)).toMatchObject(buildOpen('status_invalid'));
  const expired = key.signJwt({ kid }, buildList({ validUntil: '2026-02-01T00:00:00Z' }));
  expect(await verifyWith(expired)).toMatchObject(buildOpen('status_invalid'));
  const other = key.signJwt({ kid }, buildList({ issuer: 'did:web:harbour.example' }));
  expect(await verifyWith(other)).toMatchObject(buildOpen('status_unsupported'));
  replies.delete('/list');
  expect(await verify(token)).toMatchObject(buildOpen('status_unreachable'));
  expect((await verifyWith(key.signJwt({ kid }, buildList()))).verdict).toBe('genuine');
});

test('when twenty are being verified, another one is refused', async () => {
  const issuer = await startIssuer();
  const waiting = Promise.withResolvers<void>();
  issuer.replies.set('/.well-known/did.json', (_, response) => {
    void waiting.promise.then(() => response.writeHead(404).end());
  });
  const all = Array.from({ length: 21 }, () =>
    app.request('POST', '/credentials/verify', { body: { credential: issuer.sign() } }),
  );
  const first = await Promise.race(all);
  expect([first.status, first.body.code]).toEqual([503, 'overloaded']);
  waiting.resolve();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
});
