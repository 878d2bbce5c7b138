import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { cryptosuite } from '@digitalbazaar/ecdsa-rdfc-2019-cryptosuite';
import { verifyCredential } from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import { expect, test } from 'vitest';
import { startApp, type TestReply } from '#test/harness.ts';
import { createCredential, requestRevocation } from '#test/modules/credentials.ts';
import { createAchievementCredential } from '#test/modules/offers.ts';

const app = await startApp();

const read = (id: string, token?: string) =>
  app.request('GET', `/credentials/${id}/data-integrity`, { ...(token && { token }) });

/** Loads the service's public documents over HTTP and the W3C contexts from Digital Bazaar's packages, without using the service's code. */
async function loadDocument(url: string) {
  const { defaultDocumentLoader } = await import('@digitalbazaar/vc');
  const own = url.startsWith('did:web:localhost%3A8420')
    ? await app.request('GET', '//.well-known/did.json')
    : url.startsWith('http://localhost:8420/')
      ? await app.request('GET', url.replace('http://localhost:8420', '/'), {
          headers: { accept: 'application/json' },
        })
      : undefined;
  if (!own) return defaultDocumentLoader(url);
  return { contextUrl: null, documentUrl: url, document: selectFragment(own, url) };
}

function selectFragment({ body }: TestReply, url: string): object {
  if (!url.startsWith('did:') || !url.includes('#')) return body;
  const method = body.verificationMethod.find(({ id }: { id: string }) => id === url);
  return { '@context': 'https://w3id.org/security/multikey/v1', ...method };
}

const createSuite = () => new DataIntegrityProof({ cryptosuite });

const verify = (credential: object) =>
  verifyCredential({
    credential,
    suite: createSuite(),
    documentLoader: loadDocument,
    now: app.clock.now(),
    checkStatus: async () => ({ verified: true }),
  });

/** The credential's bit in its status list. The list's proof is verified separately, because this library uses the real clock. */
async function readStatusBits(credential: { credentialStatus: { statusListCredential: string } }) {
  const { document } = await loadDocument(credential.credentialStatus.statusListCredential);
  expect((await verify(document)).verified).toBe(true);
  const outcome = await checkStatus({
    credential,
    documentLoader: loadDocument,
    suite: createSuite(),
    verifyBitstringStatusListCredential: false,
  });
  return outcome.results.map(({ status }) => status);
}

test('Digital Bazaar’s verifier accepts the embedded proof, rejects every change and finds the revocation', async () => {
  const member = await app.registerMember();
  const { id } = await createCredential(app, member.token);
  const { status, body, headers } = await read(id, member.token);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/vc',
    'no-store',
  ]);
  expect(body.proof).toMatchObject({ type: 'DataIntegrityProof', cryptosuite: 'ecdsa-rdfc-2019' });
  const outcome = await verify(body);
  expect(outcome.error).toBeUndefined();
  expect(outcome.verified).toBe(true);
  const { credentialSubject } = body;
  for (const changed of [
    { credentialSubject: { ...credentialSubject, trait_coverage: 1 } },
    { credentialSubject: { ...credentialSubject, persistence: 0.9 } },
    { attestation_tier: 'platform_verified' },
    { validUntil: '2036-01-01T00:00:00Z' },
  ])
    expect((await verify({ ...body, ...changed })).verified).toBe(false);
  expect(await readStatusBits(body)).toEqual([false]);
  await requestRevocation(app, member.token, id);
  expect(await readStatusBits(body)).toEqual([true]);
});

test('the proof is about everything that an achievement corresponds to', async () => {
  const { credential, token } = await createAchievementCredential(app);
  const { body } = await read(credential.id, token);
  expect(await verify(body)).toMatchObject({ verified: true });
  const { credentialSubject } = body;
  const [first, second] = credentialSubject.achievement_alignment;
  for (const changed of [
    [first],
    [first, { ...second, targetCode: '29-1141.00' }],
    [first, { ...second, level: 'x' }],
  ])
    expect(
      (await verify({ ...body, credentialSubject: { ...credentialSubject, achievement_alignment: changed } }))
        .verified,
    ).toBe(false);
});

test('only the member and platform administrators can read it', async () => {
  const { id } = await createCredential(app, (await app.registerMember()).token);
  expect((await read(id, (await app.registerMember()).token)).status).toBe(404);
  expect((await read(id, (await app.registerPlatformAdmin()).token)).status).toBe(200);
  expect((await read(id, (await app.registerOrgAdmin()).token)).status).toBe(403);
  expect((await read(id)).status).toBe(401);
  expect((await read('x', (await app.registerMember()).token)).status).toBe(422);
});
