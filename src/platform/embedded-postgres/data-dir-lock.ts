import { access, constants, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readErrorCode } from './error-details.ts';
import { waitForCondition } from './wait-for-condition.ts';

/** Another live service, or this one, uses the data directory. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUse';
  constructor(dataDir: string, pid: number | undefined) {
    const who = pid === undefined ? 'another process' : `process ${pid}`;
    super(`The data directory ${dataDir} is in use by ${who}.`);
  }
}

export type DataDirLock = { release(): Promise<void> };

const SQLITE_BUSY = 5;
const OWNER_PATIENCE_MS = 1_000;

/** Keeps the connections alive: a collected one would give its lock away. */
const held = new Set<DatabaseSync>();

/**
 * Takes the data directory for this process or throws `DataDirInUseError`. The lock is SQLite's RESERVED lock on an empty database, which
 * is a record lock of the kernel: it ends with the process however that dies, so nothing is ever stale, no pid is compared, and it
 * holds between containers that share a volume but not their pids. SQLite itself keeps two takers in one process apart.
 *
 * It is BEGIN IMMEDIATE, as two that ask for EXCLUSIVE at once can both fail on each other's read lock. Never open `postgres.lock`
 * with `node:fs`: closing any descriptor of a file drops the record locks of the whole process.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const ownerFile = join(dataDir, 'postgres.owner');
  const lockFile = join(dataDir, 'postgres.lock');
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    // SQLite opens a file of another account for reading only, and BEGIN IMMEDIATE then succeeds without a lock.
    await access(lockFile, constants.W_OK);
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new DataDirInUseError(dataDir, await findOwner(ownerFile));
  }
  held.add(database);
  const release = async (): Promise<void> => {
    if (!held.delete(database)) return;
    await rm(ownerFile, { force: true });
    database.close();
  };
  try {
    // A killed service of another account may have left one that we can replace but not write.
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

/** Only for the message. The winner of a race writes its pid just after it has the lock, hence the patience. */
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
