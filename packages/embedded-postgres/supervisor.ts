import { join } from 'node:path';
import { Client } from 'pg';
import { chooseAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import type { BinarySource } from './binaries.ts';
import {
  createCluster,
  DataDirError,
  describeDataDirFault,
  hasCluster,
  makeDataDir,
  removeUnfinishedClusters,
  requireKnownMajor,
} from './cluster.ts';
import { lockDataDir } from './data-dir-lock.ts';
import type { DataDirLock } from './data-dir-lock.ts';
import { readErrorCode } from './error-details.ts';
import { stopOrphans } from './orphans.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';
import { makeSocketDirectory, removeSocketDirectory, SOCKET_PORT } from './socket-directory.ts';

/** A running embedded server. */
export type EmbeddedPostgres = {
  /** Connection settings for `pg`: the directory of a Unix socket, never TCP. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  readonly pid: number;
  /** Shuts the server down (fast shutdown, SIGINT) and waits until it has ended. Idempotent. */
  stop(): Promise<void>;
};

export type StartOptions = {
  /** The name of the service, which the superuser and the database have, and what is outside the data directory. */
  readonly name: string;
  /** The cluster is in `<dataDir>/postgres`. Created if absent. */
  readonly dataDir: string;
  /** Has the name of the service unless given. Created if absent. */
  readonly database?: string;
  /** Additional settings of the server. Those that keep it private (addresses, socket) cannot be overridden. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives the server's log line by line. */
  readonly log?: (line: string) => void;
  /** Called as soon as a program of the database runs, so that this process can do other work while it waits. */
  readonly onLaunch?: () => void;
  /** Called once if the server ends without `stop()`. */
  readonly onExit?: (reason: string) => void;
};

/** Does the same as `startEmbeddedPostgres`, with the binaries of `source`. */
export async function startPostgres(source: BinarySource, options: StartOptions): Promise<EmbeddedPostgres> {
  try {
    return await startOwnPostgres(source, options);
  } catch (error) {
    const described = await describeDataDirFault(options.dataDir, error);
    if (described) throw described;
    // Our own messages say what is wrong; an error of another type is a defect.
    throw isPlainError(error) ? new DataDirError(error.message, { cause: error }) : error;
  }
}

function isPlainError(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error && readErrorCode(error) === undefined;
}

async function startOwnPostgres(source: BinarySource, options: StartOptions): Promise<EmbeddedPostgres> {
  const dataDir = await makeDataDir(options.dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    return await startLockedPostgres(dataDir, lock, source, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLockedPostgres(
  dataDir: string,
  lock: DataDirLock,
  source: BinarySource,
  options: StartOptions,
): Promise<EmbeddedPostgres> {
  const cluster = join(dataDir, 'postgres');
  const account = await chooseAccount(cluster);
  const binaries = await prepareBinaries(source, account);
  await removeUnfinishedClusters(dataDir);
  const isNew = !(await hasCluster(cluster));
  const { name, settings = {}, log = () => undefined, onLaunch = () => undefined, database = name } = options;
  if (isNew) await createCluster({ superuser: name, dataDir, cluster, account, binaries, onLaunch });
  else await prepareCluster(cluster);
  const host = await makeSocketDirectory(name, dataDir, account);
  const { postgres } = binaries;
  const connection = { host, port: SOCKET_PORT, user: name, database };
  try {
    const server = await startServer({
      name,
      postgres,
      cluster,
      account,
      socketDirectory: host,
      settings,
      log,
      onLaunch,
    });
    await ensureDatabase(connection, isNew).catch((error: unknown) => endAndThrow(server, error));
    return buildEmbeddedPostgres(server, connection, lock, options.onExit);
  } catch (error) {
    await removeSocketDirectory(host);
    throw error;
  }
}

async function prepareCluster(cluster: string): Promise<void> {
  await requireKnownMajor(cluster);
  await stopOrphans(cluster);
}

/** A database that every cluster has and that the service does not use. */
const MAINTENANCE = 'template1';

/**
 * Ensures that the database exists. On all starts but the first, one connection is enough, and it proves that the server works. On the first
 * start, the empty database that initdb created is renamed, because creating another one takes a tenth of the time of a start.
 */
async function ensureDatabase(connection: EmbeddedPostgres['connection'], isNew: boolean): Promise<void> {
  if (!isNew && (await canConnect(connection))) return;
  await runWithClient({ ...connection, database: MAINTENANCE }, async (client) => {
    const database = client.escapeIdentifier(connection.database);
    await client.query(
      isNew ? `ALTER DATABASE postgres RENAME TO ${database}` : `CREATE DATABASE ${database}`,
    );
  });
}

async function canConnect(connection: EmbeddedPostgres['connection']): Promise<boolean> {
  try {
    await runWithClient(connection, async () => undefined);
    return true;
  } catch (error) {
    if (readErrorCode(error) === '3D000') return false;
    throw error;
  }
}

async function runWithClient(
  connection: EmbeddedPostgres['connection'],
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ ...connection, ssl: false });
  // Without a listener, a server that dies now would end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function endAndThrow(server: Server, error: unknown): Promise<never> {
  await server.end();
  throw error;
}

function buildEmbeddedPostgres(
  server: Server,
  connection: EmbeddedPostgres['connection'],
  lock: DataDirLock,
  onExit: StartOptions['onExit'],
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const cleanUp = async (): Promise<void> => {
    const reason = await server.exited;
    await removeSocketDirectory(connection.host);
    await lock.release();
    if (stopping === undefined) onExit?.(reason);
  };
  const cleaningUp = cleanUp();
  const end = async (): Promise<void> => {
    await server.end();
    await cleaningUp;
  };
  return { connection, pid: server.pid, stop: () => (stopping ??= end()) };
}
