import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { owner_role, prepareRoles, service_role } from '#platform/database/roles.ts';
import type { EmbeddedPostgres } from '@tessera/embedded-postgres';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { makeScratchDirectory } from '@tessera/embedded-postgres/testing';

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let server: EmbeddedPostgres;

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  server = await startEmbeddedPostgres({
    dataDir: path.join(scratch.path, 'data'),
    settings: { fsync: 'off' },
  });
});
afterAll(async () => {
  await server.stop();
  await scratch.remove();
});

async function run<Row extends pg.QueryResultRow>(
  settings: pg.ClientConfig,
  statement: string,
): Promise<Row[]> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(name: string): Promise<EmbeddedPostgres['connection']> {
  await run(server.connection, `create database ${name}`);
  return { ...server.connection, database: name };
}

/** What neither role may own or be. */
const foreignObjects = `
  select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and pg_get_userbyid(relowner) <> '${owner_role}'
  union all select proname from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = 'public' and pg_get_userbyid(proowner) <> '${owner_role}'
  union all select typname from pg_type join pg_namespace on pg_namespace.oid = typnamespace
    where nspname = 'public' and pg_get_userbyid(typowner) <> '${owner_role}'`;

describe.each([
  ['new', async () => prepareRoles(await createDatabase('fresh')), 'fresh'],
  [
    'made by an earlier version as the superuser',
    async () => {
      const superuser = await createDatabase('earlier');
      await migrateDatabase(superuser);
      await prepareRoles(superuser);
      await prepareRoles(superuser);
    },
    'earlier',
  ],
])('a database that is %s', (_, prepare, database) => {
  const connectAs = (user: string) => ({ ...server.connection, user, database });

  beforeAll(async () => {
    await prepare();
    await migrateDatabase(connectAs(owner_role));
  });

  it('belongs to the owner, who is no superuser either', async () => {
    expect(await run(connectAs(server.connection.user), foreignObjects)).toEqual([]);
    const roles = await run(
      connectAs(service_role),
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles
       where rolname in ('${owner_role}', '${service_role}') order by rolname`,
    );
    const none = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    expect(roles).toEqual([
      { rolname: owner_role, ...none },
      { rolname: service_role, ...none },
    ]);
  });

  it.each([
    ['change the schema', 'create table public.mine (id integer)'],
    ['change a table', 'alter table members add column mine integer'],
    ['switch off a trigger', 'alter table consent_records disable trigger all'],
    ['empty a table', 'truncate audit_log'],
    ['run a program', `copy members to program 'cat'`],
    ['read a file', `select pg_read_file('/etc/passwd')`],
    ['write a file', `copy (select 1) to '/tmp/mine'`],
    ['become the owner', `set role ${owner_role}`],
    ['create a role', 'create role mine superuser'],
    ['change a setting of the server', `alter system set log_statement = 'all'`],
  ])('the service’s role cannot %s', async (_, statement) => {
    await expect(run(connectAs(service_role), statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the roles of an external database', () => {
  it('are created by the statements of docs/operating.md, and suffice for the owner and the service', async () => {
    const document = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
    const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(document) ?? [];
    const lines = statements.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(5);
    const rename = (line: string) => line.replace('create database tessera ', 'create database external ');
    let at = server.connection.database;
    for (const line of lines) {
      if (line.startsWith('\\connect')) at = 'external';
      else if (!line.startsWith('create role'))
        await run({ ...server.connection, database: at }, rename(line));
    }
    const owner = { ...server.connection, database: 'external', user: owner_role };
    const service = { ...owner, user: service_role };
    await expect(migrateDatabase(service)).rejects.toThrow(
      /^the database must be migrated, [^\n]+ as the role that owns it$/,
    );
    await migrateDatabase(owner);
    expect(await migrateDatabase(service)).toEqual([]);
    expect(await run(service, 'select count(*)::int as count from members')).toEqual([{ count: 0 }]);
  });
});
