import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { readErrorCode } from '@tessera/embedded-postgres';
import { closedObject } from '#platform/schema.ts';
import { BackupError } from './backup-error.ts';
import { replaceFile } from './backup-files.ts';

/** The name of the file that says how far the log of a backup goes. */
export const LOG_END = 'log-end.json';

const positionSchema = Type.String({ pattern: '^\\d{1,20}$' });
const timeSchema = Type.String({ format: 'date-time', maxLength: 40 });

const logEndSchema = closedObject({
  format: Type.Literal(1),
  /** Of PostgreSQL: which cluster wrote the log. */
  system_identifier: positionSchema,
  timeline: Type.Integer({ minimum: 1 }),
  segment_bytes: Type.Integer({ minimum: 1 }),
  /** Where the log that the backup itself contains ends, in bytes from the beginning of the log. */
  start: positionSchema,
  /** How far the archived log goes. */
  position: positionSchema,
  /** The size of the compressed file of the last segment, which is not complete; 0 if it does not exist. What follows is not valid. */
  open_bytes: Type.Integer({ minimum: 0 }),
  /** The first moment to which the backup can be restored. */
  from: timeSchema,
  /** Everything that was acknowledged before this moment is in the archived log. */
  to: timeSchema,
});

/** What the name of a segment ends with that is not complete. */
export const OPEN = '.open.gz';

/** How far the log goes that continues a backup. */
export type LogEnd = Readonly<Static<typeof logEndSchema>>;

/** The path of the log that continues a backup. */
export function findLog(backup: string): string {
  return join(backup, 'log');
}

/** Reads how far the log of a backup goes. @returns undefined if the backup has no log. @throws BackupError if it cannot be understood. */
export async function readLogEnd(backup: string): Promise<LogEnd | undefined> {
  const text = await readFile(join(backup, LOG_END), 'utf8').catch((error: unknown) => {
    if (readErrorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  return text === undefined ? undefined : parseLogEnd(backup, text);
}

/** Parses what {@link formatLogEnd} wrote. @throws BackupError if it cannot be understood. */
export function parseLogEnd(backup: string, text: string): LogEnd {
  const end = parseJson(text);
  if (!Value.Check(logEndSchema, end))
    throw new BackupError(`${backup} was altered: ${LOG_END} is not valid`);
  return end;
}

/** The content of the file. */
export function formatLogEnd(end: LogEnd): string {
  return `${JSON.stringify(end)}\n`;
}

/** Records how far the log goes, after its content is on the disk. */
export async function writeLogEnd(backup: string, end: LogEnd): Promise<void> {
  await replaceFile(join(backup, LOG_END), formatLogEnd(end));
}

/** Computes the name of the segment that contains a position: timeline, and the number in two parts, in hexadecimal digits. */
export function nameSegment({ timeline, segment_bytes }: LogEnd, position: bigint): string {
  const segment = position / BigInt(segment_bytes);
  const per_part = 0x1_0000_0000n / BigInt(segment_bytes);
  return [BigInt(timeline), segment / per_part, segment % per_part]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

/** Lists the segments of the log from its start to its end. The last one may be incomplete. */
export function listSegments(end: LogEnd): string[] {
  const names: string[] = [];
  for (let at = BigInt(end.start); at < BigInt(end.position); at += BigInt(end.segment_bytes))
    names.push(nameSegment(end, at));
  return names;
}

/** Whether the last segment is incomplete. */
export function isSegmentOpen({ position, segment_bytes }: LogEnd): boolean {
  return BigInt(position) % BigInt(segment_bytes) !== 0n;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
