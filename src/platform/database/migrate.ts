import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { isReadOnly, openClient } from '#platform/database/connections.ts';
import { requireSuitableServer } from '#platform/database/require-suitable-server.ts';
import { splitStatements } from '#platform/database/split-statements.ts';
import { describeHalfDistribution, findPlacedMigration } from '#platform/distribution/engine.ts';
import { readVersion } from '#platform/telemetry/build.ts';

/** The directory of the numbered SQL files. */
export const migrationsDir = new URL('../../../migrations/', import.meta.url);

/** The database does not fit this version. The message tells the operator what to do. */
export class MigrationError extends Error {}

type Migration = {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** The oldest version that works with the schema that this migration leaves. */
  readonly works_from: string;
};

/** What the database says about a migration. `works_from` is missing where a version before the first release ran it. */
type Applied = Pick<Migration, 'name' | 'checksum'> & { readonly works_from?: string | null };

/** The first release, whose successors only expand the schema or name the version that no longer uses what they remove. */
const first_release = '1.0.0';

// An arbitrary constant, which must be the same on all nodes that migrate the same database.
const lock_id = 7_355_608;

/**
 * Migrates a database to the newest schema: runs all missing migrations in order, in one transaction. Nodes that start at the same time wait
 * for each other on an advisory lock. Migrations of a newer version may have run, if this version works with what they leave: that is how nodes of two
 * versions serve one database (docs/upgrading.md#several-nodes-expand-and-contract).
 *
 * @param running The version of this code, if it is not that of `package.json`.
 * @returns the names of the migrations that ran.
 * @throws UnsuitableServerError if the service cannot work with the server, or with what is in front of it.
 * @throws MigrationError if a migration was edited after it ran, the database is too new for this code, from before its first migration, or
 * read-only, or the role may not migrate it. Also if the database is distributed, but not all of its tables are: those of the migrations that ran are new.
 */
export async function migrateDatabase(
  settings: pg.ClientConfig,
  folder: URL = migrationsDir,
  running?: string,
): Promise<readonly string[]> {
  const wanted = await readMigrations(folder);
  const version = running ?? (await readVersion());
  const client = await openClient(settings);
  try {
    await refuseReadOnly(client);
    await requireSuitableServer(client, settings);
    const ran = (await isCurrent(client, wanted, version))
      ? []
      : await runLocked(client, () => runMissingMigrations(client, wanted, version)).catch(explainRefusal);
    await refuseHalfDistributed(client);
    return ran;
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

async function refuseHalfDistributed(client: pg.Client): Promise<void> {
  const reason = await describeHalfDistribution(client);
  if (reason !== undefined) throw new MigrationError(reason);
}

/**
 * Waits until nobody migrates a database, and lets nobody migrate it while the client is connected.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lock_id]);
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
  const applied = (await hasMigrationsTable(client)) ? await listAppliedMigrations(client) : new Map();
  return selectMissingMigrations(applied, wanted, await readVersion()).map(({ name }) => name);
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
      const works_from = /^-- contract (\d+\.\d+\.\d+):/m.exec(text)?.[1] ?? first_release;
      return { name, text, checksum: createHash('sha256').update(text).digest('hex'), works_from };
    }),
  );
}

/** Checks without a lock whether the database is current, so that a usual start only reads one table. */
async function isCurrent(client: pg.Client, wanted: readonly Migration[], version: string): Promise<boolean> {
  if (!(await hasMigrationsTable(client))) return false;
  return selectMissingMigrations(await listAppliedMigrations(client), wanted, version).length === 0;
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
  version: string,
): Promise<readonly string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  await client.query('alter table migrations add column if not exists works_from text');
  // On Citus, a transaction that changes tables of several kinds uses one connection to each node. PostgreSQL alone does not know the setting.
  await client.query(`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`);
  const missing = selectMissingMigrations(await listAppliedMigrations(client), wanted, version);
  // Citus passes each statement on to the nodes by itself.
  const isDistributed = (await findPlacedMigration(client)) !== undefined;
  for (const { name, text, checksum, works_from } of missing) {
    for (const statement of isDistributed ? splitStatements(text) : [text]) await client.query(statement);
    const values = [name, checksum, works_from];
    await client.query('insert into migrations (name, checksum, works_from) values ($1, $2, $3)', values);
  }
  return missing.map(({ name }) => name);
}

/** Reads all columns, because a database that no newer version has migrated yet lacks one. */
async function listAppliedMigrations(client: pg.Client): Promise<ReadonlyMap<string, Applied>> {
  const { rows } = await client.query<Applied>('select * from migrations order by name');
  return new Map(rows.map((row) => [row.name, row]));
}

function selectMissingMigrations(
  applied: ReadonlyMap<string, Applied>,
  wanted: readonly Migration[],
  version: string,
): readonly Migration[] {
  const [first] = wanted;
  if (first && applied.size > 0 && !applied.has(first.name))
    throw new MigrationError(
      `the database does not begin with migration ${first.name}, so it was made before the first release: use a new database`,
    );
  const known = new Set(wanted.map(({ name }) => name));
  const newer = [...applied.values()].filter(({ name }) => !known.has(name));
  for (const each of newer) refuseUnlessSurvived(each, version);
  const edited = wanted.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name)!.checksum !== checksum,
  );
  if (edited)
    throw new MigrationError(
      `migration ${edited.name} was edited after it ran: restore the file and add a new migration instead`,
    );
  const missing = wanted.filter(({ name }) => !applied.has(name));
  if (newer.length > 0 && missing.length > 0)
    throw new MigrationError(
      `the database has migration ${newer[0]!.name} without ${missing[0]!.name}, which comes before: use the version that has both`,
    );
  return missing;
}

/** A migration of a newer version is no reason to refuse if it says that this version works with what it leaves. */
function refuseUnlessSurvived({ name, works_from }: Applied, version: string): void {
  if (!works_from)
    throw new MigrationError(
      `the database has migration ${name}, which this version does not know: use a newer version`,
    );
  if (isOlder(version, works_from))
    throw new MigrationError(
      `the database has migration ${name}, which needs version ${works_from} or newer, and this is ${version}: use a newer version`,
    );
}

/** Compares versions such as 1.10.0 by their numbers. */
function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => version.split(/[.-]/).map(Number));
  const place = [0, 1, 2].find((each) => left![each] !== right![each]);
  return place !== undefined && left![place]! < right![place]!;
}
