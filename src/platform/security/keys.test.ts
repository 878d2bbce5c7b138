import * as jose from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { cloneDatabase } from '#test/harness.ts';
import { openKeys, type SigningKey, type SigningKeys } from './keys.ts';
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
  for (const algorithm of ['ES256', 'RS256'] as const)
    expect(new Set(nodes.map((keys) => keys.selectActive(algorithm).kid)).size).toBe(1);
  expect(await database.one(sql`select count(*) as count from signing_keys`)).toEqual({ count: 2 });
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
  for (const jwk of keys.buildJwks().keys) expect(Object.keys(jwk)).not.toContain('d');
  await expect(jose.exportPKCS8(keys.selectActive('ES256').privateKey)).rejects.toThrow(/extractable/);
});

test('after a rotation the new key signs, and signatures of the old key still verify', async () => {
  const keys = await openNode();
  for (const algorithm of ['ES256', 'RS256'] as const) {
    const old = keys.selectActive(algorithm);
    const token = await sign(old);
    const rotated = await keys.rotate(algorithm);
    expect(rotated.kid).not.toBe(old.kid);
    expect(keys.selectActive(algorithm).kid).toBe(rotated.kid);
    const { keys: published } = keys.buildJwks();
    expect(published.map(({ kid }) => kid)).toEqual(expect.arrayContaining([old.kid, rotated.kid]));
    await jose.jwtVerify(token, jose.createLocalJWKSet({ keys: [...published] }));
    expect(await keys.find(old.kid)).toMatchObject({ isRetired: true });
  }
});

test('another node finds a new key by its kid, also for simultaneous calls, and reports the change once', async () => {
  const [here, there] = [await openNode(), await openNode()];
  let changes = 0;
  there.onChange(() => changes++);
  const { kid } = await here.rotate('ES256');
  const found = await Promise.all([
    there.find('made-up'),
    ...Array.from({ length: 5 }, () => there.find(kid)),
  ]);
  expect(found.map((key) => key?.kid)).toEqual([undefined, kid, kid, kid, kid, kid]);
  expect(there.selectActive('ES256').kid).toBe(kid);
  expect(changes).toBe(1);
});

test('invented kids cause at most one read of the database a second', async () => {
  const keys = await openNode();
  const countReads = async () => {
    const { calls } = await database.one(sql<{ calls: number }>`
      select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int as calls from pg_stat_user_tables where relname = 'signing_keys'`);
    return calls;
  };
  await database.run(sql`select pg_stat_force_next_flush()`);
  const before = await countReads();
  await Promise.all(Array.from({ length: 500 }, (_, index) => keys.find(`made-up-${index}`)));
  await database.run(sql`select pg_stat_force_next_flush()`);
  expect((await countReads()) - before).toBeLessThan(20);
});

test('simultaneous rotations all succeed, and one key of the algorithm stays active', async () => {
  const nodes = await Promise.all([openNode(), openNode(), openNode()]);
  await Promise.all(nodes.map((keys) => keys.rotate('ES256')));
  const active = await database.list(
    sql`select kid from signing_keys where algorithm = 'ES256' and retired_at is null`,
  );
  expect(active).toHaveLength(1);
});
