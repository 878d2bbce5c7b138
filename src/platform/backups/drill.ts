import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ClientConfig } from 'pg';
import { hasCluster, removeTree } from '@tessera/embedded-postgres';
import { systemClock } from '#platform/clock.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Config } from '#platform/config.ts';
import { checkDatabase, describeDatabaseFaults } from '#platform/database/check-database.ts';
import { openClient } from '#platform/database/connections.ts';
import type { ArchivedBackup } from './archive.ts';
import type { ArchiveStorage } from './archive-storage.ts';
import { BackupError } from './backup-error.ts';
import { requireSpace } from './backup-files.ts';
import { checkMigrations, type Installation } from './backups.ts';
import { readManifest } from './backup-manifest.ts';
import { writeDrillRecord } from './drill-record.ts';
import { listSegments, type LogEnd } from './log-end.ts';
import { openArchive } from './open-archive.ts';
import { restoreCluster } from './restore.ts';

/** What a drill found out. */
export type DrillReport = {
  readonly restored_to: string | null;
  readonly seconds: number;
  readonly restored_bytes: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly fault: string | null;
};

/** What a drill needs beside the installation. */
export type DrillParts = {
  /** The tables whose rows are counted in both databases. */
  readonly tables: readonly string[];
  /** Checks the content of the restored database, whose `master.key` is in `dataDir`. @returns a fault in one line; undefined without one. */
  readonly checkContent: (connection: ClientConfig, dataDir: string) => Promise<string | undefined>;
};

const follow_ms = 60_000;

/**
 * Restores the newest backup beside the running service to a moment that has just passed, compares and checks it, and removes it. What was found is
 * recorded in the archive.
 *
 * @throws OperatorError if no archive is configured, the service has no database, or another drill runs.
 */
export async function runDrill(
  { config, borrowDatabase }: Installation,
  parts: DrillParts,
): Promise<DrillReport> {
  const { archive, dataDir } = requireArchive(config);
  if (!(await hasCluster(join(dataDir, 'postgres'))))
    throw new OperatorError(`${dataDir} contains no database`);
  const began_ms = performance.now();
  const server = await borrowDatabase();
  let found: Omit<DrillReport, 'seconds'> = { restored_to: null, restored_bytes: 0, rows: {}, fault: null };
  try {
    found = await restoreAndCompare(server.superuser, archive, dataDir, parts);
  } catch (error) {
    found = { ...found, fault: describeFault(error) };
  } finally {
    await server.stop();
  }
  const seconds = Math.round((performance.now() - began_ms) / 100) / 10;
  const { restored_to, fault } = found;
  await writeDrillRecord(archive, {
    at: systemClock.now().toISOString(),
    fault,
    restored_to,
    seconds,
  }).catch((error: unknown) => {
    throw new OperatorError(`the result of the drill cannot be recorded: ${describeFault(error)}`, {
      cause: error,
    });
  });
  return { ...found, seconds };
}

/** Says why a drill fails; undefined if it does not. */
export function describeDrillFault({ fault }: DrillReport): string | undefined {
  return fault === null ? undefined : `the archive was not proven: ${fault}`;
}

function requireArchive({ archive, dataDir }: Config): { archive: ArchiveStorage; dataDir: string } {
  if (!archive)
    throw new OperatorError(
      'a drill needs TESSERA_ARCHIVE_DIR or TESSERA_ARCHIVE_URL, which it tries to restore',
    );
  return { archive: openArchive(archive.place, dataDir), dataDir };
}

function describeFault(error: unknown): string {
  return new OperatorError((error as Error).message).message;
}

async function restoreAndCompare(
  live: ClientConfig,
  archive: ArchiveStorage,
  dataDir: string,
  parts: DrillParts,
): Promise<Omit<DrillReport, 'seconds'>> {
  const { tables } = parts;
  const reference = await countAtMoment(live, tables);
  const archived = await awaitLog(archive, reference.to);
  const { end } = archived;
  if (end.system_identifier !== reference.system_identifier)
    throw new BackupError(`${archived.backup} is of another installation`);
  const restored_bytes = reference.bytes + listSegments(end).length * end.segment_bytes;
  const needed_bytes = restored_bytes + (await archive.measure(archived));
  await requireSpace(dataDir, needed_bytes, 'to restore beside the database');
  return archive.borrow(archived, (backup) => restoreBeside(dataDir, { backup, end, reference }, parts));
}

type Borrowed = { readonly backup: string; readonly end: LogEnd; readonly reference: Reference };

async function restoreBeside(
  dataDir: string,
  { backup, end, reference }: Borrowed,
  { tables, checkContent }: DrillParts,
): Promise<Omit<DrillReport, 'seconds'>> {
  const manifest = await readManifest(backup);
  await checkMigrations(manifest);
  const place = join(dataDir, 'drill');
  await clear(place);
  try {
    const { rows, fault } = await restoreCluster({
      dataDir: place,
      point: { backup, end, to: reference.to },
      manifest,
      reportProgress: () => undefined,
      prove: async (connection, restored) => {
        const rows = await countRows({ ...connection, ssl: false }, tables);
        const fault =
          compareRows(rows, reference) ??
          describeDatabaseFaults(await checkDatabase({ ...connection, ssl: false })) ??
          (await checkContent({ ...connection, ssl: false }, restored));
        return { rows, fault: fault ?? null };
      },
    });
    return { restored_to: reference.to.toISOString(), restored_bytes: reference.bytes, rows, fault };
  } finally {
    await removeTree(place);
  }
}

/** Removes what a drill left that was killed. One that is running has nothing there yet, and holds the lock. */
async function clear(place: string): Promise<void> {
  await removeTree(join(place, 'postgres'));
  await rm(join(place, 'master.key'), { force: true });
}

type Rows = Readonly<Record<string, number>>;

/** A moment of the running service, and how many rows there were just before and just after it. */
type Reference = {
  readonly to: Date;
  readonly before: Rows;
  readonly after: Rows;
  readonly bytes: number;
  readonly system_identifier: string;
};

async function countAtMoment(connection: ClientConfig, tables: readonly string[]): Promise<Reference> {
  const before = await countRows(connection, tables);
  const moment = await runWithClient(connection, async (client) => {
    const { rows } = await client.query<{ to: Date; bytes: string; system_identifier: string }>(
      `SELECT clock_timestamp() AS to, (SELECT sum(pg_database_size(oid)) FROM pg_database)::text AS bytes,
         system_identifier::text FROM pg_control_system()`,
    );
    return rows[0]!;
  });
  return { ...moment, bytes: Number(moment.bytes), before, after: await countRows(connection, tables) };
}

async function countRows(connection: ClientConfig, tables: readonly string[]): Promise<Rows> {
  return runWithClient(connection, async (client) => {
    const counts = tables.map(
      (table) =>
        `(SELECT count(*) FROM ${client.escapeIdentifier(table)})::int AS ${client.escapeIdentifier(table)}`,
    );
    const { rows } = await client.query<Rows>(`SELECT ${counts.join(', ')}`);
    return rows[0]!;
  });
}

async function runWithClient<Value>(
  connection: ClientConfig,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = await openClient(connection);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The service goes on writing, so what was restored lies between what was counted before and after its moment. */
function compareRows(restored: Rows, { before, after }: Reference): string | undefined {
  const wrong = Object.entries(restored).find(
    ([table, count]) =>
      count < Math.min(before[table]!, after[table]!) || count > Math.max(before[table]!, after[table]!),
  );
  return (
    wrong &&
    `${wrong[0]} has ${wrong[1]} rows in the restored database, and ${before[wrong[0]]} in the running one`
  );
}

/** Waits until the log of the newest backup has reached a moment. */
async function awaitLog(archive: ArchiveStorage, to: Date): Promise<ArchivedBackup> {
  const deadline = performance.now() + follow_ms;
  for (;;) {
    const newest = (await archive.list()).at(-1);
    if (newest && new Date(newest.end.from) <= to && to <= new Date(newest.end.to)) return newest;
    if (performance.now() > deadline)
      throw new BackupError(
        newest
          ? `the log in ${archive.name} ends at ${newest.end.to} and does not follow the database: is the service running?`
          : `${archive.name} contains no complete backup`,
      );
    await pause(500);
  }
}
