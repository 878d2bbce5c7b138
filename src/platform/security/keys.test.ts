import * as jose from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { openKeys, type SigningKey, type SigningKeys } from './keys.ts';
import { createSecrets } from './secrets.ts';
import { cloneDatabase } from '#test/harness.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));
const opened: SigningKeys[] = [];
let database: Database;

async function node(): Promise<SigningKeys> {
  const keys = await openKeys(database, secrets, systemClock);
  opened.push(keys);
  return keys;
}

beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), () => undefined);
});
afterAll(async () => {
  for (const keys of opened) keys.close();
  await database.close();
});

const sign = ({ privateKey, algorithm, kid }: SigningKey) =>
  new jose.SignJWT({ hello: 'world' }).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);

test('nodes that start at once on a fresh database sign with the same keys', async () => {
  const nodes = await Promise.all([node(), node(), node()]);
  for (const algorithm of ['ES256', 'RS256'] as const)
    expect(new Set(nodes.map((keys) => keys.selectActive(algorithm).kid)).size).toBe(1);
  expect(await database.one(sql`select count(*) as count from signing_keys`)).toEqual({ count: 2 });
});

test('a private key cannot be read from the table, nor opened with another master key', async () => {
  const rows = await database.list(
    sql<{ private_key_sealed: Buffer; public_jwk: object }>`select * from signing_keys`,
  );
  for (const { private_key_sealed, public_jwk } of rows) {
    expect(private_key_sealed.toString('latin1')).not.toMatch(/PRIVATE KEY/);
    expect(Object.keys(public_jwk)).not.toContain('d');
  }
  const stranger = openKeys(database, createSecrets(Buffer.alloc(32, 2)), systemClock);
  await expect(stranger).rejects.toBeInstanceOf(ConfigError);
  await expect(stranger).rejects.toThrow(/TESSERA_MASTER_KEY/);
});

test('what is published has no private part, and a private key cannot be taken out of the process', async () => {
  const keys = await node();
  for (const jwk of keys.buildJwks().keys) expect(Object.keys(jwk)).not.toContain('d');
  await expect(jose.exportPKCS8(keys.selectActive('ES256').privateKey)).rejects.toThrow(/extractable/);
});

test('after a rotation the new key signs, and what the old one signed still verifies', async () => {
  const keys = await node();
  for (const algorithm of ['ES256', 'RS256'] as const) {
    const old = keys.selectActive(algorithm);
    const token = await sign(old);
    const fresh = await keys.rotate(algorithm);
    expect(fresh.kid).not.toBe(old.kid);
    expect(keys.selectActive(algorithm).kid).toBe(fresh.kid);
    const { keys: published } = keys.buildJwks();
    expect(published.map(({ kid }) => kid)).toEqual(expect.arrayContaining([old.kid, fresh.kid]));
    await jose.jwtVerify(token, jose.createLocalJWKSet({ keys: [...published] }));
    expect(await keys.find(old.kid)).toMatchObject({ isRetired: true });
  }
});

test('another node knows a new key as soon as it meets it, however many ask at once, and says that the keys changed', async () => {
  const [here, there] = [await node(), await node()];
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

test('made-up kids cost the database one look a second, however many come', async () => {
  const keys = await node();
  const statements = async () => {
    const { calls } = await database.one(sql<{ calls: number }>`
      select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int as calls from pg_stat_user_tables where relname = 'signing_keys'`);
    return calls;
  };
  await database.run(sql`select pg_stat_force_next_flush()`);
  const before = await statements();
  await Promise.all(Array.from({ length: 500 }, (_, index) => keys.find(`made-up-${index}`)));
  await database.run(sql`select pg_stat_force_next_flush()`);
  expect((await statements()) - before).toBeLessThan(20);
});

test('nodes that rotate at once all succeed, and one key of an algorithm signs', async () => {
  const nodes = await Promise.all([node(), node(), node()]);
  await Promise.all(nodes.map((keys) => keys.rotate('ES256')));
  const active = await database.list(
    sql`select kid from signing_keys where algorithm = 'ES256' and retired_at is null`,
  );
  expect(active).toHaveLength(1);
});
