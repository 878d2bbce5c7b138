import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '@tessera/embedded-postgres';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { closedObject } from '#platform/schema.ts';
import { BackupError } from './backup-error.ts';
import { replaceFile } from './backup-files.ts';

/** Format 2 has compressed files, which end with `.gz`. A later format that this code cannot read gets the next number. */
const FORMAT = 2;

const NAME = 'manifest.json';

/** A path below `postgres/`, or the key. No part may be `.` or `..`, because root restores, and a path must not leave the data directory. */
const pathSchema = Type.String({
  pattern: '^(?:master\\.key|postgres(?:/(?!\\.{1,2}(?:/|$))[^/\\0]+)*)$',
  maxLength: 4_096,
});

const textSchema = Type.String({ maxLength: 200 });

const fileSchema = closedObject({
  path: pathSchema,
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const manifestSchema = closedObject({
  format: Type.Union([Type.Literal(1), Type.Literal(FORMAT)]),
  created_at: textSchema,
  tessera_version: textSchema,
  postgres_version: textSchema,
  migrations: Type.Array(textSchema),
  directories: Type.Array(pathSchema),
  files: Type.Array(fileSchema),
});

/** A file of a backup: its path from the backup's root, with slashes, its size and its checksum. */
export type BackedUpFile = Readonly<Static<typeof fileSchema>>;

/** The content of a backup, and the versions that made it. Directories are listed before their content. */
export type BackupManifest = Readonly<Static<typeof manifestSchema>>;

/** Writes the manifest, which completes a backup. Call it last, so that an interrupted backup has no manifest. */
export async function writeManifest(backup: string, content: Omit<BackupManifest, 'format'>): Promise<void> {
  const manifest: BackupManifest = { format: FORMAT, ...content };
  const text = JSON.stringify({ ...manifest, checksum: computeChecksum(manifest) }, null, 1);
  await replaceFile(join(backup, NAME), `${text}\n`);
}

/**
 * Reads and checks the manifest of a backup, but not the files.
 *
 * @throws BackupError if the manifest is missing or altered, or a newer version wrote it.
 */
export async function readManifest(backup: string): Promise<BackupManifest> {
  const { checksum, ...manifest } = await parseManifest(backup);
  if (Number(manifest['format']) > FORMAT) {
    throw new BackupError(`${backup} was made by a newer version of Tessera: restore it with that version`);
  }
  if (!Value.Check(manifestSchema, manifest) || checksum !== computeChecksum(manifest)) {
    throw new BackupError(`${backup} was altered: ${NAME} has changed since the backup`);
  }
  return manifest;
}

async function parseManifest(backup: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(backup, NAME), 'utf8').catch((error: unknown) => {
    if (readErrorCode(error) !== 'ENOENT') throw error;
    throw new BackupError(`${backup} contains no complete backup: it has no ${NAME}`);
  });
  try {
    const value: unknown = JSON.parse(text);
    return { ...(value as object) };
  } catch {
    throw new BackupError(`${backup} was altered: ${NAME} is not JSON`);
  }
}

/** Computes the checksum of the content, not of the text, so that the indentation of the file does not matter. */
function computeChecksum(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
