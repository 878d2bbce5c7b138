import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode, removeTree, syncDirectory } from '@tessera/embedded-postgres';
import { systemClock } from '#platform/clock.ts';
import { listBackups, nameBackup } from './archive.ts';
import type { ArchiveStorage, LogPart } from './archive-storage.ts';
import { PACKED, replaceFile } from './backup-files.ts';
import { RECORD } from './drill-record.ts';
import { findLog, OPEN, writeLogEnd } from './log-end.ts';

/** Opens an archive in a directory, which is created with its first use. */
export function openDirectoryStorage(archive: string): ArchiveStorage {
  return {
    name: archive,
    list: () => listBackups(archive),
    add: async (_, fill) => {
      await mkdir(archive, { recursive: true, mode: 0o700 });
      await removeUnfinished(archive);
      // It gets its name when it is complete.
      const draft = join(archive, `${nameBackup(systemClock.now())}.new`);
      await mkdir(draft, { mode: 0o700 });
      try {
        const end = await fill(draft);
        await mkdir(findLog(draft), { mode: 0o700 });
        await writeLogEnd(draft, end);
        const backup = join(archive, nameBackup(new Date(end.from)));
        await rename(draft, backup);
        await syncDirectory(archive);
        return { backup, end };
      } catch (error) {
        await removeTree(draft);
        throw error;
      }
    },
    remove: removeTree,
    writePart: async (backup, part) => writePart(join(findLog(backup), part.segment), part),
    writeEnd: async (backup, end) => {
      await syncDirectory(findLog(backup));
      await writeLogEnd(backup, end);
    },
    readRecord: async () =>
      readFile(join(archive, RECORD), 'utf8').catch((error: unknown) => {
        if (readErrorCode(error) === 'ENOENT') return undefined;
        throw error;
      }),
    writeRecord: (text) => replaceFile(join(archive, RECORD), text),
    borrow: ({ backup }, work) => work(backup),
    measure: async () => 0,
  };
}

async function removeUnfinished(archive: string): Promise<void> {
  for (const name of await readdir(archive))
    if (name.endsWith('Z.new')) await removeTree(join(archive, name));
}

/** Writes at the place where the valid part of the file ends, because an attempt that failed may have left something there. */
async function writePart(path: string, { offset, packed, complete }: LogPart): Promise<void> {
  const file = await open(`${path}${OPEN}`, offset === 0 ? 'w' : 'r+', 0o600);
  try {
    await file.truncate(offset);
    await file.write(packed, 0, packed.length, offset);
    await file.sync();
  } finally {
    await file.close();
  }
  if (complete !== undefined) await rename(`${path}${OPEN}`, `${path}${PACKED}`);
}
