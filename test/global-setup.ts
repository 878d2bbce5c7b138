import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { distributeTemplate, listWorkers } from './cluster/distribute-database.ts';
import { owner_role, prepareRoles, service_role } from '#platform/database/roles.ts';

export type TestPostgres = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  /** A database that exists, to connect to when others are created. */
  readonly database: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** As a superuser, or as the user of `TESSERA_TEST_DATABASE_URL`. */
    server: TestPostgres;
    template: string;
    /** What the service runs as. */
    serviceUser: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run and migrates a template once, which every test file clones. It is the embedded PostgreSQL, or that
 * of `TESSERA_TEST_DATABASE_URL`, whose user may create databases.
 */
export default async function startTestDatabase(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestPostgres();
  const template = `tessera_test_${randomBytes(4).toString('hex')}`;
  await runStatement(server, `create database ${template}`);
  const settings = { ...server, database: template };
  // The user of another server may not be allowed to create roles. There it is also what the service runs as.
  const hasRoles = process.env['TESSERA_TEST_DATABASE_URL'] === undefined;
  if (hasRoles) await prepareRoles(settings);
  const owner = { ...settings, ...(hasRoles && { user: owner_role }) };
  await migrateDatabase(owner);
  if (listWorkers(server).length > 0) await distributeTemplate(server, template);
  project.provide('server', server);
  project.provide('serviceUser', hasRoles ? service_role : server.user);
  project.provide('template', template);
  return () => stop(template);
}

async function startTestPostgres(): Promise<{
  server: TestPostgres;
  stop: (template: string) => Promise<void>;
}> {
  const url = process.env['TESSERA_TEST_DATABASE_URL'];
  if (url) {
    const { hostname, port, username, password, pathname } = new URL(url);
    const server = {
      // Without the brackets of an IPv6 address.
      host: hostname.replaceAll(/^\[|\]$/g, ''),
      port: Number(port || 5432),
      user: username,
      password: decodeURIComponent(password),
      database: pathname.slice(1) || 'postgres',
    };
    return {
      server,
      stop: async (template) => {
        for (const each of [server, ...listWorkers(server)]) await dropClones(each, template);
      },
    };
  }
  const folder = await chooseFolder();
  await removeOldFolders(folder);
  const dataDir = await mkdtemp(path.join(folder, folder_prefix));
  // The data of tests need not survive a power cut. The durability tests start their own servers.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    max_wal_size: '256MB',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  return {
    server: postgres.connection,
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const memory_folder = '/dev/shm';
const memory_bytes_min = 4 * 1024 ** 3;

/** Chooses memory if there is enough: a clone consists of a thousand files, and to create them takes half a second on some disks. */
async function chooseFolder(): Promise<string> {
  const folder = await statfs(memory_folder).catch(() => undefined);
  const bytes = folder ? Math.min(folder.bavail * folder.bsize, process.availableMemory()) : 0;
  return bytes >= memory_bytes_min ? memory_folder : tmpdir();
}

const folder_prefix = 'tessera-test-';
const day_ms = 86_400_000;

/** Removes what runs that were killed have left. Folders of other accounts stay. */
async function removeOldFolders(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const name of names.filter((each) => each.startsWith(folder_prefix))) {
    const folder = path.join(parent, name);
    const isOld = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs > day_ms,
      () => false,
    );
    if (isOld) await rm(folder, { recursive: true }).catch(() => undefined);
  }
}

async function dropClones(server: TestPostgres, template: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [template],
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}

async function runStatement(server: TestPostgres, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(statement);
  await client.end();
}
