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
import { copyFile, runOnEach } from './backup-files.ts';
import type { ReportProgress } from './backup-files.ts';
import { BackupError } from './backup-manifest.ts';
import type { BackedUpFile, BackupManifest } from './backup-manifest.ts';

export type RestoreOptions<Proof> = {
  /** Created if it is absent. It must not contain a cluster. */
  readonly dataDir: string;
  readonly backup: string;
  readonly manifest: BackupManifest;
  readonly reportProgress: ReportProgress;
  /** Reads from the restored database, which runs meanwhile, before it is moved to its place. */
  readonly prove: (connection: EmbeddedPostgres['connection']) => Promise<Proof>;
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
  await checkComplete(options.backup, options.manifest.files);
  const dataDir = await makeDataDir(options.dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    await checkTargetIsFree(dataDir, options.backup);
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
  { backup, manifest, reportProgress, prove }: RestoreOptions<Proof>,
): Promise<Proof> {
  await copyBackup(backup, manifest, fresh, reportProgress);
  await changeOwner(fresh, dataDir, manifest);
  const proof = await recoverAndProve(fresh, dataDir, prove);
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

/** Compares the checksum of each file while it copies it, so that a file cannot change between the check and the copy. */
async function copyBackup(
  backup: string,
  { directories, files }: BackupManifest,
  fresh: string,
  reportProgress: ReportProgress,
): Promise<void> {
  for (const path of directories) await mkdir(join(fresh, path), { mode: 0o700 });
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const count = (bytes: number): void => reportProgress((done += bytes), total);
  await runOnEach(files, async ({ path, sha256 }) => {
    const copied = await copyFile(join(backup, path), join(fresh, path), count);
    if (copied?.sha256 !== sha256)
      throw new BackupError(`${backup} was altered: ${path} has another content`);
  });
  await runOnEach(directories, (path) => syncDirectory(join(fresh, path)));
  reportProgress(total, total);
}

/**
 * Gives the cluster to the account that the server will run as. Root restores for the owner of the data directory, so that a service
 * that runs as an ordinary user owns all of it. The top directory is changed last: until then the account cannot replace files by links.
 */
async function changeOwner(
  fresh: string,
  dataDir: string,
  { directories, files }: BackupManifest,
): Promise<void> {
  const account = await chooseAccount(process.getuid!() === 0 ? dataDir : join(dataDir, 'postgres'));
  if (account.isOurs) return;
  const changePathOwner = (path: string): Promise<void> => lchown(path, account.uid, account.gid);
  const inCluster = [...files.map(({ path }) => path), ...directories.toReversed()].filter(
    (path) => path !== KEY,
  );
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
  prove: RestoreOptions<Proof>['prove'],
): Promise<Proof> {
  const binaries = findBinaries(service_name, dataDir);
  const options = { name: service_name, dataDir: fresh };
  const server = await startPostgres(binaries, options).catch((error: unknown) => {
    throw new BackupError(`the database of the backup cannot be started: ${readErrorMessage(error)}`);
  });
  try {
    return await prove(server.connection);
  } finally {
    await server.stop();
  }
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
