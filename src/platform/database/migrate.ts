import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { isReadOnly, openClient } from '#platform/database/connections.ts';
import { requireSuitableServer } from '#platform/database/require-suitable-server.ts';

/** The directory of the numbered SQL files. */
export const migrationsDir = new URL('../../../migrations/', import.meta.url);

/** The database does not fit this version. The message tells the operator what to do. */
export class MigrationError extends Error {}

type Migration = { readonly name: string; readonly text: string; readonly checksum: string };

// An arbitrary constant, which must be the same on all nodes that migrate the same database.
const lock_id = 7_355_608;

/**
 * Migrates a database to the newest schema: runs all missing migrations in order, in one transaction. Nodes that start at the same time wait
 * for each other on an advisory lock.
 *
 * @returns the names of the migrations that ran.
 * @throws UnsuitableServerError if the service cannot work with the server, or with what is in front of it.
 * @throws MigrationError if a migration was edited after it ran, the database is newer than this code, from before its first migration, or
 * read-only, or the role may not migrate it.
 */
export async function migrateDatabase(
  settings: pg.ClientConfig,
  folder: URL = migrationsDir,
): Promise<readonly string[]> {
  const wanted = await readMigrations(folder);
  const client = await openClient(settings);
  try {
    await refuseReadOnly(client);
    await requireSuitableServer(client, settings);
    if (await isCurrent(client, wanted)) return [];
    return await runLocked(client, () => runMissingMigrations(client, wanted)).catch(explainRefusal);
  } finally {
    await client.end();
  }
}

/** Refuses a standby, and a primary that is being demoted, before anything else reports it less clearly. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  if (await isReadOnly(client))
    throw new MigrationError(
      'the database is read-only, perhaps a standby: TESSERA_DATABASE_URL must lead to the primary',
    );
}

/**
 * Lists the migrations that a database lacks, without changing it.
 *
 * @throws MigrationError as `migrateDatabase` does.
 */
export async function listMissingMigrations(
  client: pg.Client,
  folder: URL = migrationsDir,
): Promise<readonly string[]> {
  const wanted = await readMigrations(folder);
  const applied = (await hasMigrationsTable(client))
    ? await listAppliedMigrations(client)
    : new Map<string, string>();
  return selectMissingMigrations(applied, wanted).map(({ name }) => name);
}

async function hasMigrationsTable(client: pg.Client): Promise<boolean> {
  const table = await client.query<{ exists: boolean }>(
    "select to_regclass('migrations') is not null as exists",
  );
  return table.rows[0]?.exists === true;
}

const insufficient_privilege = '42501';

/** The service's role may not migrate; see "Roles of the database" in docs/operating.md. */
function explainRefusal(error: unknown): never {
  if ((error as { code?: unknown }).code !== insufficient_privilege) throw error;
  const hint =
    'the database must be migrated, and this role may not do it: run "migrate" as the role that owns it';
  throw new MigrationError(hint, { cause: error });
}

async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Checks without a lock whether the database is current, so that a usual start only reads one table. */
async function isCurrent(client: pg.Client, wanted: readonly Migration[]): Promise<boolean> {
  if (!(await hasMigrationsTable(client))) return false;
  return selectMissingMigrations(await listAppliedMigrations(client), wanted).length === 0;
}

async function runLocked<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [lock_id]);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function runMissingMigrations(
  client: pg.Client,
  wanted: readonly Migration[],
): Promise<readonly string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  const missing = selectMissingMigrations(await listAppliedMigrations(client), wanted);
  for (const { name, text, checksum } of missing) {
    await client.query(text);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  return missing.map(({ name }) => name);
}

async function listAppliedMigrations(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function selectMissingMigrations(
  applied: ReadonlyMap<string, string>,
  wanted: readonly Migration[],
): readonly Migration[] {
  const [first] = wanted;
  if (first && applied.size > 0 && !applied.has(first.name))
    throw new MigrationError(
      `the database does not begin with migration ${first.name}, so it was made before the first release: use a new database`,
    );
  const known = new Set(wanted.map(({ name }) => name));
  const unknown = [...applied.keys()].find((name) => !known.has(name));
  if (unknown)
    throw new MigrationError(
      `the database has migration ${unknown}, which this version does not know: use a newer version`,
    );
  const edited = wanted.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited)
    throw new MigrationError(
      `migration ${edited.name} was edited after it ran: restore the file and add a new migration instead`,
    );
  return wanted.filter(({ name }) => !applied.has(name));
}
