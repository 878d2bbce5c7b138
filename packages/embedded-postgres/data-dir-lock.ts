import { access, constants, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readErrorCode } from './error-details.ts';
import { waitForCondition } from './wait-for-condition.ts';

/** The data directory is in use by a running service, which may be this one. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUse';
  constructor(dataDir: string, pid: number | undefined) {
    const owner = pid === undefined ? 'another process' : `process ${pid}`;
    super(`The data directory ${dataDir} is in use by ${owner}.`);
  }
}

export type DataDirLock = { release(): Promise<void> };

const SQLITE_BUSY = 5;
const OWNER_PATIENCE_MS = 1_000;

/** References to the open connections, because a garbage-collected connection would release its lock. */
const lockedDatabases = new Set<DatabaseSync>();

/**
 * Locks the data directory for this process, or throws `DataDirInUseError`. The lock is SQLite's RESERVED lock on an empty database, which
 * is a record lock of the kernel. It ends with the process in any case, so it never becomes stale and no pid is compared, and it also works
 * between containers that share a volume but not their pids. Within one process, SQLite separates the connections itself.
 *
 * The statement is BEGIN IMMEDIATE, because two processes that request EXCLUSIVE at once can both fail on each other's read lock. Never open
 * `postgres.lock` with `node:fs`: closing any descriptor of a file drops the record locks of the whole process.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const ownerFile = join(dataDir, 'postgres.owner');
  const lockFile = join(dataDir, 'postgres.lock');
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    // SQLite would open a file of another account read-only, and BEGIN IMMEDIATE would then succeed without a lock.
    await access(lockFile, constants.W_OK);
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new DataDirInUseError(dataDir, await findOwner(ownerFile));
  }
  lockedDatabases.add(database);
  const release = async (): Promise<void> => {
    if (!lockedDatabases.delete(database)) return;
    await rm(ownerFile, { force: true });
    database.close();
  };
  try {
    // A killed service of another account may have left a file that this process can replace but not write.
    await rm(ownerFile, { force: true });
    await writeFile(ownerFile, `${process.pid}\n`, { flag: 'wx' });
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/** Reads the pid of the owner for the error message. It waits, because the owner writes its pid shortly after it has the lock. */
async function findOwner(ownerFile: string): Promise<number | undefined> {
  let owner: number | undefined;
  await waitForCondition(async () => {
    const pid = Number(await readFile(ownerFile, 'utf8').catch(() => '0'));
    if (pid > 0 && isAlive(pid)) owner = pid;
    return owner !== undefined;
  }, OWNER_PATIENCE_MS);
  return owner;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) === 'EPERM';
  }
}
