import { createHash } from 'node:crypto';
import { lchown, mkdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canReach } from './account.ts';
import type { Account } from './account.ts';
import { readErrorMessage } from './error-details.ts';

/** The number in the file name of the socket. The server opens no TCP port. */
export const SOCKET_PORT = 5432;

const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;

/** `sun_path` has 104 bytes on macOS and 108 on Linux, including the final zero. */
const LONGEST_SOCKET_PATH = 103;

/**
 * Creates a directory for the socket, which only `account` and root may enter (0700). This is the only access control, because the server
 * trusts every connection to its socket; these two accounts could read its files anyway. The directory is in the data directory, or in the
 * directory for temporary files if that path is too long for a socket or closed to `account`.
 */
export async function makeSocketDirectory(name: string, dataDir: string, account: Account): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const candidates = [
    join(dataDir, 'postgres.socket'),
    ...[tmpdir(), '/tmp'].map((base) => join(base, `${name}-${hash}`)),
  ];
  const reasons: string[] = [];
  for (const directory of candidates) {
    if (Buffer.byteLength(join(directory, SOCKET_NAME)) > LONGEST_SOCKET_PATH) continue;
    if (!(await canReach(account, dirname(directory)))) continue;
    try {
      await recreateDirectory(directory, account);
      return directory;
    } catch (error) {
      reasons.push(readErrorMessage(error));
    }
  }
  throw new Error(`No directory is suitable for the database's socket. ${reasons.join('; ')}`);
}

/** Removes a directory that `makeSocketDirectory` created. It deletes two names without recursion, so that root follows no foreign links. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) {
    await unlink(join(directory, name)).catch(() => undefined);
  }
  await rmdir(directory).catch(() => undefined);
}

/** Never reuses a directory: in a directory that any account may write to, an existing one could belong to an attacker. */
async function recreateDirectory(directory: string, account: Account): Promise<void> {
  await removeSocketDirectory(directory);
  await mkdir(directory, { mode: 0o700 });
  if (!account.isOurs) await lchown(directory, account.uid, account.gid);
}
