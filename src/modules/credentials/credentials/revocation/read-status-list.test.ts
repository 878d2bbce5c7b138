import { decodeList } from '@digitalbazaar/vc-bitstring-status-list';
import * as jose from 'jose';
import { expect, test } from 'vitest';
import { listCredentialKeys } from '#platform/security/published-keys.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { sql } from '#platform/database/database.ts';
import {
  createCredential,
  readHeader,
  readPayload,
  requestRevocation,
  type IssuedCredential,
} from '#test/modules/credentials.ts';

const app = await startApp();
const member = await app.registerMember();

/** The status list entry of a W3C credential: the path of its list and its index. */
function readPlace({ formats }: IssuedCredential): { readonly path: string; readonly index: number } {
  const { statusListCredential, statusListIndex } = readPayload(formats.vc_jwt).credentialStatus;
  return { path: statusListCredential.replace('http://localhost:8420', '/'), index: Number(statusListIndex) };
}

const fetchList = (path: string, accept?: string) =>
  app.request('GET', path, { headers: accept ? { accept } : {} });

/** The list in a vc+jwt, decoded by Digital Bazaar's library. */
async function decodeBits(jwt: string): Promise<{ getStatus(index: number): boolean; length: number }> {
  const { encodedList } = readPayload(jwt).credentialSubject as { encodedList: string };
  return decodeList({ encodedList });
}

test('anyone can fetch the list as vc+jwt, signed by the issuer, with the revoked credential marked', async () => {
  const [active, revoked] = [
    await createCredential(app, member.token),
    await createCredential(app, member.token),
  ];
  const { path, index } = readPlace(revoked);
  expect(readPlace(active).path).toBe(path);
  const before = await fetchList(path);
  expect(before).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/vc+jwt', 'cache-control': 'public, max-age=60', vary: 'Accept' },
  });
  expect((await decodeBits(before.body)).getStatus(index)).toBe(false);
  await requestRevocation(app, member.token, revoked.id);
  const { body } = await fetchList(path, 'application/vc+jwt, */*');
  const set = jose.createLocalJWKSet({ keys: [...listCredentialKeys(app.platform)] });
  const findKey = (header: jose.JWSHeaderParameters) =>
    set({ ...header, alg: 'ES256', kid: String(header.kid).split('#')[1]! });
  const { payload, protectedHeader } = await jose.jwtVerify(body, findKey, {
    typ: 'vc+jwt',
    issuer: 'did:web:localhost%3A8420',
    currentDate: app.clock.now(),
  });
  expect(protectedHeader.kid).toMatch(/^did:web:localhost%3A8420#/);
  expect(payload).toMatchObject({
    id: path.replace('//', 'http://localhost:8420/'),
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: { type: 'BitstringStatusList', statusPurpose: 'revocation', ttl: 60_000 },
  });
  const bits = await decodeBits(body);
  expect([bits.length, bits.getStatus(index), bits.getStatus(readPlace(active).index)]).toEqual([
    131_072,
    true,
    false,
  ]);
});

test('a request that accepts JSON receives the list with embedded proofs', async () => {
  const { path } = readPlace(await createCredential(app, member.token));
  for (const [accept, type] of [
    ['application/json', 'application/json'],
    ['application/vc', 'application/vc'],
    // Digital Bazaar's client and the public test suites send this header and parse only a type that contains "json".
    ['application/ld+json, application/json', 'application/ld+json'],
    ['application/ld+json;q=0.9, application/json', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/json, application/vc+jwt;q=0.5', 'application/json'],
  ])
    expect(await fetchList(path, accept)).toMatchObject({
      status: 200,
      headers: { 'content-type': type, vary: expect.stringMatching(/^Accept(, Accept-Encoding)?$/) },
      body: {
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        proof: ['ecdsa-rdfc-2019', 'eddsa-rdfc-2022'].map((cryptosuite) =>
          expect.objectContaining({
            type: 'DataIntegrityProof',
            cryptosuite,
            proofPurpose: 'assertionMethod',
          }),
        ),
      },
    });
  for (const accept of ['*/*', 'application/vc+jwt', 'application/json, application/vc+jwt'])
    expect((await fetchList(path, accept)).headers['content-type']).toBe('application/vc+jwt');
});

test('a list is signed again after a revocation or a day, and otherwise stays as it is', async () => {
  const credential = await createCredential(app, member.token);
  const { path, index } = readPlace(credential);
  const unrevoked = await fetchList(path);
  expect((await fetchList(path)).body).toBe(unrevoked.body);
  await requestRevocation(app, member.token, credential.id);
  const first = await fetchList(path);
  expect((await decodeBits(first.body)).getStatus(index)).toBe(true);
  const again = await app.request('GET', path, {
    headers: { 'if-none-match': String(first.headers['etag']) },
  });
  expect([again.status, unrevoked.headers['etag']]).toEqual([
    304,
    expect.not.stringMatching(String(first.headers['etag'])),
  ]);
  const start = app.clock.now();
  app.clock.advance(86_399_000);
  expect((await fetchList(path)).body).toBe(first.body);
  app.clock.advance(1_000);
  const renewed = (await fetchList(path)).body;
  expect(renewed).not.toBe(first.body);
  expect(readPayload(renewed).exp - readPayload(first.body).exp).toBe(86_400);
  expect(readPayload(renewed).credentialSubject).toEqual(readPayload(first.body).credentialSubject);
  app.clock.set(start);
});

test('each index is used once, in an order that does not reveal the time of issue', async () => {
  const many = await Promise.all(Array.from({ length: 60 }, () => createCredential(app, member.token)));
  const indexes = many.map((each) => readPlace(each).index);
  expect(new Set(indexes).size).toBe(60);
  expect(indexes.every((index) => index >= 0 && index < 131_072)).toBe(true);
  const sorted = indexes.toSorted((one, other) => one - other);
  expect(indexes).not.toEqual(sorted);
  // Sixty random indexes out of 131,072 are spread out; neighbouring indexes would reveal the order of issue.
  expect(sorted.at(-1)! - sorted[0]!).toBeGreaterThan(60_000);
});

test('a full list is followed by a new one', async () => {
  const { path } = readPlace(await createCredential(app, member.token));
  await app.sql.run(sql`update status_lists set taken = 131072`);
  const credentials = await Promise.all(
    Array.from({ length: 110 }, () => createCredential(app, member.token)),
  );
  const lists = new Set(credentials.map((each) => readPlace(each).path));
  expect([...lists].filter((each) => each !== path)).toHaveLength(1);
  const [last] = credentials.slice(-1);
  await requestRevocation(app, member.token, last!.id);
  expect(
    (await decodeBits((await fetchList(readPlace(last!).path)).body)).getStatus(readPlace(last!).index),
  ).toBe(true);
});

test('a list keeps its key after a rotation, and a new key opens a new list', async () => {
  const service = await startApp();
  const { token } = await service.registerMember();
  const old = await createCredential(service, token);
  const fetchKid = async (path: string, accept?: string) => {
    const { body } = await service.request('GET', path, { headers: accept ? { accept } : {} });
    return accept ? body.proof[0].verificationMethod : readHeader(body).kid;
  };
  const { kid } = readHeader(old.formats.vc_jwt);
  const { path } = readPlace(old);
  expect(await fetchKid(path)).toBe(kid);
  await service.platform.keys.rotate('credential');
  const recent = await createCredential(service, token);
  expect(readHeader(recent.formats.vc_jwt).kid).not.toBe(kid);
  expect(readPlace(recent).path).not.toBe(path);
  expect(await fetchKid(readPlace(recent).path)).toBe(readHeader(recent.formats.vc_jwt).kid);
  // Signed again, because its bits changed and because a day passed.
  await requestRevocation(service, token, old.id);
  expect(await fetchKid(path)).toBe(kid);
  service.clock.advance(86_400_000);
  expect(await fetchKid(path)).toBe(kid);
  expect(await fetchKid(path.replace('status-lists', 'token-status-lists'))).toBe(kid.split('#')[1]);
  expect(await fetchKid(path, 'application/vc')).toBe(`${kid}-multikey`);
});

test('a hundred simultaneous requests open one list and reserve its entries once', async () => {
  const service = await startApp();
  const { token } = await service.registerMember();
  await Promise.all(Array.from({ length: 100 }, () => createCredential(service, token)));
  expect(await service.sql.list(sql`select taken from status_lists`)).toEqual([{ taken: 100 }]);
});

test('an unknown list is not found', async () => {
  expect(await fetchList(`/credentials/status-lists/${unknownId}`)).toMatchObject({
    status: 404,
    body: { code: 'status_list_not_found' },
  });
  expect((await fetchList('/credentials/status-lists/x')).status).toBe(422);
});
