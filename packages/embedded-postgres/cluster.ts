import { execFile } from 'node:child_process';
import { lchown, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { canReach, toSpawnOptions } from './account.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { readErrorCode, readErrorMessage } from './error-details.ts';

const run = promisify(execFile);

/**
 * The environment of the database's processes. It has nothing of the service's own, which contains secrets, and whose PG* or LD_* variables
 * would affect them.
 */
export const ENVIRONMENT = { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/bin:/bin' };

const UNFINISHED = 'postgres.new-';

/** Creates the data directory if it is absent, and returns its real path. The database's account may traverse it, but not list it. */
export async function makeDataDir(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: process.getuid!() === 0 ? 0o711 : 0o700 });
  return realpath(dataDir);
}

/** Checks whether the directory contains a cluster. */
export async function hasCluster(cluster: string): Promise<boolean> {
  return stat(join(cluster, 'PG_VERSION')).then(
    () => true,
    (error: unknown) => {
      if (readErrorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** The data directory cannot be used. The message is one line that says what to do. */
export class DataDirError extends Error {}

/** Describes a failed start whose cause is the data directory itself: it is a file, its disk is full or read-only, or it is closed to this account. */
export async function describeDataDirFault(
  dataDir: string,
  error: unknown,
): Promise<DataDirError | undefined> {
  const messages = [error, error instanceof Error ? error.cause : undefined].map(readErrorMessage).join('\n');
  if (await isBelowFile(dataDir))
    return new DataDirError(
      `the data directory ${dataDir} is a file or is below one: choose another directory`,
    );
  if (/no space left on device|ENOSPC|database or disk is full|check free disk space/i.test(messages))
    return new DataDirError(
      `the disk of the data directory ${dataDir} is full: free some space, then start again`,
    );
  if (/EROFS|read-only file system/i.test(messages))
    return new DataDirError(`the disk of the data directory ${dataDir} is read-only`);
  if (/^(?:EACCES|EPERM)\b|unable to open database file|readonly database/m.test(messages))
    return new DataDirError(
      `the data directory ${dataDir} cannot be written by this account (uid ${process.getuid!()}): ${readErrorMessage(error)}`,
    );
  return undefined;
}

/** Checks whether the path, or the part of it that exists, is a file. */
async function isBelowFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch (error) {
    if (readErrorCode(error) === 'ENOTDIR') return true;
    return path !== dirname(path) && isBelowFile(dirname(path));
  }
}

/** The major version of the embedded PostgreSQL. A server reads only clusters of its own major version. */
const EMBEDDED_MAJOR = '18';

/** @throws DataDirError if another major version of PostgreSQL created the cluster. */
export async function requireKnownMajor(cluster: string): Promise<void> {
  const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (major === EMBEDDED_MAJOR) return;
  throw new DataDirError(
    `the database in ${cluster} belongs to PostgreSQL ${major}, but this version of the service runs PostgreSQL ${EMBEDDED_MAJOR}: ` +
      'docs/upgrading.md describes how to move it',
  );
}

type NewCluster = {
  readonly superuser: string;
  readonly dataDir: string;
  readonly cluster: string;
  readonly account: Account;
  readonly binaries: Binaries;
  readonly onLaunch: () => void;
};

/**
 * Creates a cluster with checksums (the default of version 18), UTF-8, and the built-in C.UTF-8 collation, which sorts by code points on
 * every machine and with every C library. initdb works in a separate directory, which is renamed once it is complete and synced, so that
 * an interrupted start leaves nothing that looks like a cluster.
 */
export async function createCluster({
  superuser,
  dataDir,
  cluster,
  account,
  binaries,
  onLaunch,
}: NewCluster): Promise<void> {
  const fresh = await makeUnfinishedCluster(dataDir);
  try {
    if (!account.isOurs) await lchown(fresh, account.uid, account.gid);
    const creating = run(
      binaries.initdb,
      buildInitdbArguments(superuser, await findReachablePath(account, fresh)),
      {
        ...toSpawnOptions(account),
        cwd: fresh,
        env: ENVIRONMENT,
      },
    );
    onLaunch();
    await creating;
    await rename(fresh, cluster);
    await syncDirectory(dataDir);
  } catch (error) {
    await removeTree(fresh);
    throw new Error(`The database could not be created in ${cluster}: ${readErrorMessage(error)}`, {
      cause: error,
    });
  }
}

/** Creates a directory (0700). The next start removes it if this process neither renames nor removes it. */
export function makeUnfinishedCluster(dataDir: string): Promise<string> {
  return mkdtemp(join(dataDir, UNFINISHED));
}

/** Removes the directories of interrupted starts and restores. Call it with the data directory locked. */
export async function removeUnfinishedClusters(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) await removeTree(join(dataDir, name));
  }
}

/**
 * Returns a path by which `account` can reach `directory` from a process that starts in it. If a parent directory is closed (root's home is
 * 0700), no absolute path works, but on Linux the working directory of a process stays accessible as `/proc/self/cwd`. So the data can
 * stay where the operator wants it.
 */
export async function findReachablePath(account: Account, directory: string): Promise<string> {
  if (await canReach(account, directory)) return directory;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new DataDirError(
    `The account with uid ${account.uid}, which runs the database, cannot enter ${directory}. Choose another ` +
      'data directory, or run the service as an ordinary user.',
  );
}

function buildInitdbArguments(superuser: string, path: string): string[] {
  return [
    `--pgdata=${path}`,
    `--username=${superuser}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ];
}

/** Syncs a directory, so that the names in it survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes a directory with the system's `rm`, which never follows a link that the database's account puts there. `fs.rm` works by path and
 * could.
 */
export async function removeTree(directory: string): Promise<void> {
  await run('rm', ['-rf', '--', directory]).catch(() => undefined);
}
