import * as jose from 'jose';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCredential, readHeader, readPayload } from '#test/modules/credentials.ts';
import { claimNames, credentialTypes } from '../rules.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });

const fetchDocument = (url: string) => app.request('GET', url.replace('https://tessera.example', '/'));

test('every URL in a credential leads to the document that it names', async () => {
  const member = await app.registerMember();
  const { formats, issuer } = await createCredential(app, member.token);
  expect(issuer).toBe('did:web:tessera.example');
  const vc = readPayload(formats.vc_jwt);
  const did = await app.request('GET', '//.well-known/did.json');
  expect(did).toMatchObject({
    status: 200,
    body: { id: issuer },
    headers: { 'content-type': 'application/did+json' },
  });
  const ids = did.body.verificationMethod.map(({ id }: { id: string }) => id);
  expect(ids).toContain(readHeader(formats.vc_jwt).kid);
  expect(did.body.assertionMethod).toEqual(ids);
  const context = await fetchDocument(vc['@context'][1]);
  expect(context).toMatchObject({ status: 200, headers: { 'content-type': 'application/ld+json' } });
  const sd = readPayload(formats.sd_jwt_vc);
  const token = formats.attestation_token;
  const metadata = await app.request('GET', '//.well-known/jwt-vc-issuer');
  expect(metadata.body.issuer).toBe(readPayload(token).iss);
  const keys = await fetchDocument(metadata.body.jwks_uri);
  expect(keys.body.keys.map(({ kid }: { kid: string }) => kid)).toContain(readHeader(token).kid);
  expect((await fetchDocument(sd.vct)).body).toMatchObject({ vct: sd.vct, name: 'TraitAttestation' });
  for (const url of [vc.credentialStatus.statusListCredential, sd.status.status_list.uri])
    expect((await fetchDocument(url)).status).toBe(200);
});

test('the public keys of credentials and of access tokens are published, and no private key', async () => {
  const { status, body } = await app.request('GET', '//.well-known/jwks.json');
  expect(status).toBe(200);
  expect(body.keys.map(({ alg }: { alg: string }) => alg).toSorted()).toEqual(['ES256', 'ES256', 'RS256']);
  for (const key of body.keys) expect(key).not.toHaveProperty('d');
});

test('the contexts define a term for every type and claim, and the vocabulary explains each term', async () => {
  const contexts = [
    await fetchDocument('//contexts/credentials/v1'),
    await fetchDocument('//contexts/credentials/v2'),
  ];
  const { body: vocabulary } = await fetchDocument('//vocabulary');
  const labels = vocabulary['@graph'].map((term: { 'rdfs:label': string }) => term['rdfs:label']);
  const names = contexts.flatMap(({ body }) => Object.keys(body['@context']));
  const terms = names.filter((term) => !term.startsWith('@'));
  expect(terms).toEqual(labels);
  expect(terms).toEqual(expect.arrayContaining(Object.values(claimNames).flat()));
  for (const type of credentialTypes) expect((await fetchDocument(`//vct/${type}`)).status).toBe(200);
  expect((await fetchDocument('//vct/diploma')).status).toBe(404);
});

test('the DID document contains retired keys and no private key', async () => {
  const { body: before } = await fetchDocument('//.well-known/did.json');
  await app.platform.keys.rotate('credential');
  const { body: after } = await fetchDocument('//.well-known/did.json');
  expect(after.verificationMethod).toEqual(expect.arrayContaining(before.verificationMethod));
  expect(after.verificationMethod).toHaveLength(before.verificationMethod.length + 3);
  expect(JSON.stringify(after)).not.toMatch(/"d":/);
});

/**
 * Finds the key of a token by its issuer alone, as draft-ietf-oauth-sd-jwt-vc section 4 says: the well-known part comes between host and path, and
 * the metadata must name exactly this issuer.
 */
async function resolveKey(token: string): Promise<jose.CryptoKey> {
  const { iss } = readPayload(token);
  const { origin, pathname } = new URL(iss);
  const { body } = await fetchDocument(`${origin}/.well-known/jwt-vc-issuer${pathname.replace(/\/$/, '')}`);
  expect(body.issuer).toBe(iss);
  const { keys } = (await fetchDocument(body.jwks_uri)).body;
  const key = keys.find((each: jose.JWK) => each.kid === readHeader(token).kid);
  return (await jose.importJWK(key, 'ES256')) as jose.CryptoKey;
}

test('an SD-JWT VC and its Status List Token verify by resolution alone, even after a rotation of the keys', async () => {
  const member = await app.registerMember();
  const { formats } = await createCredential(app, member.token);
  await app.platform.keys.rotate('credential');
  const [signed] = formats.sd_jwt_vc.split('~');
  const at = { currentDate: app.clock.now() };
  const { payload } = await jose.jwtVerify(signed!, await resolveKey(signed!), { typ: 'dc+sd-jwt', ...at });
  const { uri } = (payload['status'] as { status_list: { uri: string } }).status_list;
  const list = (await fetchDocument(uri)).body as string;
  const checks = { typ: 'statuslist+jwt', subject: uri, issuer: payload.iss!, ...at };
  expect((await jose.jwtVerify(list, await resolveKey(list), checks)).payload).toMatchObject({
    status_list: { bits: 1 },
  });
});
