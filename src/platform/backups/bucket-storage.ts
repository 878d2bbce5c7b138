import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { removeTree } from '@tessera/embedded-postgres';
import type { BucketPlace } from '#platform/archive-config.ts';
import { NAMES, nameBackup, type ArchivedBackup } from './archive.ts';
import type { ArchiveStorage, LogPart } from './archive-storage.ts';
import { BackupError } from './backup-error.ts';
import { PACKED, requireSpace, runOnEach, writeNewFile } from './backup-files.ts';
import { openBucket, page_max, type Bucket, type ListedObject } from './bucket-client.ts';
import { RECORD } from './drill-record.ts';
import { findLog, formatLogEnd, isSegmentOpen, listSegments, LOG_END, OPEN, parseLogEnd } from './log-end.ts';
import { readManifest } from './backup-manifest.ts';

const compress = promisify(gzip);

/** Where a backup is while it is on its way, in the data directory. */
const [OUTGOING, INCOMING] = ['archive-outgoing', 'archive-incoming'];

/**
 * Opens an archive in a storage that speaks S3. Its keys are the paths of an archive in a directory, apart from the open segment of a log: objects cannot
 * grow, so each part of it is one of its own, named by its offset. `log-end.json` is written last, and makes a backup complete.
 */
export function openBucketStorage(place: BucketPlace, dataDir: string): ArchiveStorage {
  const bucket = openBucket(place);
  return {
    name: place.url,
    list: () => listBackups(bucket),
    add: async (bytes, fill) => {
      await removeUnfinished(bucket);
      const draft = join(dataDir, OUTGOING);
      await removeTree(draft);
      await requireSpace(dataDir, bytes, 'for a copy of the database on its way to the archive');
      await mkdir(draft, { mode: 0o700 });
      try {
        const end = await fill(draft);
        const backup = nameBackup(new Date(end.from));
        await upload(bucket, backup, draft);
        await putText(bucket, `${backup}/${LOG_END}`, formatLogEnd(end));
        return { backup, end };
      } finally {
        await removeTree(draft);
      }
    },
    remove: (backup) => removeBackup(bucket, backup),
    writePart: (backup, part) => putPart(bucket, backup, part),
    writeEnd: (backup, end) => putText(bucket, `${backup}/${LOG_END}`, formatLogEnd(end)),
    readRecord: () => readText(bucket, RECORD),
    writeRecord: (text) => putText(bucket, RECORD, text),
    borrow: async (archived, work) => {
      const directory = join(dataDir, INCOMING);
      await removeTree(directory);
      try {
        await download(bucket, archived, directory);
        return await work(directory);
      } finally {
        await removeTree(directory);
      }
    },
    measure: async ({ backup }) =>
      (await listAll(bucket, `${backup}/`)).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Lists complete backups. The names are found by leaping over the objects of each: a backup has thousands. */
async function listBackups(bucket: Bucket): Promise<ArchivedBackup[]> {
  const backups: ArchivedBackup[] = [];
  for (const backup of await listNames(bucket)) {
    const text = await readText(bucket, `${backup}/${LOG_END}`);
    if (text !== undefined) backups.push({ backup, end: parseLogEnd(backup, text) });
  }
  return backups;
}

/** An archive keeps backups of ten years at most, and one that was not completed. */
const names_max = 4_000;

async function listNames(bucket: Bucket): Promise<readonly string[]> {
  const names: string[] = [];
  let after = '';
  while (names.length < names_max) {
    const [first] = await bucket.list('', { limit: 1, ...(after && { after }) });
    if (!first) break;
    const [name = ''] = first.key.split('/');
    if (NAMES.test(name)) names.push(name);
    // The last of the characters that a path in a backup begins with is before it.
    after = `${name}/~`;
  }
  return names;
}

async function listAll(bucket: Bucket, begin: string): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  for (;;) {
    const after = objects.at(-1)?.key;
    const page = await bucket.list(begin, after === undefined ? {} : { after });
    objects.push(...page);
    if (page.length < page_max) return objects;
  }
}

/** Removes the end of the log first: without it, the backup is not complete any longer. */
async function removeBackup(bucket: Bucket, backup: string): Promise<void> {
  await bucket.remove(`${backup}/${LOG_END}`);
  await runOnEach(await listAll(bucket, `${backup}/`), ({ key }) => bucket.remove(key));
}

async function removeUnfinished(bucket: Bucket): Promise<void> {
  const complete = new Set((await listBackups(bucket)).map(({ backup }) => backup));
  for (const name of await listNames(bucket)) if (!complete.has(name)) await removeBackup(bucket, name);
}

async function upload(bucket: Bucket, backup: string, draft: string): Promise<void> {
  const { files } = await readManifest(draft);
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const entries = await readdir(draft, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(draft, join(entry.parentPath, entry.name)));
  await runOnEach(paths, async (path) => {
    const sha256 = hashes.get(path) ?? computeHash(await readFile(join(draft, path)));
    await bucket.put(`${backup}/${path}`, await openAsBlob(join(draft, path)), sha256);
  });
}

/** A complete segment is stored as a whole, so that only the parts of the open one have to be put together. */
async function putPart(
  bucket: Bucket,
  backup: string,
  { segment, offset, packed, complete }: LogPart,
): Promise<void> {
  if (complete === undefined)
    await put(bucket, `${buildPartsKey(backup, segment)}${formatOffset(offset)}${PACKED}`, packed);
  else
    await put(
      bucket,
      `${backup}/log/${segment}${PACKED}`,
      await compress(await readFile(complete), { level: 1 }),
    );
}

function buildPartsKey(backup: string, segment: string): string {
  return `${backup}/log/${segment}/`;
}

/** So that the order of the names is that of the parts. */
function formatOffset(offset: number): string {
  return String(offset).padStart(12, '0');
}

async function download(bucket: Bucket, { backup, end }: ArchivedBackup, directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  await fetchFile(
    bucket,
    { key: `${backup}/manifest.json`, bytes_max: text_bytes_max },
    join(directory, 'manifest.json'),
  );
  const { files } = await readManifest(directory);
  const segments = listSegments(end);
  const open = isSegmentOpen(end) ? segments.pop() : undefined;
  const wanted = [
    ...files,
    ...segments.map((segment) => ({ path: `log/${segment}${PACKED}`, bytes: part_bytes_max })),
  ];
  for (const folder of new Set(wanted.map(({ path }) => dirname(path))))
    await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
  await mkdir(findLog(directory), { recursive: true, mode: 0o700 });
  await runOnEach(wanted, ({ path, bytes }) =>
    fetchFile(bucket, { key: `${backup}/${path}`, bytes_max: bytes }, join(directory, path)),
  );
  if (open !== undefined) {
    const file = join(findLog(directory), `${open}${OPEN}`);
    await writeNewFile(file, readParts(bucket, buildPartsKey(backup, open), end.open_bytes));
  }
}

/** What is missing is found when the backup is read. */
async function fetchFile(
  bucket: Bucket,
  { key, bytes_max }: { readonly key: string; readonly bytes_max: number },
  to: string,
): Promise<void> {
  const chunks = await bucket.get(key, bytes_max);
  if (chunks) await writeNewFile(to, toBuffers(chunks));
}

/** Reads the valid parts of the open segment, one after the other. Each begins where the one before ends. */
async function* readParts(bucket: Bucket, begin: string, bytes: number): AsyncGenerator<Buffer> {
  let offset = 0;
  while (offset < bytes) {
    const key = `${begin}${formatOffset(offset)}${PACKED}`;
    const chunks = await bucket.get(key, part_bytes_max);
    if (!chunks) throw new BackupError(`the archive was altered: ${key} is missing`);
    const part = await readAll(chunks);
    if (part.length === 0) throw new BackupError(`the archive was altered: ${key} is empty`);
    offset += part.length;
    yield part;
  }
}

/** A segment of 16 MB that does not shrink, and what gzip adds. */
const part_bytes_max = 20_000_000;
/** A manifest of a hundred thousand files. */
const text_bytes_max = 20_000_000;

async function readText(bucket: Bucket, key: string): Promise<string | undefined> {
  const chunks = await bucket.get(key, text_bytes_max);
  return chunks && (await readAll(chunks)).toString('utf8');
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of toBuffers(chunks)) parts.push(part);
  return Buffer.concat(parts);
}

async function* toBuffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of chunks)
    yield Buffer.from(buffer, byteOffset, byteLength);
}

async function putText(bucket: Bucket, key: string, text: string): Promise<void> {
  await put(bucket, key, Buffer.from(text));
}

async function put(bucket: Bucket, key: string, content: Buffer): Promise<void> {
  await bucket.put(key, new Blob([new Uint8Array(content)]), computeHash(content));
}

function computeHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
