import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ArchiveStorage } from './archive-storage.ts';
import { nameSegment, type LogEnd } from './log-end.ts';

const compress = promisify(gzip);

/**
 * Copies the log of the cluster up to `until` behind what the archive has of it. Each call compresses what is new and appends it to what is stored of its
 * segment: an idle service archives kilobytes, where switching segments would archive 16 MB each time.
 *
 * @returns the new end, which the caller records when it knows that the server kept the log meanwhile.
 */
export async function appendLog(
  { cluster, backup, storage }: AppendOptions,
  end: LogEnd,
  until: bigint,
): Promise<LogEnd> {
  const segment_bytes = BigInt(end.segment_bytes);
  let [position, open_bytes] = [BigInt(end.position), end.open_bytes];
  while (position < until) {
    const segment = nameSegment(end, position);
    const file = join(cluster, 'pg_wal', segment);
    const segmentEnd = (position / segment_bytes + 1n) * segment_bytes;
    const next = until < segmentEnd ? until : segmentEnd;
    const offset = Number(position % segment_bytes);
    const content = await readPart(file, offset, Number(next - position));
    const packed = await compress(content, { level: 1 });
    const isComplete = next === segmentEnd;
    const part = { segment, offset: open_bytes, packed };
    await storage.writePart(backup, isComplete ? { ...part, complete: file } : part);
    open_bytes = isComplete ? 0 : open_bytes + packed.length;
    position = next;
  }
  return { ...end, position: String(position), open_bytes };
}

type AppendOptions = {
  readonly cluster: string;
  readonly backup: string;
  readonly storage: ArchiveStorage;
};

async function readPart(path: string, offset: number, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(buffer, 0, bytes, offset);
    if (bytesRead < bytes) throw new Error(`${path} is shorter than the log`);
    return buffer;
  } finally {
    await file.close();
  }
}
