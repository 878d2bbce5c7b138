import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { migrateDatabase, MigrationError } from './migrate.ts';

const server = inject('server');
let database = '';
let folder: URL;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tessera-migrations-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(async () => {
  // The test run drops every database whose name starts with that of the template.
  database = `${inject('template')}_migrate_${randomBytes(4).toString('hex')}`;
  await listRows(`create database ${database}`, server.database);
  folder = pathToFileURL(`${await mkdtemp(path.join(root, 'm-'))}/`);
  await write(
    '0001_first.sql',
    'create table first (id integer primary key);\ncreate table runs (name text);\ninsert into runs values (1);',
  );
  await write(
    '0002_second.sql',
    'create table second (id integer references first);\ninsert into runs values (2);',
  );
});

const write = (name: string, text: string) => writeFile(new URL(name, folder), text);
const run = (version = '1.0.0') => migrateDatabase({ ...server, database }, folder, version);

async function listRows(statement: string, at = database): Promise<unknown[]> {
  const client = new pg.Client({ ...server, database: at });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

test('runs the migrations in order, and a second start runs none', async () => {
  expect(await run()).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await run()).toEqual([]);
  await write('0003_third.sql', 'insert into runs values (3)');
  expect(await run()).toEqual(['0003_third.sql']);
  expect(await listRows('select name from runs order by name')).toEqual(['1', '2', '3']);
});

test('simultaneous starts on a new database all succeed, and each migration runs once', async () => {
  const ran = await Promise.all([run(), run(), run(), run()]);
  expect(ran.flat().toSorted()).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await listRows('select name from runs order by name')).toEqual(['1', '2']);
});

test('a start on a current database does not wait for locks', async () => {
  await run();
  const holder = new pg.Client({ ...server, database });
  await holder.connect();
  await holder.query('begin; select pg_advisory_xact_lock(7355608); lock table migrations in exclusive mode');
  expect(await run()).toEqual([]);
  await holder.end();
});

test('a failed migration changes nothing and can be corrected', async () => {
  await write('0002_second.sql', 'create table second (id integer); select nonsense');
  await expect(run()).rejects.toThrow(/nonsense/);
  expect(await listRows("select to_regclass('first') is null")).toEqual([true]);
  await write('0002_second.sql', 'create table second (id integer)');
  expect(await run()).toHaveLength(2);
});

test('refuses a migration that was edited after it ran, and names it', async () => {
  await run();
  await write('0001_first.sql', 'create table first (id bigint primary key)');
  const migrating = run();
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow(/0001_first\.sql was edited/);
});

test('refuses a read-only database, such as a standby, in one line', async () => {
  const standby = { ...server, database, options: '-c default_transaction_read_only=on' };
  await expect(migrateDatabase(standby, folder)).rejects.toThrow(MigrationError);
  await expect(migrateDatabase(standby, folder)).rejects.toThrow(/^the database is read-only, [^\n]+$/);
});

test('works with a database that a newer version has only expanded', async () => {
  await write('0003_newer.sql', 'select 1');
  await run();
  await rm(new URL('0003_newer.sql', folder));
  expect(await run()).toEqual([]);
  await write('0003_correction.sql', 'insert into runs values (3)');
  await expect(run()).rejects.toThrow(/0003_newer\.sql without 0003_correction\.sql/);
});

test('refuses a database that a newer version has contracted, unless this version survives that', async () => {
  await write('0003_newer.sql', '-- contract 1.10.0: nothing uses it.\nselect 1');
  await run('1.11.0');
  await rm(new URL('0003_newer.sql', folder));
  expect(await run('1.10.0')).toEqual([]);
  expect(await run('2.0.0')).toEqual([]);
  const migrating = run('1.9.3');
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow(
    'migration 0003_newer.sql, which needs version 1.10.0 or newer, and this is 1.9.3: use a newer version',
  );
});

test('refuses a database with an unknown migration that does not say who survives it', async () => {
  await run();
  await listRows('alter table migrations drop column works_from');
  expect(await run()).toEqual([]);
  await listRows("insert into migrations (name, checksum) values ('0003_newer.sql', '')");
  const migrating = run();
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow(/0003_newer\.sql, which this version does not know/);
});

test('refuses a database from before the first migration of this version, in one line', async () => {
  await run();
  await rename(new URL('0001_first.sql', folder), new URL('0001_baseline.sql', folder));
  await expect(run()).rejects.toThrow(MigrationError);
  await expect(run()).rejects.toThrow(
    /^the database does not begin with migration 0001_baseline\.sql, [^\n]+$/,
  );
});

test('three nodes run the migrations of this version on a new database at the same time', async () => {
  const ran = await Promise.all([1, 2, 3].map(() => migrateDatabase({ ...server, database })));
  const applied = await listRows('select name from migrations order by name');
  expect(ran.flat().toSorted()).toEqual(applied);
  expect(applied.length).toBeGreaterThan(0);
});
