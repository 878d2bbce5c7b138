import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { claimNames, credentialTypes } from '../rules.ts';
import { readHeader, createCredential, readPayload } from '#test/modules/credentials.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });
});

const fetched = (url: string) => app.request('GET', url.replace('https://tessera.example', '/'));

test('every address in a credential leads to what it names', async () => {
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
  const context = await fetched(vc['@context'][1]);
  expect(context).toMatchObject({ status: 200, headers: { 'content-type': 'application/ld+json' } });
  const sd = readPayload(formats.sd_jwt_vc);
  const metadata = await app.request('GET', '//.well-known/jwt-vc-issuer');
  expect(metadata.body.issuer).toBe(sd.iss);
  const keys = await fetched(metadata.body.jwks_uri);
  expect(keys.body.keys.map(({ kid }: { kid: string }) => kid)).toContain(readHeader(formats.sd_jwt_vc).kid);
  expect((await fetched(sd.vct)).body).toMatchObject({ vct: sd.vct, name: 'TraitAttestation' });
  for (const url of [vc.credentialStatus.statusListCredential, sd.status.status_list.uri])
    expect((await fetched(url)).status).toBe(200);
});

test('every public key is published, of both algorithms, and nothing of a private one', async () => {
  const { status, body } = await app.request('GET', '//.well-known/jwks.json');
  expect(status).toBe(200);
  expect(body.keys.map(({ alg }: { alg: string }) => alg).toSorted()).toEqual(['ES256', 'RS256']);
  for (const key of body.keys) expect(key).not.toHaveProperty('d');
});

test('the context has a term for every type and claim, each explained in the vocabulary', async () => {
  const { body: context } = await fetched('//contexts/credentials/v1');
  const { body: vocabulary } = await fetched('//vocabulary');
  const explained = vocabulary['@graph'].map((term: { 'rdfs:label': string }) => term['rdfs:label']);
  const terms = Object.keys(context['@context']).filter((term) => !term.startsWith('@'));
  expect(terms).toEqual(explained);
  expect(terms).toEqual(expect.arrayContaining(Object.values(claimNames).flat()));
  for (const type of credentialTypes) expect((await fetched(`//vct/${type}`)).status).toBe(200);
  expect((await fetched('//vct/diploma')).status).toBe(404);
});

test('the DID document keeps retired keys and shows no private one', async () => {
  const { body: before } = await fetched('//.well-known/did.json');
  await app.platform.keys.rotate('ES256');
  const { body: after } = await fetched('//.well-known/did.json');
  expect(after.verificationMethod).toEqual(expect.arrayContaining(before.verificationMethod));
  expect(after.verificationMethod).toHaveLength(before.verificationMethod.length + 2);
  expect(JSON.stringify(after)).not.toMatch(/"d":/);
});
