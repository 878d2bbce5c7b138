import { decodeList } from '@digitalbazaar/vc-bitstring-status-list';
import * as jose from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';
import { sql } from '#platform/database/database.ts';
import {
  createCredential,
  readPayload,
  requestRevocation,
  type IssuedCredential,
} from '#test/modules/credentials.ts';

let app: TestApp;
let member: TestMember;
beforeAll(async () => {
  app = await startApp();
  member = await app.registerMember();
});

/** Where a W3C credential says that its status stands. */
function placeOf({ formats }: IssuedCredential): { readonly at: string; readonly index: number } {
  const { statusListCredential, statusListIndex } = readPayload(formats.vc_jwt).credentialStatus;
  return { at: statusListCredential.replace('http://localhost:8420', '/'), index: Number(statusListIndex) };
}

const fetchList = (at: string, accept?: string) =>
  app.request('GET', at, { headers: accept ? { accept } : {} });

/** The list behind a vc+jwt, decoded by Digital Bazaar's library. */
async function bitsIn(jwt: string): Promise<{ getStatus(index: number): boolean; length: number }> {
  const { encodedList } = readPayload(jwt).credentialSubject as { encodedList: string };
  return decodeList({ encodedList });
}

test('anybody fetches the list as vc+jwt, signed by the issuer, and finds the revoked one in it', async () => {
  const [kept, revoked] = [
    await createCredential(app, member.token),
    await createCredential(app, member.token),
  ];
  const { at, index } = placeOf(revoked);
  expect(placeOf(kept).at).toBe(at);
  const before = await fetchList(at);
  expect(before).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/vc+jwt', 'cache-control': 'public, max-age=60', vary: 'Accept' },
  });
  expect((await bitsIn(before.body)).getStatus(index)).toBe(false);
  await requestRevocation(app, member.token, revoked.id);
  const { body } = await fetchList(at, 'application/vc+jwt, */*');
  const set = jose.createLocalJWKSet(app.platform.keys.buildJwks() as jose.JSONWebKeySet);
  const key = (header: jose.JWSHeaderParameters) =>
    set({ ...header, alg: 'ES256', kid: String(header.kid).split('#')[1]! });
  const { payload, protectedHeader } = await jose.jwtVerify(body, key, {
    typ: 'vc+jwt',
    issuer: 'did:web:localhost%3A8420',
    currentDate: app.clock.now(),
  });
  expect(protectedHeader.kid).toMatch(/^did:web:localhost%3A8420#/);
  expect(payload).toMatchObject({
    id: at.replace('//', 'http://localhost:8420/'),
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: { type: 'BitstringStatusList', statusPurpose: 'revocation', ttl: 60_000 },
  });
  const bits = await bitsIn(body);
  expect([bits.length, bits.getStatus(index), bits.getStatus(placeOf(kept).index)]).toEqual([
    131_072,
    true,
    false,
  ]);
});

test('where Accept asks for JSON the list comes with an embedded proof', async () => {
  const { at } = placeOf(await createCredential(app, member.token));
  for (const accept of ['application/json', 'application/vc', 'application/ld+json;q=0.9, application/json'])
    expect(await fetchList(at, accept)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/vc' },
      body: {
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        proof: {
          type: 'DataIntegrityProof',
          cryptosuite: 'ecdsa-rdfc-2019',
          proofPurpose: 'assertionMethod',
        },
      },
    });
  for (const accept of ['*/*', 'application/vc+jwt', 'application/json, application/vc+jwt'])
    expect((await fetchList(at, accept)).headers['content-type']).toBe('application/vc+jwt');
});

test('the list of a revocation is published with its transaction, and signed anew when it is a day old', async () => {
  const credential = await createCredential(app, member.token);
  const { at } = placeOf(credential);
  const listId = at.split('/').at(-1)!;
  await requestRevocation(app, member.token, credential.id);
  const stored = await app.sql.one(sql<{ vc_jwt: string; token_jwt: string }>`
    select vc_jwt, token_jwt from status_lists where id = ${listId}`);
  const first = await fetchList(at);
  expect(first.body).toBe(stored.vc_jwt);
  const start = app.clock.now();
  app.clock.advance(86_399_000);
  expect((await fetchList(at)).body).toBe(first.body);
  app.clock.advance(1_000);
  const renewed = (await fetchList(at)).body;
  expect(renewed).not.toBe(first.body);
  expect(readPayload(renewed).exp - readPayload(first.body).exp).toBe(86_400);
  expect(readPayload(renewed).credentialSubject).toEqual(readPayload(first.body).credentialSubject);
  app.clock.set(start);
});

test('indexes are given once each, and in no order that tells when', async () => {
  const many = await Promise.all(Array.from({ length: 60 }, () => createCredential(app, member.token)));
  const indexes = many.map((each) => placeOf(each).index);
  expect(new Set(indexes).size).toBe(60);
  expect(indexes.every((index) => index >= 0 && index < 131_072)).toBe(true);
  const sorted = indexes.toSorted((one, other) => one - other);
  expect(indexes).not.toEqual(sorted);
  // Sixty of 131,072 drawn at random are spread out; a run of neighbours would show the order of issuing.
  expect(sorted.at(-1)! - sorted[0]!).toBeGreaterThan(60_000);
});

test('a list that is full is followed by another', async () => {
  const { at } = placeOf(await createCredential(app, member.token));
  await app.sql.run(sql`update status_lists set taken = 131072`);
  const credentials = await Promise.all(
    Array.from({ length: 110 }, () => createCredential(app, member.token)),
  );
  const lists = new Set(credentials.map((each) => placeOf(each).at));
  expect([...lists].filter((each) => each !== at)).toHaveLength(1);
  const [last] = credentials.slice(-1);
  await requestRevocation(app, member.token, last!.id);
  expect((await bitsIn((await fetchList(placeOf(last!).at)).body)).getStatus(placeOf(last!).index)).toBe(
    true,
  );
});

test('there is no list behind an id that nothing has', async () => {
  expect(await fetchList(`/credentials/status-lists/${unknownId}`)).toMatchObject({
    status: 404,
    body: { code: 'status_list_not_found' },
  });
  expect((await fetchList('/credentials/status-lists/x')).status).toBe(422);
});
