import { join } from 'node:path';
import type { Client, ClientConfig } from 'pg';
import type { ArchivePlace } from '#platform/archive-config.ts';
import { systemClock } from '#platform/clock.ts';
import { openClient } from '#platform/database/connections.ts';
import { appendLog } from './append-log.ts';
import type { ArchivedBackup } from './archive.ts';
import { dropSlot, SLOT } from './archive-slot.ts';
import type { ArchiveStorage } from './archive-storage.ts';
import { openArchive } from './open-archive.ts';
import { BackupError } from './backup-error.ts';
import { copyInstallation } from './copy-installation.ts';
import type { LogEnd } from './log-end.ts';

/** What an archive is made from, and where. */
export type ArchiveSettings = {
  /** The superuser's connection to the server that runs on the cluster in `dataDir`. */
  readonly connection: ClientConfig;
  readonly dataDir: string;
  readonly archive: ArchivePlace;
  /** How many days back one can restore. */
  readonly days: number;
};

/** To which moments the archive can be restored; null before the first backup is complete. */
export type ArchiveRange = { readonly from: string; readonly to: string } | null;

/** Makes an archive: a backup each day, and the log from one to the next. */
export type Archiver = {
  /** Archives what is new, and starts a backup if one is due. @throws Error if anything failed; the next call tries it again. */
  advance(): Promise<ArchiveRange>;
  /** Waits for a backup that is being made. */
  settle(): Promise<void>;
};

const day_ms = 86_400_000;
/** After a backup that failed, such as on a full disk. */
const retry_ms = 600_000;

/** Creates an archiver. The server keeps the log in a replication slot until it is archived, as far as its settings let it. */
export function createArchiver(settings: ArchiveSettings): Archiver {
  const { connection, dataDir, days } = settings;
  const storage = openArchive(settings.archive, dataDir);
  const cluster = join(dataDir, 'postgres');
  let oldest: string | undefined;
  let current: ArchivedBackup | undefined;
  let upcoming: ArchivedBackup | undefined;
  let making: Promise<void> | undefined;
  let failed: { readonly error: unknown; readonly at: number } | undefined;

  function startBackup(): void {
    failed = undefined;
    making = makeBackup(settings, storage)
      .then(
        (made) => void (upcoming = made),
        (error: unknown) => void (failed = { error, at: systemClock.now().getTime() }),
      )
      .finally(() => void (making = undefined));
  }

  async function beginBackupIfDue(client: Client): Promise<void> {
    const age_ms = current ? systemClock.now().getTime() - new Date(current.end.from).getTime() : Infinity;
    if (making || upcoming || age_ms < day_ms) return;
    if (failed && systemClock.now().getTime() - failed.at < retry_ms) throw failed.error;
    if (!current) await renewSlot(client);
    startBackup();
  }

  async function copyLog(client: Client): Promise<void> {
    if (!current) return;
    const to = await markMoment(client);
    const { flushed, timeline, is_kept } = await readLogState(client);
    if (timeline !== current.end.timeline || !is_kept) {
      current = undefined;
      throw new BackupError('the database no longer has the log that the archive needs: a new backup begins');
    }
    const end = await appendLog({ cluster, storage, backup: current.backup }, current.end, flushed);
    if (!(await readLogState(client)).is_kept)
      throw new BackupError('the log was overwritten while it was archived');
    current = { ...current, end: { ...end, to } };
    await storage.writeEnd(current.backup, current.end);
    // The log of a backup that is being made begins earlier.
    if (!making) await releaseLog(client, BigInt(current.end.position));
  }

  async function work(client: Client): Promise<ArchiveRange> {
    current ??= await resume(client, storage);
    if (upcoming) {
      current = upcoming;
      upcoming = undefined;
      oldest = undefined;
      await removeOutdated(storage, days);
    }
    await copyLog(client);
    await beginBackupIfDue(client);
    if (!current) return null;
    oldest ??= (await storage.list())[0]?.end.from;
    return { from: oldest ?? current.end.from, to: current.end.to };
  }

  return {
    advance: async () => {
      const client = await openClient(connection);
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
    settle: async () => making,
  };
}

/** Continues the newest backup of the archive, if the server has kept everything that follows. */
async function resume(client: Client, storage: ArchiveStorage): Promise<ArchivedBackup | undefined> {
  const backups = await storage.list();
  const { rows } = await client.query<{ system_identifier: string }>(
    'SELECT system_identifier::text FROM pg_control_system()',
  );
  const { system_identifier } = rows[0]!;
  if (backups.some(({ end }) => end.system_identifier !== system_identifier))
    throw new BackupError(`${storage.name} has backups of another installation: choose another place`);
  const newest = backups.at(-1);
  if (!newest || !(await canContinue(client, newest.end))) return undefined;
  return newest;
}

async function canContinue(client: Client, { timeline, position }: LogEnd): Promise<boolean> {
  const { rows } = await client.query<{ fits: boolean }>(
    `SELECT restart_lsn - '0/0' <= $1 AND $1 <= pg_current_wal_flush_lsn() - '0/0' AND wal_status <> 'lost'
       AND left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) = $2 AS fits
     FROM pg_replication_slots WHERE slot_name = '${SLOT}'`,
    [position, timeline.toString(16).toUpperCase().padStart(8, '0')],
  );
  return rows[0]?.fits === true;
}

/** Makes the server keep its log from now on. */
async function renewSlot(client: Client): Promise<void> {
  await dropSlot(client);
  await client.query(`SELECT pg_create_physical_replication_slot('${SLOT}', true)`);
}

type LogState = { readonly flushed: bigint; readonly timeline: number; readonly is_kept: boolean };

/**
 * Commits a record in the log. So a recovery up to any moment before it finds a later commit at which it stops, even if nothing else was written.
 *
 * @returns a time before that commit.
 */
async function markMoment(client: Client): Promise<string> {
  const { rows } = await client.query<{ time: Date }>(
    `SELECT clock_timestamp() AS time, pg_logical_emit_message(true, '${SLOT}', '')`,
  );
  return rows[0]!.time.toISOString();
}

/** Reads how far the log is on the disk, and whether the server still has all that the slot asks for. */
async function readLogState(client: Client): Promise<LogState> {
  const { rows } = await client.query<{ flushed: string; timeline: string; is_kept: boolean }>(
    `SELECT (pg_current_wal_flush_lsn() - '0/0')::text AS flushed,
       left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline,
       EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '${SLOT}' AND wal_status <> 'lost') AS is_kept`,
  );
  const { flushed, timeline, is_kept } = rows[0]!;
  return { flushed: BigInt(flushed), timeline: Number.parseInt(timeline, 16), is_kept };
}

async function releaseLog(client: Client, position: bigint): Promise<void> {
  await client.query(`SELECT pg_replication_slot_advance('${SLOT}', '0/0'::pg_lsn + $1::numeric)`, [
    String(position),
  ]);
}

async function makeBackup(
  { connection, dataDir }: ArchiveSettings,
  storage: ArchiveStorage,
): Promise<ArchivedBackup> {
  return storage.add(await measureDatabase(connection), async (draft) => {
    const { log_end } = await copyInstallation({
      connection,
      dataDir,
      backup: draft,
      reportProgress: () => undefined,
    });
    return describeLogStart(connection, log_end);
  });
}

async function measureDatabase(connection: ClientConfig): Promise<number> {
  const client = await openClient(connection);
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT sum(pg_database_size(oid))::text AS bytes FROM pg_database',
    );
    return Number(rows[0]!.bytes);
  } finally {
    await client.end();
  }
}

async function describeLogStart(connection: ClientConfig, start: string): Promise<LogEnd> {
  const client = await openClient(connection);
  try {
    const from = await markMoment(client);
    const { timeline } = await readLogState(client);
    const { rows } = await client.query<{ system_identifier: string; segment_bytes: string }>(
      `SELECT system_identifier::text, pg_size_bytes(current_setting('wal_segment_size'))::text AS segment_bytes
       FROM pg_control_system()`,
    );
    const { system_identifier, segment_bytes } = rows[0]!;
    return {
      format: 1,
      system_identifier,
      timeline,
      segment_bytes: Number(segment_bytes),
      start,
      position: start,
      open_bytes: 0,
      from,
      to: from,
    };
  } finally {
    await client.end();
  }
}

/** Removes the backups that nobody needs to restore a moment of the last `days`: those whose successor is older. */
async function removeOutdated(storage: ArchiveStorage, days: number): Promise<void> {
  const backups = await storage.list();
  const oldest_ms = systemClock.now().getTime() - days * day_ms;
  for (const [index, { backup }] of backups.entries()) {
    const successor = backups[index + 1];
    if (successor && new Date(successor.end.from).getTime() <= oldest_ms) await storage.remove(backup);
  }
}
