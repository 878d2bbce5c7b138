import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@tessera/embedded-postgres';
import { BackupError } from './backup-error.ts';
import { isDamage, PACKED, runOnEach, unpackFile } from './backup-files.ts';
import { findLog, isSegmentOpen, listSegments, OPEN, type LogEnd } from './log-end.ts';

/**
 * Decompresses the log of a backup into the log of a cluster that is not running, where the server finds it when it recovers.
 *
 * @returns the paths of the segments from the cluster.
 * @throws BackupError if a segment is missing or damaged.
 */
export async function unpackLog(backup: string, end: LogEnd, cluster: string): Promise<string[]> {
  const segments = listSegments(end);
  const open = isSegmentOpen(end) ? segments.at(-1) : undefined;
  await runOnEach(segments, async (name) => {
    const file = `${name}${name === open ? OPEN : PACKED}`;
    const target = join(cluster, 'pg_wal', name);
    const unpacked = await unpackFile(
      join(findLog(backup), file),
      target,
      () => undefined,
      name === open ? end.open_bytes : Infinity,
    ).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      throw new BackupError(`${backup} was altered: log/${file} is damaged`);
    });
    if (!unpacked) throw new BackupError(`${backup} was altered: log/${file} is missing`);
    // The server reads whole segments only.
    await truncate(target, end.segment_bytes);
  });
  await syncDirectory(join(cluster, 'pg_wal'));
  return segments.map((name) => `pg_wal/${name}`);
}
