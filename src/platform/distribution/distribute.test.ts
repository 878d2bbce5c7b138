import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { cloneDatabase } from '#test/harness.ts';
import { checkDistribution } from './check-references.ts';
import { distributeDatabase } from './distribute.ts';
import { listPlaces } from './list-places.ts';

const distribution = {
  places: { members: 'id' },
  functions: 'select 1',
  nameKey: () => 'member_id',
  unreferred: [],
};

/** Runs the command to its end. */
async function runCommand(settings: pg.ClientConfig): Promise<void> {
  for await (const line of distributeDatabase(settings, distribution, true)) void line;
}

async function connect(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** What the command would have changed. */
async function describeSchema(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`
    select (select count(*) from pg_constraint) as constraints, (select count(*) from pg_trigger) as triggers,
      to_regnamespace('distribution') as schema`);
  return rows[0];
}

test('plain PostgreSQL is refused in one line, and nothing is changed', async () => {
  const settings = await cloneDatabase();
  const client = await connect(settings);
  const before = await describeSchema(client);
  const message = expect.stringMatching(/^the database has no Citus: [^\n]+$/);
  await expect(runCommand(settings)).rejects.toMatchObject({ message });
  await expect(listPlaces(settings)).rejects.toMatchObject({ message });
  expect(await checkDistribution(settings)).toBeUndefined();
  expect(await describeSchema(client)).toEqual(before);
});

test('a database that is half distributed is refused, also by a start and a check', async () => {
  const settings = await cloneDatabase();
  const client = await connect(settings);
  await client.query(`
    create schema distribution;
    create table distribution.progress (migration text not null)`);
  const half = expect.stringMatching(
    /^the database is half distributed: run "database distribute --yes" [^\n]+$/,
  );
  await expect(migrateDatabase(settings)).rejects.toMatchObject({ message: half });
  await expect(checkDistribution(settings)).rejects.toMatchObject({ message: half });
});

test('a database that was migrated after it was distributed is refused until the command has run again', async () => {
  const settings = await cloneDatabase();
  const client = await connect(settings);
  await client.query(`
    create schema distribution;
    create table distribution.progress (migration text not null);
    insert into distribution.progress (migration) values ('0001_baseline.sql')`);
  await expect(migrateDatabase(settings)).rejects.toMatchObject({
    message: expect.stringMatching(/^the database was migrated to \S+ after it was distributed: run "/),
  });
  await client.query('update distribution.progress set migration = (select max(name) from migrations)');
  expect(await migrateDatabase(settings)).toEqual([]);
});

test('references that no foreign key guarantees are checked, and one that leads to nothing is a fault', async () => {
  const settings = await cloneDatabase();
  const client = await connect(settings);
  await client.query(`
    create schema distribution;
    create table distribution.progress (migration text not null);
    insert into distribution.progress (migration) select max(name) from migrations;
    create table distribution.foreign_keys (table_name text, name text, target text, definition text);
    insert into distribution.foreign_keys values
      ('boards', 'boards_org_id_fkey', 'organisations', 'FOREIGN KEY (org_id) REFERENCES organisations(id) ON DELETE CASCADE');
    create table parts (first integer, second uuid, primary key (first, second));
    create table users_of_parts (first integer, second uuid);
    insert into distribution.foreign_keys values
      ('users_of_parts', 'fkey', 'parts', 'FOREIGN KEY (first, second) REFERENCES parts(first, second)');
    insert into parts select number, '00000000-0000-0000-0000-000000000001' from generate_series(1, 2500) as number;
    insert into users_of_parts select first, second from parts;
    insert into users_of_parts values (null, null)`);
  expect(await checkDistribution(settings)).toEqual({ references: 2500, faults: [] });
  await client.query(`
    delete from parts where first = 1800;
    insert into users_of_parts values (7, '00000000-0000-0000-0000-000000000002')`);
  expect(await checkDistribution(settings)).toEqual({
    references: 2501,
    faults: [
      'users_of_parts refers to parts, which lacks 2 of its 2501 values, such as 7,00000000-0000-0000-0000-000000000002',
    ],
  });
});
