import { chmod, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { ClientConfig } from 'pg';
import { hasCluster } from '@tessera/embedded-postgres';
import { parseTime } from '#lib/outside-values.ts';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { systemClock } from '#platform/clock.ts';
import { normaliseUrl } from '#platform/archive-config.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase, sql, type Database, type Reader } from '#platform/database/database.ts';
import { migrationsDir } from '#platform/database/migrate.ts';
import { openKeys } from '#platform/security/keys.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { findRestorePoint, selectPoint, type RestorePoint } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { readManifest, type BackupManifest } from './backup-manifest.ts';
import { copyInstallation, type InstallationCopy } from './copy-installation.ts';
import { openArchive } from './open-archive.ts';
import { restoreCluster } from './restore.ts';

/** An installation with nothing started, for commands that must not open, create or migrate a database first. */
export type Installation = {
  readonly config: Config;
  /** Uses the database server of the running service, or else starts the embedded one until `stop` is called. */
  readonly borrowDatabase: () => Promise<{
    readonly superuser: ClientConfig;
    readonly stop: () => Promise<void>;
  }>;
  /** What the report of a restore counts, by name. */
  readonly counts: Readonly<Record<string, (db: Reader) => Promise<number>>>;
};

type Input = Readonly<Record<string, string>>;
type Result = Readonly<Record<string, unknown>>;

/**
 * Copies the embedded database and the master key into the new or empty directory `dir`. The service may keep running.
 *
 * @throws OperatorError if no database exists, the directory is not empty, or the copy fails. A failed copy is removed.
 */
export async function createBackup(
  installation: Installation,
  { dir = '' }: Input,
  output: ProgressOutput = process.stderr,
): Promise<Result> {
  const { dataDir } = requireEmbeddedDatabase(installation.config, 'pg_dump');
  const backup = path.resolve(dir);
  return runWithOperatorErrors('nothing was backed up', async () => {
    const cluster = path.join(dataDir, 'postgres');
    if (!(await hasCluster(cluster))) throw new BackupError(`${dataDir} contains no database`);
    if (isWithin(cluster, backup))
      throw new BackupError(`${backup} is inside the database: choose another directory`);
    const isNew = await prepareDirectory(backup);
    try {
      return describeBackup(backup, await copyFromServer(backup, installation, output));
    } catch (error) {
      await discardBackup(backup, isNew);
      throw error;
    }
  });
}

/**
 * Restores a backup, or an archive as it was at a moment, into the data directory, which must not contain a database yet, and starts the database
 * there once to read from it.
 *
 * @throws OperatorError if the backup is incomplete, altered or newer than this code, or the data directory already has a database.
 */
export async function restoreBackup(
  { config, counts }: Installation,
  { dir = '', at }: Input,
  output: ProgressOutput = process.stderr,
): Promise<Result> {
  const { dataDir, masterKey } = requireEmbeddedDatabase(config, 'pg_restore');
  const moment = at === undefined ? undefined : parseMoment(at);
  return runWithOperatorErrors('nothing was restored', async () => {
    return borrowPoint(config, dir, moment, async (point) => {
      const { backup } = point;
      const manifest = await readManifest(backup);
      await checkMigrations(manifest);
      const key = masterKey ?? (await findMasterKey(backup)) ?? (await findMasterKey(dataDir));
      const reportProgress = createProgressBar('restore', output);
      const proof = await restoreCluster({
        dataDir,
        point,
        manifest,
        reportProgress,
        prove: (connection) => examineDatabase({ ...connection, ssl: false }, counts, key),
      });
      return { restored: dataDir, as_of: point.to?.toISOString() ?? manifest.created_at, ...proof };
    });
  });
}

/** Finds what to restore, and has it in a directory while `work` reads it. */
async function borrowPoint<Value>(
  { archive, dataDir }: Config,
  dir: string,
  at: Date | undefined,
  work: (point: RestorePoint) => Promise<Value>,
): Promise<Value> {
  if (!/^https?:/.test(dir)) return work(await findRestorePoint(path.resolve(dir), at));
  const url = normaliseUrl(dir);
  if (!url || !archive || typeof archive.place === 'string')
    throw new BackupError(
      'an address needs TESSERA_ARCHIVE_URL, _REGION, _KEY_ID and _SECRET of the archive, or of another one with the same key',
    );
  if (await hasCluster(path.join(dataDir, 'postgres')))
    throw new BackupError(
      `${dataDir} already has a database, and nothing is overwritten: choose another directory`,
    );
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const storage = openArchive({ ...archive.place, url }, dataDir);
  const point = selectPoint(url, await storage.list(), at);
  return storage.borrow(point, (backup) => work({ ...point, backup }));
}

function parseMoment(at: string): Date {
  const moment = parseTime(at);
  if (!moment)
    throw new OperatorError('--at must be a moment with its time zone, such as 2026-11-27T14:03:21Z');
  return moment;
}

function requireEmbeddedDatabase(config: Config, tool: string): Config {
  if (!config.databaseUrl) return config;
  throw new OperatorError(
    `backup and restore work only with the embedded database; for TESSERA_DATABASE_URL use ${tool}`,
  );
}

/** Reports errors that the operator can correct in one line: refusals, and errors of the system or of PostgreSQL, which have a code. */
async function runWithOperatorErrors<Value>(outcome: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const isCorrectable =
      error instanceof BackupError || typeof (error as { code?: unknown }).code === 'string';
    if (!isCorrectable) throw error;
    throw new OperatorError(`${outcome}: ${(error as Error).message}`, { cause: error });
  }
}

function isWithin(directory: string, inner: string): boolean {
  return `${inner}${path.sep}`.startsWith(`${directory}${path.sep}`);
}

/** Creates the directory if it is absent. @returns whether it was created. */
async function prepareDirectory(backup: string): Promise<boolean> {
  const isNew = (await mkdir(backup, { recursive: true, mode: 0o700 })) !== undefined;
  if ((await readdir(backup)).length > 0)
    throw new BackupError(`${backup} is not empty: choose a new directory`);
  await chmod(backup, 0o700);
  return isNew;
}

/** Removes a failed backup, because it may have filled the disk that the running service needs. */
async function discardBackup(backup: string, isNew: boolean): Promise<void> {
  for (const name of ['postgres', 'master.key', 'manifest.json.new', 'manifest.json']) {
    await rm(path.join(backup, name), { recursive: true, force: true }).catch(() => undefined);
  }
  if (isNew) await rmdir(backup).catch(() => undefined);
}

async function copyFromServer(
  backup: string,
  { config: { dataDir }, borrowDatabase }: Installation,
  output: ProgressOutput,
): Promise<InstallationCopy['manifest']> {
  const server = await borrowDatabase();
  try {
    const reportProgress = createProgressBar('backup', output);
    const connection = server.superuser;
    return (await copyInstallation({ connection, dataDir, backup, reportProgress })).manifest;
  } finally {
    await server.stop();
  }
}

function describeBackup(
  backup: string,
  { created_at, migrations, files, postgres_version }: InstallationCopy['manifest'],
): Result {
  const hasKey = files.some((file) => file.path === 'master.key');
  return {
    backup,
    created_at,
    postgres_version,
    last_migration: migrations.at(-1),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    master_key: hasKey
      ? 'included: anyone who has this directory can read every secret'
      : 'not included, because no master.key exists: keep TESSERA_MASTER_KEY',
  };
}

/** @throws BackupError if a newer version made the backup. */
export async function checkMigrations({ migrations, tessera_version }: BackupManifest): Promise<void> {
  const known = new Set(await readdir(migrationsDir));
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new BackupError(
    `the backup has migration ${unknown}, which this version does not know: restore it with Tessera ${tessera_version}`,
  );
}

async function findMasterKey(directory: string): Promise<Buffer | undefined> {
  const text = await readFile(path.join(directory, 'master.key'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** Reads figures from the restored database, which the operator can check before starting the service. */
async function examineDatabase(
  connection: ClientConfig,
  counts: Installation['counts'],
  key: Buffer | undefined,
): Promise<Result> {
  const database = openDatabase(connection, () => undefined, undefined, true);
  try {
    const result: Record<string, unknown> = {};
    for (const [name, count] of Object.entries(counts)) result[name] = await count(database);
    const migration = await database.one(sql<Result>`select max(name) as last_migration from migrations`);
    return { ...result, ...migration, signing_keys: await describeSigningKeys(database, key) };
  } finally {
    await database.close();
  }
}

/** Describes whether the key opens the database's secrets. If not, the restore is still valid: the operator may have the key elsewhere. */
async function describeSigningKeys(database: Database, key: Buffer | undefined): Promise<string> {
  if (!key) return 'sealed: set the TESSERA_MASTER_KEY that the database was created with';
  try {
    (await openKeys(database, createSecrets(key), systemClock)).close();
    return 'open';
  } catch (error) {
    return `sealed: ${(error as Error).message}`;
  }
}
