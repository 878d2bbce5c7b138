import { chmod, lchown, link, lstat, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chooseAccount,
  findBinaries,
  lockDataDir,
  makeDataDir,
  makeUnfinishedCluster,
  readErrorCode,
  readErrorMessage,
  removeTree,
  removeUnfinishedClusters,
  startPostgres,
  syncDirectory,
  type Account,
  type EmbeddedPostgres,
} from '@tessera/embedded-postgres';
import { service_name } from '#platform/database/embedded-postgres.ts';
import { copyFile, isDamage, PACKED, runOnEach, unpackFile, writeNewFile } from './backup-files.ts';
import type { ReportProgress } from './backup-files.ts';
import type { RestorePoint } from './archive.ts';
import { BackupError } from './backup-error.ts';
import type { BackedUpFile, BackupManifest } from './backup-manifest.ts';
import type { LogEnd } from './log-end.ts';
import { unpackLog } from './unpack-log.ts';

export type RestoreOptions<Proof> = {
  /** Created if it is absent. It must not contain a cluster. */
  readonly dataDir: string;
  readonly point: RestorePoint;
  readonly manifest: BackupManifest;
  readonly reportProgress: ReportProgress;
  /** Reads from the restored database, which runs meanwhile, before it is moved to its place from `fresh`. */
  readonly prove: (connection: EmbeddedPostgres['connection'], fresh: string) => Promise<Proof>;
};

const KEY = 'master.key';

/**
 * Restores a backup's cluster and master key into `dataDir`. They are copied into a temporary directory there and compared with the manifest,
 * and the server recovers and is read from. Only then are they moved to their place. A restore that is refused, fails or is killed leaves no
 * cluster, and the next start or restore removes its copies.
 *
 * @throws BackupError if the backup does not match its manifest, or `dataDir` already has a database or another master key.
 * @throws DataDirInUseError while a service uses `dataDir`.
 */
export async function restoreCluster<Proof>(options: RestoreOptions<Proof>): Promise<Proof> {
  await checkComplete(options.point.backup, options.manifest.files);
  const dataDir = await makeDataDir(options.dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    await checkTargetIsFree(dataDir, options.point.backup);
    await removeUnfinishedClusters(dataDir);
    const fresh = await makeUnfinishedCluster(dataDir);
    try {
      return await restoreInto(fresh, dataDir, options);
    } finally {
      await removeTree(fresh);
    }
  } finally {
    await lock.release();
  }
}

async function restoreInto<Proof>(
  fresh: string,
  dataDir: string,
  { point, manifest, reportProgress, prove }: RestoreOptions<Proof>,
): Promise<Proof> {
  const files = await copyBackup(point.backup, manifest, fresh, reportProgress);
  const additions = point.end ? await prepareRecovery(point.backup, point.end, fresh) : [];
  await changeOwner(fresh, dataDir, [...files, ...additions], manifest.directories);
  const proof = await recoverAndProve(fresh, dataDir, point, prove);
  await moveIntoPlace(fresh, dataDir);
  return proof;
}

/** Checks all sizes first, so that a missing file is reported at once and not after an hour of copying. */
async function checkComplete(backup: string, files: readonly BackedUpFile[]): Promise<void> {
  await runOnEach(files, async ({ path, bytes }) => {
    const status = await stat(join(backup, path)).catch(() => undefined);
    if (!status) throw new BackupError(`${backup} was altered: ${path} is missing`);
    if (status.size !== bytes) throw new BackupError(`${backup} was altered: ${path} has another size`);
  });
}

async function checkTargetIsFree(dataDir: string, backup: string): Promise<void> {
  const cluster = await lstat(join(dataDir, 'postgres')).catch(() => undefined);
  if (cluster)
    throw new BackupError(
      `${dataDir} already has a database, and nothing is overwritten: choose another directory`,
    );
  const [present, saved] = await Promise.all(
    [dataDir, backup].map((directory) => readFileIfPresent(join(directory, KEY))),
  );
  if (present && saved && !present.equals(saved)) {
    throw new BackupError(
      `${dataDir} already has another master.key, and nothing is overwritten: choose another directory`,
    );
  }
}

async function readFileIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/**
 * Compares the checksum of each file while it copies it, so that a file cannot change between the check and the copy.
 *
 * @returns the paths of the copies.
 */
async function copyBackup(
  backup: string,
  { directories, files }: BackupManifest,
  fresh: string,
  reportProgress: ReportProgress,
): Promise<string[]> {
  for (const path of directories) await mkdir(join(fresh, path), { mode: 0o700 });
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const count = (bytes: number): void => reportProgress((done += bytes), total);
  await runOnEach(files, async ({ path, sha256 }) => {
    const copy = path.endsWith(PACKED) ? unpackFile : copyFile;
    const copied = await copy(join(backup, path), join(fresh, getOriginalPath(path)), count).catch(
      (error: unknown) => {
        if (!isDamage(error)) throw error;
        return undefined;
      },
    );
    if (copied?.sha256 !== sha256)
      throw new BackupError(`${backup} was altered: ${path} has another content`);
  });
  await runOnEach(directories, (path) => syncDirectory(join(fresh, path)));
  reportProgress(total, total);
  return files.map(({ path }) => getOriginalPath(path));
}

function getOriginalPath(path: string): string {
  return path.endsWith(PACKED) ? path.slice(0, -PACKED.length) : path;
}

/** Puts the log of the backup where the server finds it, and tells the server to apply it. @returns the paths of what was added. */
async function prepareRecovery(backup: string, end: LogEnd, fresh: string): Promise<string[]> {
  const segments = await unpackLog(backup, end, join(fresh, 'postgres'));
  await writeNewFile(join(fresh, 'postgres/recovery.signal'), []);
  return [...segments, 'recovery.signal'].map((path) => `postgres/${path}`);
}

/**
 * Gives the cluster to the account that the server will run as. Root restores for the owner of the data directory, so that a service
 * that runs as an ordinary user owns all of it. The top directory is changed last: until then the account cannot replace files by links.
 */
async function changeOwner(
  fresh: string,
  dataDir: string,
  files: readonly string[],
  directories: readonly string[],
): Promise<void> {
  const account = await chooseAccount(process.getuid!() === 0 ? dataDir : join(dataDir, 'postgres'));
  if (account.isOurs) return;
  const changePathOwner = (path: string): Promise<void> => lchown(path, account.uid, account.gid);
  const inCluster = [...files, ...directories.toReversed()].filter((path) => path !== KEY);
  for (const path of inCluster) await changePathOwner(join(fresh, path));
  await chmod(fresh, 0o711);
  if (await isOwner(account, dataDir)) {
    for (const path of [join(fresh, KEY), join(dataDir, 'postgres.lock')])
      await changePathOwner(path).catch(() => undefined);
  }
}

async function isOwner(account: Account, directory: string): Promise<boolean> {
  return (await stat(directory)).uid === account.uid;
}

async function recoverAndProve<Proof>(
  fresh: string,
  dataDir: string,
  { backup, end, to }: RestorePoint,
  prove: RestoreOptions<Proof>['prove'],
): Promise<Proof> {
  const binaries = findBinaries(service_name, dataDir);
  const settings = end && to ? buildRecoverySettings(end, to) : {};
  const options = { name: service_name, dataDir: fresh, settings };
  const server = await startPostgres(binaries, options).catch((error: unknown) => {
    const message = readErrorMessage(error);
    if (message.includes('recovery ended before configured recovery target was reached'))
      throw new BackupError(`${backup} was altered: its log cannot be read up to ${to?.toISOString()}`);
    throw new BackupError(`the database of the backup cannot be started: ${message}`);
  });
  try {
    return await prove(server.connection, fresh);
  } finally {
    await server.stop();
  }
}

/** The whole log is in its place. Without any log after the backup, the recovery has nothing to stop at. */
function buildRecoverySettings({ start, position }: LogEnd, to: Date): Readonly<Record<string, string>> {
  return {
    restore_command: 'false',
    hot_standby: 'off',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    ...(position === start ? {} : { recovery_target_time: to.toISOString().replace('Z', '+00') }),
  };
}

/** Moves the key first: a database without its key would get a new one, which does not open its secrets. */
async function moveIntoPlace(fresh: string, dataDir: string): Promise<void> {
  await link(join(fresh, KEY), join(dataDir, KEY)).catch((error: unknown) => {
    // Either the backup has no key, or the same key is already there.
    if (readErrorCode(error) !== 'ENOENT' && readErrorCode(error) !== 'EEXIST') throw error;
  });
  await syncDirectory(dataDir);
  await rename(join(fresh, 'postgres'), join(dataDir, 'postgres'));
  await syncDirectory(dataDir);
}
