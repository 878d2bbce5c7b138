import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { syncDirectory } from '@tessera/embedded-postgres';
import { PACKED } from './backup-files.ts';
import { findLog, nameSegment, type LogEnd } from './log-end.ts';

const compress = promisify(gzip);

/** What the name of a segment ends with that is not complete. */
export const OPEN = '.open.gz';

/**
 * Copies the log of the cluster up to `until` behind what the archive has of it. Each call compresses what is new and appends it to the file of its segment:
 * an idle service archives kilobytes, where switching segments would archive 16 MB each time.
 *
 * @returns the new end, which the caller records when it knows that the server kept the log meanwhile.
 */
export async function appendLog(
  { cluster, backup }: { readonly cluster: string; readonly backup: string },
  end: LogEnd,
  until: bigint,
): Promise<LogEnd> {
  const segment_bytes = BigInt(end.segment_bytes);
  let [position, open_bytes] = [BigInt(end.position), end.open_bytes];
  while (position < until) {
    const name = nameSegment(end, position);
    const segmentEnd = (position / segment_bytes + 1n) * segment_bytes;
    const next = until < segmentEnd ? until : segmentEnd;
    const offset = Number(position % segment_bytes);
    const content = await readPart(join(cluster, 'pg_wal', name), offset, Number(next - position));
    const packed = await compress(content, { level: 1 });
    const file = join(findLog(backup), name);
    await writePart(`${file}${OPEN}`, open_bytes, packed);
    open_bytes += packed.length;
    if (next === segmentEnd) {
      await rename(`${file}${OPEN}`, `${file}${PACKED}`);
      open_bytes = 0;
    }
    position = next;
  }
  await syncDirectory(findLog(backup));
  return { ...end, position: String(position), open_bytes };
}

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

/** Writes at the place where the valid part of the file ends, because an attempt that failed may have left something there. */
async function writePart(path: string, offset: number, content: Buffer): Promise<void> {
  const file = await open(path, offset === 0 ? 'w' : 'r+', 0o600);
  try {
    await file.truncate(offset);
    await file.write(content, 0, content.length, offset);
    await file.sync();
  } finally {
    await file.close();
  }
}
