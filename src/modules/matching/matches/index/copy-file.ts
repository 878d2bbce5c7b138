import { createHash, randomUUID, type Hash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { IndexShard } from '#lib/concurrency/index-shard.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import {
  type Population,
  appendChunk,
  computeChunkBytes,
  copyChunk,
  countMembers,
  createPopulation,
  largestPopulation,
  listChunkSizes,
} from '#modules/matching/engine';

/*
 * The file of a copy: a header, which is one line of JSON, then chunks of members, then the SHA-256 of all bytes before it. Numbers are in
 * the order of bytes of the processor, which is little-endian on every platform that Node supports for this service.
 */

const headerSchema = closedObject({
  id: uuid,
  version: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Pairs of node and mark, as in the change log. */
  marks: Type.Array(
    Type.Tuple([Type.String({ pattern: '^-?[0-9]{1,20}$' }), Type.String({ pattern: '^[0-9]{1,20}$' })]),
    { maxItems: 10_000 },
  ),
  members: Type.Integer({ minimum: 0, maximum: largestPopulation }),
  /** Null if there are no members. */
  least_sd: Type.Union([Type.Number(), Type.Null()]),
});

/** What a copy is of. */
export type CopyHeader = Readonly<Static<typeof headerSchema>>;

/** The copy cannot be used. The message completes "the copy of the match index cannot be used: …". */
export class CopyError extends Error {}

const name = 'match-index';
const header_bytes_max = 1_048_576;
const checksum_bytes = 32;
/** A draft that is older than this was left by a process that was killed. */
const draft_age_max_ms = 3_600_000;

/** The directory of a copy, and the part of the index that it is of; undefined for the whole. */
export type CopyPlace = { readonly directory: string; readonly part: IndexShard | undefined };

export function locateCopy({ directory, part }: CopyPlace): string {
  return path.join(directory, part ? `${name}-${part.shard}-of-${part.shards}` : name);
}

/** A copy that was written completely, and is not in its place yet. */
export type CopyDraft = {
  /** Puts the draft in the place of the previous copy, so that one of them is there whatever happens. */
  publish(): Promise<void>;
};

/** Writes a copy of a population, which must not change meanwhile, into a file that only the service's user can read. */
export async function writeDraft(
  place: CopyPlace,
  header: Omit<CopyHeader, 'members' | 'least_sd'>,
  population: Population,
  now: Date,
): Promise<CopyDraft> {
  const { directory } = place;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeOldDrafts(directory, now);
  const draft = path.join(directory, `${name}.${randomUUID()}.new`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await writeContent(handle, header, population);
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
  const publish = async () => {
    try {
      await syncAndClose(handle);
      await rename(draft, locateCopy(place));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncAndClose(await open(directory, 'r'));
  };
  return { publish };
}

async function writeContent(
  handle: FileHandle,
  header: Omit<CopyHeader, 'members' | 'least_sd'>,
  population: Population,
): Promise<void> {
  const members = countMembers(population);
  const hash = createHash('sha256');
  const append = async (bytes: Uint8Array) => {
    hash.update(bytes);
    await handle.writeFile(bytes);
  };
  const complete: CopyHeader = {
    ...header,
    members,
    least_sd: population.leastSd === Infinity ? null : population.leastSd,
  };
  await append(Buffer.from(`${JSON.stringify(complete)}\n`));
  for (const chunk of listChunkSizes(members).keys()) await append(copyChunk(population, chunk));
  await handle.writeFile(hash.digest());
}

async function removeOldDrafts(directory: string, now: Date): Promise<void> {
  const drafts = (await readdir(directory)).filter((file) => /^match-index\.[0-9a-f-]{36}\.new$/.test(file));
  for (const draft of drafts) {
    const file = path.join(directory, draft);
    // Another process may have removed or renamed it.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < now.getTime() - draft_age_max_ms) await rm(file, { force: true });
  }
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** An opened copy, whose header is in order. The content is read only if it is wanted. */
export type OpenedCopy = {
  readonly header: CopyHeader;
  /** @throws CopyError if the content is damaged. */
  readPopulation(threads: number, signal: AbortSignal): Promise<Population>;
} & AsyncDisposable;

/** Opens the copy in a directory; undefined if there is none. @throws CopyError if it is damaged. */
export async function openCopy(place: CopyPlace): Promise<OpenedCopy | undefined> {
  const handle = await open(locateCopy(place), 'r').catch((error: unknown) => {
    if (readCode(error) === 'ENOENT') return undefined;
    return refuseUnreadable(error);
  });
  if (!handle) return undefined;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => handle.close());
  const { header, bytes } = await readHeader(handle);
  const resources = opened.move();
  return {
    header,
    readPopulation: (threads, signal) => readContent(handle, header, bytes, threads, signal),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function readCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function refuseUnreadable(error: unknown): never {
  throw new CopyError(`it cannot be read (${readCode(error)})`, { cause: error });
}

async function readHeader(handle: FileHandle): Promise<{ header: CopyHeader; bytes: Buffer }> {
  const start = Buffer.alloc(header_bytes_max);
  const { bytesRead } = await handle.read(start, 0, header_bytes_max, 0).catch(refuseUnreadable);
  const end = start.subarray(0, bytesRead).indexOf('\n') + 1;
  const header = parseHeader(start.toString('utf8', 0, end));
  const body = listChunkSizes(header.members).reduce((sum, members) => sum + computeChunkBytes(members), 0);
  if ((await handle.stat()).size !== end + body + checksum_bytes) throw new CopyError('it is damaged');
  return { header, bytes: start.subarray(0, end) };
}

function parseHeader(text: string): CopyHeader {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw new CopyError('it is damaged');
  }
  if (!Value.Check(headerSchema, header)) throw new CopyError('it is damaged');
  return header;
}

async function readContent(
  handle: FileHandle,
  { members: total, least_sd }: CopyHeader,
  header: Buffer,
  threads: number,
  signal: AbortSignal,
): Promise<Population> {
  const population = createPopulation({ threads });
  const hash = createHash('sha256').update(header);
  let offset = header.length;
  for (const members of listChunkSizes(total)) {
    signal.throwIfAborted();
    const bytes = await readBytes(handle, offset, computeChunkBytes(members));
    hash.update(bytes);
    appendChunk(population, bytes, members);
    offset += bytes.length;
  }
  await checkContent(handle, offset, hash);
  population.leastSd = least_sd ?? Infinity;
  return population;
}

async function checkContent(handle: FileHandle, offset: number, hash: Hash): Promise<void> {
  const checksum = await readBytes(handle, offset, checksum_bytes);
  if (!hash.digest().equals(checksum)) throw new CopyError('it is damaged');
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle
      .read(bytes, read, length - read, position + read)
      .catch(refuseUnreadable);
    if (bytesRead === 0) throw new CopyError('it is damaged');
    read += bytesRead;
  }
  return bytes;
}
