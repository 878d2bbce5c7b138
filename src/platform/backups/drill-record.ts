import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { closedObject } from '#platform/schema.ts';
import { replaceFile } from './backup-files.ts';

const NAME = 'drill.json';

const timeSchema = Type.String({ format: 'date-time', maxLength: 40 });

const recordSchema = closedObject({
  format: Type.Literal(1),
  /** When the drill ended. */
  at: timeSchema,
  /** What was wrong, in one line; null if the archive can be restored. */
  fault: Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]),
  /** The moment that was restored; null if none was. */
  restored_to: Type.Union([timeSchema, Type.Null()]),
  seconds: Type.Number({ minimum: 0 }),
  /** The newest drill that found nothing wrong; null if there was none. */
  succeeded_at: Type.Union([timeSchema, Type.Null()]),
});

/** What a drill found. It is in the archive, so that it is known wherever the archive is. */
export type DrillRecord = Readonly<Static<typeof recordSchema>>;

/** Reads what the newest drill found. @returns null if there was none that can be read. */
export async function readDrillRecord(archive: string): Promise<DrillRecord | null> {
  const text = await readFile(join(archive, NAME), 'utf8').catch(() => 'null');
  try {
    const record: unknown = JSON.parse(text);
    return Value.Check(recordSchema, record) ? record : null;
  } catch {
    return null;
  }
}

/** Records what a drill found. */
export async function writeDrillRecord(
  archive: string,
  { at, ...found }: Pick<DrillRecord, 'at' | 'fault' | 'restored_to' | 'seconds'>,
): Promise<void> {
  const before = await readDrillRecord(archive);
  const succeeded_at = found.fault === null ? at : (before?.succeeded_at ?? null);
  const record: DrillRecord = { format: 1, at, ...found, succeeded_at };
  await replaceFile(join(archive, NAME), `${JSON.stringify(record)}\n`);
}
