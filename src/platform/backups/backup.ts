import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, ClientConfig } from 'pg';
import { openClient } from '#platform/database/connections.ts';
import { syncDirectory } from '@tessera/embedded-postgres';
import { listCluster, PACKED, packFile, runOnEach, writeNewFile } from './backup-files.ts';
import type { CopyResult, Listing, ReportProgress } from './backup-files.ts';
import { BackupError } from './backup-error.ts';
import type { BackedUpFile, BackupManifest } from './backup-manifest.ts';

/** The part of the manifest that describes the cluster. The caller adds the rest. */
export type ClusterCopy = {
  readonly described: Pick<BackupManifest, 'postgres_version' | 'migrations' | 'directories' | 'files'>;
  /** Where the log that the copy contains ends, in bytes from the beginning of the log. */
  readonly log_end: string;
};

export type BackUpOptions = {
  /** The connection to the server that runs on the cluster. */
  readonly connection: ClientConfig;
  readonly dataDir: string;
  /** An existing directory. The copy is written to its `postgres/`. */
  readonly backup: string;
  readonly reportProgress: ReportProgress;
};

const CONTROL_FILE = 'global/pg_control';
const CONTROL_READS = 100;

/**
 * Copies the cluster of a running server, which continues to read and write. It is a base backup by PostgreSQL's low-level API
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP), with the write-ahead log that makes
 * it consistent. It contains every commit that was acknowledged before the call.
 */
export async function backUpCluster({
  connection,
  dataDir,
  backup,
  reportProgress,
}: BackUpOptions): Promise<ClusterCopy> {
  const from = join(dataDir, 'postgres');
  const to = join(backup, 'postgres');
  const client = await openClient(connection);
  try {
    const start = await startBackup(client);
    const listing = await listCluster(from);
    const copies = await copyListedFiles(listing, from, to, reportProgress);
    const description = await describeCluster(client);
    const { segments, log_end, label } = await stopBackup(client, start);
    const lastCopies = [
      await copyControlFile(from, to),
      await writeLabel(to, label),
      ...(await copyLog(segments, from, to)),
    ];
    await runOnEach(listing.directories, (path) => syncDirectory(join(to, path)));
    const files = [...copies, ...lastCopies].sort((one, other) => (one.path < other.path ? -1 : 1));
    return {
      described: { ...description, directories: listing.directories.map(toBackupPath), files },
      log_end,
    };
  } finally {
    await client.end();
  }
}

/**
 * Starts the backup. Its replication slot makes the server keep the log until this session ends, so that neither a long copy nor many writes
 * lose log segments.
 *
 * @returns the position in the log from which the copy will be replayed.
 */
async function startBackup(client: Client): Promise<string> {
  const name = `tessera_backup_${randomBytes(8).toString('hex')}`;
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [name]);
  const { rows } = await client.query<{ start: string }>(
    'SELECT pg_backup_start($1, fast => true)::text AS start',
    [name],
  );
  return rows[0]!.start;
}

/**
 * Ends the backup, which closes the current log segment.
 *
 * @returns the names of the log segments to copy, where the last one ends, and the content of the label file.
 */
async function stopBackup(
  client: Client,
  start: string,
): Promise<{ segments: string[]; log_end: string; label: string }> {
  const { rows } = await client.query<{ stop: string; label: string; tablespaces: string | null }>(
    `SELECT lsn::text AS stop, labelfile AS label, spcmapfile AS tablespaces
     FROM pg_backup_stop(wait_for_archive => false)`,
  );
  const { stop, label, tablespaces } = rows[0]!;
  if (tablespaces)
    throw new BackupError('the database has additional tablespaces, which a backup does not support');
  // From the segment of the first byte to that of the last byte. The positions are inside the segments, because versions differ at the edges.
  const { rows: segments } = await client.query<{ name: string; log_end: string }>(
    `SELECT pg_walfile_name('0/0'::pg_lsn + number * bytes + 1) AS name, ((number + 1) * bytes)::text AS log_end
     FROM (SELECT pg_size_bytes(current_setting('wal_segment_size'))::numeric AS bytes),
       generate_series(floor(($1::pg_lsn - '0/0') / bytes), floor(($2::pg_lsn - 1 - '0/0'::pg_lsn) / bytes)) AS number
     ORDER BY number`,
    [start, stop],
  );
  return { segments: segments.map(({ name }) => name), log_end: segments.at(-1)!.log_end, label };
}

/** Reads the versions. Call it before the end of the backup, so that it names no migration that the copy does not have. */
async function describeCluster(
  client: Client,
): Promise<Pick<BackupManifest, 'postgres_version' | 'migrations'>> {
  const { rows } = await client.query<{ version: string; has_tables: boolean }>(
    `SELECT current_setting('server_version') AS version, to_regclass('migrations') IS NOT NULL AS has_tables`,
  );
  const { version, has_tables } = rows[0]!;
  if (!has_tables) throw new BackupError('the database has no tables yet: start the service once first');
  const applied = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  return { postgres_version: version, migrations: applied.rows.map(({ name }) => name) };
}

/**
 * Copies the files. A page that is torn because the server writes it meanwhile is complete in the log, which has every page from the start
 * of the backup.
 */
async function copyListedFiles(
  { directories, files }: Listing,
  from: string,
  to: string,
  reportProgress: ReportProgress,
): Promise<BackedUpFile[]> {
  for (const path of directories) await mkdir(join(to, path), { mode: 0o700 });
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const copies: BackedUpFile[] = [];
  let done = 0;
  const count = (bytes: number): void => reportProgress(Math.min((done += bytes), total), total);
  await runOnEach(
    files.filter(({ path }) => path !== CONTROL_FILE),
    async ({ path }) => {
      const copied = await packFile(join(from, path), join(to, `${path}${PACKED}`), count);
      if (copied) copies.push(buildFileEntry(`${path}${PACKED}`, copied));
    },
  );
  reportProgress(total, total);
  return copies;
}

/** Copies the one file that the log does not contain. It can be rewritten in place at any time, so it is read until two reads agree. */
async function copyControlFile(from: string, to: string): Promise<BackedUpFile> {
  let content = await readFile(join(from, CONTROL_FILE));
  for (let reads = 1; reads < CONTROL_READS; reads += 1) {
    const again = await readFile(join(from, CONTROL_FILE));
    if (again.equals(content))
      return buildFileEntry(CONTROL_FILE, await writeNewFile(join(to, CONTROL_FILE), [content]));
    content = again;
  }
  throw new Error(`${CONTROL_FILE} could not be read because it changes continuously`);
}

async function writeLabel(to: string, label: string): Promise<BackedUpFile> {
  return buildFileEntry('backup_label', await writeNewFile(join(to, 'backup_label'), [Buffer.from(label)]));
}

async function copyLog(segments: readonly string[], from: string, to: string): Promise<BackedUpFile[]> {
  const copies: BackedUpFile[] = [];
  for (const segment of segments) {
    const path = `pg_wal/${segment}`;
    const copied = await packFile(join(from, path), join(to, `${path}${PACKED}`), () => undefined);
    if (!copied) throw new Error(`the log segment ${segment} is missing`);
    copies.push(buildFileEntry(`${path}${PACKED}`, copied));
  }
  return copies;
}

function buildFileEntry(path: string, { bytes, sha256 }: CopyResult): BackedUpFile {
  return { path: toBackupPath(path), bytes, sha256 };
}

function toBackupPath(path: string): string {
  return path === '' ? 'postgres' : `postgres/${path}`;
}
