import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { syncDirectory } from './cluster.ts';
import { readErrorCode } from './error-details.ts';

/** The only format so far. A later one that this code cannot read gets the next number. */
const FORMAT = 1;

const NAME = 'manifest.json';

/** Below `postgres/`, or the key itself. No part is `.` or `..`: root restores, and a name must not lead out of the data directory. */
const pathSchema = Type.String({
  pattern: '^(?:master\\.key|postgres(?:/(?!\\.{1,2}(?:/|$))[^/\\0]+)*)$',
  maxLength: 4_096,
});

const textSchema = Type.String({ maxLength: 200 });

const fileSchema = Type.Object(
  {
    path: pathSchema,
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
);

const manifestSchema = Type.Object(
  {
    format: Type.Literal(FORMAT),
    created_at: textSchema,
    tessera_version: textSchema,
    postgres_version: textSchema,
    migrations: Type.Array(textSchema),
    directories: Type.Array(pathSchema),
    files: Type.Array(fileSchema),
  },
  { additionalProperties: false },
);

/** A file of a backup: its path from the backup's root, with slashes, and what was copied. */
export type BackedUpFile = Readonly<Static<typeof fileSchema>>;

/** What a backup holds, and what it was made with. Directories come before what is in them. */
export type BackupManifest = Readonly<Static<typeof manifestSchema>>;

/** The directory holds no complete backup, or not the one that was made: one clear line for the operator. */
export class BackupError extends Error {}

/** Makes a directory of copied files a backup. Call it last: one that was interrupted has no manifest. */
export async function writeManifest(backup: string, content: Omit<BackupManifest, 'format'>): Promise<void> {
  const manifest: BackupManifest = { format: FORMAT, ...content };
  const text = JSON.stringify({ ...manifest, checksum: computeChecksum(manifest) }, null, 1);
  const draft = join(backup, `${NAME}.new`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, join(backup, NAME));
  await syncDirectory(backup);
}

/**
 * Reads the manifest of a backup, and checks it, not the files.
 *
 * @throws BackupRefused when there is none, it was altered, or a newer version wrote it.
 */
export async function readManifest(backup: string): Promise<BackupManifest> {
  const { checksum, ...manifest } = await parseManifest(backup);
  if (Number(manifest['format']) > FORMAT) {
    throw new BackupError(`${backup} was made by a newer version of Tessera: restore it with that one`);
  }
  if (!Value.Check(manifestSchema, manifest) || checksum !== computeChecksum(manifest)) {
    throw new BackupError(`${backup} was altered: ${NAME} is not what the backup wrote`);
  }
  return manifest;
}

async function parseManifest(backup: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(backup, NAME), 'utf8').catch((error: unknown) => {
    if (readErrorCode(error) !== 'ENOENT') throw error;
    throw new BackupError(`${backup} holds no complete backup: it has no ${NAME}`);
  });
  try {
    const value: unknown = JSON.parse(text);
    return { ...(value as object) };
  } catch {
    throw new BackupError(`${backup} was altered: ${NAME} is not JSON`);
  }
}

/** Of the content, not of the text: how the file is indented does not matter, every value does. */
function computeChecksum(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
