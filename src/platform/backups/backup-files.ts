import { createHash } from 'node:crypto';
import { constants, open, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '@tessera/embedded-postgres';
import { BackupError } from './backup-manifest.ts';

/** Receives the number of bytes done and the total. */
export type ReportProgress = (done: number, total: number) => void;

/** The result of a copy. A file that grows during the copy may have more bytes than it was listed with. */
export type CopyResult = { readonly bytes: number; readonly sha256: string };

/** Directories and files by their paths from a root. A directory is listed before its content. */
export type Listing = {
  readonly directories: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
};

const CHUNK_BYTES = 256 * 1024;
const AT_ONCE = 16;

/** Directories that the server requires, but whose content it creates again or, for pg_wal, is copied separately. As in pg_basebackup. */
const EMPTY_DIRECTORIES = new Set([
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Files of the running server or of another backup that are not copied: pid and options, caches, temporary files and tables. */
const EXCLUDED_NAMES =
  /^(?:postmaster\.(?:pid|opts)|(?:backup_label|tablespace_map)(?:\.old)?|backup_manifest)$|^(?:pg_internal\.init|current_logfiles|pgsql_tmp|t\d+_\d)|\.tmp$/;

/**
 * Lists the directories and files of a cluster for a backup, without the write-ahead log. The server may be running: a file that disappears
 * meanwhile is left out, and the log contains its deletion.
 */
export async function listCluster(cluster: string): Promise<Listing> {
  const directories: string[] = [];
  const files: { path: string; bytes: number }[] = [];
  const visit = async (directory: string): Promise<void> => {
    directories.push(directory);
    const entries = await readdir(join(cluster, directory), { withFileTypes: true }).catch(
      handleMissing(() => []),
    );
    for (const entry of entries) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (EXCLUDED_NAMES.test(entry.name)) continue;
      if (entry.isSymbolicLink())
        throw new BackupError(`${path} is a symbolic link, and a backup does not follow links`);
      if (EMPTY_DIRECTORIES.has(directory) && !EMPTY_DIRECTORIES.has(path)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) files.push({ path, bytes: await readSize(cluster, path) });
    }
  };
  await visit('');
  return { directories, files };
}

/** Copies `from` into a new file (0600) and syncs it to the disk. @returns undefined if `from` does not exist. */
export async function copyFile(
  from: string,
  to: string,
  onChunk: (bytes: number) => void,
): Promise<CopyResult | undefined> {
  // Otherwise a link that the database's account puts there would make root copy any file of the machine.
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    handleMissing(() => undefined),
  );
  if (!source) return undefined;
  try {
    return await writeNewFile(to, readChunks(source, onChunk));
  } finally {
    await source.close();
  }
}

/** Writes a new file (0600) and syncs it to the disk. */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<CopyResult> {
  const hash = createHash('sha256');
  const target = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await target.writeFile(chunk);
      bytes += chunk.length;
    }
    await target.sync();
  } finally {
    await target.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Runs `work` on every item, sixteen at once, because the file system combines syncs that wait together. After a failure it starts no
 * further work, and rejects once the work that is running has ended.
 */
export async function runOnEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items].reverse();
  const runWorker = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  const stopAll = (error: unknown): never => {
    rest.length = 0;
    throw error;
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () => runWorker().catch(stopAll)),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Creates a handler for `catch` that returns the fallback if a file does not exist, and rethrows any other error. */
function handleMissing<Fallback>(fallback: () => Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (readErrorCode(error) === 'ENOENT') return fallback();
    throw error;
  };
}

async function readSize(root: string, path: string): Promise<number> {
  return stat(join(root, path)).then(
    ({ size }) => size,
    handleMissing(() => 0),
  );
}

/** Reads a file in chunks, which share one buffer: a chunk is valid only until the next one is requested. */
async function* readChunks(source: FileHandle, onChunk: (bytes: number) => void): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    onChunk(bytesRead);
  }
}
