import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { closedObject } from '#platform/schema.ts';
import type { ArchiveStorage } from './archive-storage.ts';

/** The name of the file in an archive that says what the newest drill found. */
export const RECORD = 'drill.json';

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
export async function readDrillRecord(storage: ArchiveStorage): Promise<DrillRecord | null> {
  try {
    const text = (await storage.readRecord()) ?? 'null';
    const record: unknown = JSON.parse(text);
    return Value.Check(recordSchema, record) ? record : null;
  } catch {
    return null;
  }
}

/** Records what a drill found. */
export async function writeDrillRecord(
  storage: ArchiveStorage,
  { at, ...found }: Pick<DrillRecord, 'at' | 'fault' | 'restored_to' | 'seconds'>,
): Promise<void> {
  const before = await readDrillRecord(storage);
  const succeeded_at = found.fault === null ? at : (before?.succeeded_at ?? null);
  const record: DrillRecord = { format: 1, at, ...found, succeeded_at };
  await storage.writeRecord(`${JSON.stringify(record)}\n`);
}
