import { createHash } from 'node:crypto';
import { constants, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { readErrorCode, syncDirectory } from '@tessera/embedded-postgres';
import { BackupError } from './backup-error.ts';

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

/** The fastest: pages of a database shrink to a quarter with it, and hardly further with more. */
const GZIP_LEVEL = 1;

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
  return readSource(from, (source) => writeNewFile(to, readChunks(source, onChunk)));
}

/** What the name of a compressed file ends with. No file of a cluster ends with it. */
export const PACKED = '.gz';

/** Does the same as {@link copyFile}, and compresses the copy. Size and checksum are those of the compressed file. */
export async function packFile(
  from: string,
  to: string,
  onChunk: (bytes: number) => void,
): Promise<CopyResult | undefined> {
  return readSource(from, (source) =>
    pipeline(
      Readable.from(keepChunks(readChunks(source, onChunk))),
      createGzip({ level: GZIP_LEVEL }),
      (chunks: AsyncIterable<Buffer>) => writeNewFile(to, chunks),
    ),
  );
}

/**
 * Decompresses a file that {@link packFile} wrote, or several such files in a row, into a new file (0600).
 *
 * @param bytes_max How much of the compressed file is valid.
 * @returns the size and checksum of the compressed file; undefined if `from` does not exist.
 * @throws Error for which {@link isDamage} holds if the file is not what was written.
 */
export async function unpackFile(
  from: string,
  to: string,
  onChunk: (bytes: number) => void,
  bytes_max = Infinity,
): Promise<CopyResult | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashChunks(source: FileHandle): AsyncGenerator<Buffer> {
    for await (const chunk of keepChunks(readChunks(source, onChunk, bytes_max))) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return readSource(from, async (source) => {
    await pipeline(Readable.from(hashChunks(source)), createGunzip(), (chunks: AsyncIterable<Buffer>) =>
      writeNewFile(to, chunks),
    );
    return { bytes, sha256: hash.digest('hex') };
  });
}

/** Whether a compressed file could not be decompressed. */
export function isDamage(error: unknown): boolean {
  return String(readErrorCode(error)).startsWith('Z_');
}

/** Replaces a file, or creates it, so that a crash leaves either the old content or the new one, on the disk. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeNewFile(draft, [Buffer.from(content)]);
  await rename(draft, path);
  await syncDirectory(dirname(path));
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

/** What the service needs at least for itself. */
const reserve_bytes = 1_000_000_000;

/**
 * Requires that files of a size fit beside the database, so that it never stops for want of space.
 *
 * @param purpose Completes "has too little space".
 * @throws BackupError in one line if they do not.
 */
export async function requireSpace(dataDir: string, bytes: number, purpose: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const missing = bytes + reserve_bytes - bavail * bsize;
  if (missing > 0)
    throw new BackupError(
      `${dataDir} has too little space ${purpose}: ${Math.ceil(missing / 1_000_000)} MB are missing`,
    );
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

/** Opens a file for `work`. @returns undefined if it does not exist. */
async function readSource<Result>(
  path: string,
  work: (source: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  // Otherwise a link that the database's account puts there would make root copy any file of the machine.
  const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    handleMissing(() => undefined),
  );
  if (!source) return undefined;
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

/** Reads a file in chunks, which share one buffer: a chunk is valid only until the next one is requested. */
async function* readChunks(
  source: FileHandle,
  onChunk: (bytes: number) => void,
  bytes_max = Infinity,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let left = bytes_max; left > 0;) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, left));
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield buffer.subarray(0, bytesRead);
    onChunk(bytesRead);
  }
}

/** Copies each chunk, for streams, which read ahead. */
async function* keepChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
