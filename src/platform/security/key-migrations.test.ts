import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrateDatabase, migrationsDir } from '#platform/database/migrate.ts';

/** Creates a database with the migrations before a number. */
async function createOlderDatabase(before: string): Promise<pg.ClientConfig> {
  const server = inject('server');
  // The run drops every database that begins with the template's name.
  const database = `${inject('template')}_keys_${process.pid}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-migrations-'));
  const names = (await readdir(migrationsDir)).filter((name) => name < before);
  for (const name of names) await cp(fileURLToPath(new URL(name, migrationsDir)), path.join(folder, name));
  await migrateDatabase({ ...server, database }, pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
  return { ...server, database };
}

test('the keys of an older database keep the credentials that they signed, and each list the key of its time', async () => {
  const settings = await createOlderDatabase('0021');
  const client = new pg.Client(settings);
  await client.connect();
  await client.query(`
    insert into signing_keys (kid, algorithm, public_jwk, private_key_sealed, created_at, retired_at) values
      ('first', 'ES256', '{}', '', '2026-01-01', '2026-02-01'), ('second', 'ES256', '{}', '', '2026-02-01', null),
      ('rsa', 'RS256', '{}', '', '2026-01-01', null);
    insert into status_lists (id, bits, shuffled, created_at, vc_jwt, token_jwt, signed_at)
    select id, decode(repeat('00', 16384), 'hex'), '', created_at, 'signed', 'signed', created_at from (values
      ('00000000-0000-4000-8000-000000000001'::uuid, '2026-01-01'::timestamptz - interval '1 second'),
      ('00000000-0000-4000-8000-000000000002', '2026-01-15'), ('00000000-0000-4000-8000-000000000003', '2026-02-15')
    ) as lists (id, created_at)`);
  await migrateDatabase(settings);
  const keys = await client.query('select kid, purpose from signing_keys order by kid');
  expect(keys.rows).toEqual([
    { kid: 'first', purpose: 'credential' },
    { kid: 'rsa', purpose: 'access_token' },
    { kid: 'second', purpose: 'credential' },
  ]);
  const lists = await client.query('select kid, vc_jwt from status_lists order by id');
  expect(lists.rows).toEqual(['first', 'first', 'second'].map((kid) => ({ kid, vc_jwt: null })));
  await client.end();
});
