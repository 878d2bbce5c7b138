import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, test } from 'vitest';
import { openDatabase, sql } from '#platform/database/database.ts';
import { migrateDatabase, migrationsDir } from '#platform/database/migrate.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { createEmptyBits, setBits, shuffleIndexes } from './status-bits.ts';
import { listStatusLists } from './store.ts';

/** Creates a database with the migrations before the one with this name. @returns its settings. */
async function createEarlierDatabase(named: string) {
  const server = inject('server');
  const database = `${inject('template')}_earlier_${randomBytes(4).toString('hex')}`;
  const maintenance = openDatabase(server, () => undefined);
  // The name is ours, and a name cannot be a parameter.
  await maintenance.run({ ...sql`select`, text: `create database ${database}` });
  await maintenance.close();
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-earlier-'));
  const names = (await readdir(migrationsDir)).toSorted();
  for (const name of names.slice(
    0,
    names.findIndex((each) => each.endsWith(`_${named}.sql`)),
  ))
    await copyFile(new URL(name, migrationsDir), path.join(folder, name));
  const settings = { ...server, database };
  await migrateDatabase(settings, pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
  return settings;
}

test('lists of the earlier form keep their bits, their order and their key, and lose the copies that revocations left behind', async () => {
  const settings = await createEarlierDatabase('status_list_blocks');
  const database = openDatabase(settings, () => undefined);
  cleanUpAfterFile(() => database.close());
  const ids = [randomUUID(), randomUUID()];
  const revoked = [[0, 7, 2_047, 2_048, 70_000, 131_071], []];
  const orders = ids.map(() => shuffleIndexes());
  await database.run(sql`
    insert into signing_keys (kid, purpose, algorithm, public_jwk, private_key_sealed, created_at)
    values ('kid', 'credential', 'ES256', '{}', '\\x00', now())`);
  for (const [index, id] of ids.entries()) {
    await database.run(sql`
      insert into status_lists (id, bits, shuffled, taken, version, vc_jwt, token_jwt, signed_at, kid, created_at)
      values (${id}, ${createEmptyBits()}, ${orders[index]!}, 300, 7, 'a', 'b', now(), 'kid', now())`);
    for (let count = 0; count < 50; count++)
      await database.run(sql`
        update status_lists set bits = ${setBits(createEmptyBits(), revoked[index]!)} where id = ${id}`);
  }
  const measure = () =>
    database.one(sql<{ bytes: number }>`select pg_total_relation_size('status_lists') as bytes`);
  const before = await measure();
  await migrateDatabase(settings);
  const lists = await listStatusLists(database, ids);
  for (const [index, id] of ids.entries()) {
    const list = lists.find((each) => each.id === id)!;
    expect([list.kid, list.version]).toEqual(['kid', 0]);
    expect(list.bits.equals(setBits(createEmptyBits(), revoked[index]!))).toBe(true);
    const kept = await database.one(sql<{ taken: number; shuffled: Buffer }>`
      select taken, shuffled from status_lists where id = ${id}`);
    expect([kept.taken, kept.shuffled.equals(orders[index]!)]).toEqual([300, true]);
  }
  expect(before.bytes - (await measure()).bytes).toBeGreaterThan(50 * 2 * 16_384 * 0.8);
});
