import * as jose from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { cloneDatabase } from '#test/harness.ts';
import { listStatements } from '#test/list-statements.ts';
import { keyKinds, openKeys, type SigningKey, type SigningKeys } from './keys.ts';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));
const openedKeys: SigningKeys[] = [];
let database: Database;

async function openNode(): Promise<SigningKeys> {
  const keys = await openKeys(database, secrets, systemClock);
  openedKeys.push(keys);
  return keys;
}

beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), () => undefined);
});
afterAll(async () => {
  for (const keys of openedKeys) keys.close();
  await database.close();
});

const sign = ({ privateKey, algorithm, kid }: SigningKey) =>
  new jose.SignJWT({ hello: 'world' }).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);

test('nodes that start at the same time on a new database sign with the same keys', async () => {
  const nodes = await Promise.all([openNode(), openNode(), openNode()]);
  for (const { purpose, algorithm } of keyKinds)
    expect(new Set(nodes.map((keys) => keys.selectActive(purpose, algorithm).kid)).size).toBe(1);
  expect(await database.one(sql`select count(*) as count from signing_keys`)).toEqual({ count: 3 });
});

test('a private key can neither be read from the table nor decrypted with another master key', async () => {
  const rows = await database.list(
    sql<{ private_key_sealed: Buffer; public_jwk: object }>`select * from signing_keys`,
  );
  for (const { private_key_sealed, public_jwk } of rows) {
    expect(private_key_sealed.toString('latin1')).not.toMatch(/PRIVATE KEY/);
    expect(Object.keys(public_jwk)).not.toContain('d');
  }
  const opening = openKeys(database, createSecrets(Buffer.alloc(32, 2)), systemClock);
  await expect(opening).rejects.toBeInstanceOf(ConfigError);
  await expect(opening).rejects.toThrow(/TESSERA_MASTER_KEY/);
});

test('published keys have no private part, and a private key cannot be exported', async () => {
  const keys = await openNode();
  for (const { publicJwk } of keys.list()) expect(Object.keys(publicJwk)).not.toContain('d');
  await expect(jose.exportPKCS8(keys.selectActive('credential').privateKey)).rejects.toThrow(/extractable/);
});

test('after a rotation the new key signs, and signatures of the old key still verify', async () => {
  const keys = await openNode();
  for (const { purpose, algorithm } of keyKinds) {
    const old = keys.selectActive(purpose, algorithm);
    const token = await sign(old);
    const fresh = await keys.rotate(purpose, algorithm);
    expect(fresh.kid).not.toBe(old.kid);
    expect(keys.selectActive(purpose, algorithm).kid).toBe(fresh.kid);
    const published = keys.list().map(({ publicJwk }) => publicJwk);
    expect(published.map(({ kid }) => kid)).toEqual(expect.arrayContaining([old.kid, fresh.kid]));
    await jose.jwtVerify(token, jose.createLocalJWKSet({ keys: published }));
    expect(await keys.find(purpose, old.kid)).toMatchObject({
      retired_at: expect.any(Date),
      revoked_at: null,
    });
  }
});

test('another node finds a new key by its kid, even for simultaneous calls, and reports the change once', async () => {
  const [here, there] = [await openNode(), await openNode()];
  let changes = 0;
  there.onChange(() => changes++);
  const { kid } = await here.rotate('credential');
  const found = await Promise.all([
    there.find('credential', 'made-up'),
    ...Array.from({ length: 5 }, () => there.find('credential', kid)),
  ]);
  expect(found.map((key) => key?.kid)).toEqual([undefined, kid, kid, kid, kid, kid]);
  expect(there.selectActive('credential').kid).toBe(kid);
  expect(changes).toBe(1);
});

test('invented kids cause at most one read of the database a second', async () => {
  const keys = await openNode();
  const statements = await listStatements(() =>
    Promise.all(Array.from({ length: 500 }, (_, index) => keys.find('credential', `made-up-${index}`))),
  );
  expect(statements).toHaveLength(1);
});

test('simultaneous rotations all succeed, and one key of the kind stays active', async () => {
  const nodes = await Promise.all([openNode(), openNode(), openNode()]);
  await Promise.all(nodes.map((keys) => keys.rotate('credential')));
  const active = await database.list(
    sql`select kid from signing_keys where purpose = 'credential' and retired_at is null`,
  );
  expect(active).toHaveLength(1);
});

test('a key of one purpose is not found for the other', async () => {
  const keys = await openNode();
  const [token, credential] = [keys.selectActive('access_token'), keys.selectActive('credential')];
  expect(token.kid).not.toBe(credential.kid);
  expect([keys.findInMemory('credential', token.kid), await keys.find('credential', token.kid)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(keys.findInMemory('access_token', credential.kid)).toBeUndefined();
});

test('revoking an active key replaces it, revoking a retired one does not, and other nodes learn of both', async () => {
  const [here, there] = [await openNode(), await openNode()];
  const retired = here.selectActive('credential');
  const active = await here.rotate('credential');
  expect(await here.revoke(retired.kid)).toMatchObject({
    revoked: { kid: retired.kid, revoked_at: expect.any(Date) },
    active: { kid: active.kid },
  });
  const revoked = await here.revoke(active.kid);
  expect(revoked?.active.kid).not.toBe(active.kid);
  expect(await here.revoke(active.kid)).toEqual(revoked);
  expect(await here.revoke('made-up')).toBeUndefined();
  // An unknown id makes the other node look.
  await there.find('credential', revoked!.active.kid);
  for (const { kid } of [retired, active])
    expect(there.findInMemory('credential', kid)).toMatchObject({ revoked_at: expect.any(Date) });
  expect(there.selectActive('credential').kid).toBe(revoked?.active.kid);
});

test('nodes that revoke the same key at once create one successor', async () => {
  const nodes = await Promise.all([openNode(), openNode(), openNode()]);
  const { kid } = nodes[0].selectActive('access_token', 'RS256');
  const results = await Promise.all(nodes.map((keys) => keys.revoke(kid)));
  expect(new Set(results.map((result) => result?.active.kid)).size).toBe(1);
});
