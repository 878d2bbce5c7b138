import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '@tessera/embedded-postgres';
import { BackupError } from './backup-error.ts';
import { readLogEnd, type LogEnd } from './log-end.ts';

/** A backup in an archive, and how far its log goes. */
export type ArchivedBackup = { readonly backup: string; readonly end: LogEnd };

/** The names of backups in an archive: the first moment to which each can be restored. An unfinished one ends with `.new`. */
export const NAMES = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** Names a backup. */
export function nameBackup(from: Date): string {
  return from.toISOString().replaceAll(':', '-');
}

/** Lists the complete backups of an archive, the oldest first. A directory that does not exist has none. */
export async function listBackups(archive: string): Promise<ArchivedBackup[]> {
  const names = await readdir(archive).catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const backups: ArchivedBackup[] = [];
  for (const name of names.filter((each) => NAMES.test(each)).sort()) {
    const backup = join(archive, name);
    const end = await readLogEnd(backup);
    if (end) backups.push({ backup, end });
  }
  return backups;
}

/** What to restore: a backup, and the moment up to which its log is applied, if it has one. */
export type RestorePoint = { readonly backup: string; readonly end?: LogEnd; readonly to?: Date };

/**
 * Finds what to restore from a directory that `backup` made or from an archive.
 *
 * @param at The moment; undefined for the newest.
 * @throws BackupError if the moment is before the first backup, or after the end of the log.
 */
export async function findRestorePoint(directory: string, at: Date | undefined): Promise<RestorePoint> {
  if (await isSingleBackup(directory)) {
    const end = await readLogEnd(directory);
    if (end) return selectPoint(directory, [{ backup: directory, end }], at);
    if (at)
      throw new BackupError(
        `${directory} is a backup without a log, and can only be restored as it is: leave --at out`,
      );
    return { backup: directory };
  }
  return selectPoint(directory, await listBackups(directory), at);
}

/**
 * Selects the newest backup before a moment.
 *
 * @param at The moment; undefined for the newest.
 * @throws BackupError if the archive does not have it.
 */
export function selectPoint(
  directory: string,
  backups: readonly ArchivedBackup[],
  at: Date | undefined,
): Required<RestorePoint> {
  if (backups.length === 0)
    throw new BackupError(`${directory} contains no complete backup: it has no manifest.json`);
  const newest = backups.at(-1)!;
  const to = at ?? new Date(newest.end.to);
  const chosen = backups.findLast(({ end }) => to >= new Date(end.from));
  if (!chosen)
    throw new BackupError(
      `${to.toISOString()} is before the first backup in ${directory}: the earliest moment is ${backups[0]!.end.from}`,
    );
  if (to > new Date(chosen.end.to))
    throw new BackupError(
      `${to.toISOString()} is after the end of the log in ${chosen.backup}: the latest moment is ${chosen.end.to}`,
    );
  return { ...chosen, to };
}

async function isSingleBackup(directory: string): Promise<boolean> {
  return stat(join(directory, 'manifest.json')).then(
    () => true,
    () => false,
  );
}
