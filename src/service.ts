import { setTimeout as pause } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import type { App } from './app.ts';
import type { Config } from '#platform/config.ts';
import {
  DataDirInUseError,
  findRunningPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#platform/embedded-postgres/index.ts';
import { openLog, type Logger } from '#platform/telemetry/log.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

/** A Tessera that listens. */
export type Service = {
  readonly url: string;
  readonly app: App;
  /** Drains requests, hands running tasks back, stops the embedded database, sends the last traces. */
  stop(): Promise<void>;
};

/** A database to connect to, and how to let go of it. */
export type DatabaseHandle = { readonly settings: PoolConfig; readonly stop: () => Promise<void> };

type ServiceOptions = { readonly quiet?: boolean; readonly telemetry?: Telemetry | undefined };

/** Starts everything that the configuration asks for; resolves when requests are answered. */
export async function startService(
  config: Config,
  { quiet = false, telemetry }: ServiceOptions = {},
): Promise<Service> {
  const log = openLog({ level: quiet ? 'warn' : 'info' });
  await using opened = new AsyncDisposableStack();
  if (telemetry) opened.defer(() => telemetry.close());
  const launched = Promise.withResolvers<void>();
  const opening = openDatabaseServer(config, log, launched.resolve);
  // Most of the code is loaded while the database starts, not before: loading leaves this process no time to start anything.
  const loading = launched.promise.then(() =>
    Promise.all([import('./app.ts'), import('#modules/auth'), import('#modules/matching')]),
  );
  const database = await opening;
  opened.defer(() => database.stop());
  await migrateDatabase(database.settings);
  const [{ openApp }, { ensureAdmin }, { watchMatchIndex }] = await loading;
  const app = await openApp(config, database.settings, { log, telemetry });
  opened.defer(() => app.close());
  await ensureAdmin(app.platform);
  if (config.serves.worker) watchMatchIndex(app.platform);
  if (config.serves.worker) await app.platform.queue.startWorkers(app.platform);
  if (config.serves.api) await app.server.listen({ host: config.host, port: config.port });
  await app.internalServer.listen({ host: config.host, port: config.internalPort });
  const all = opened.move();
  return { url: config.publicUrl, app, stop: () => all.disposeAsync() };
}

/** The operator's PostgreSQL by its URL, or the embedded one in the data directory. */
async function openDatabaseServer(
  { databaseUrl, dataDir }: Config,
  log: Logger,
  onLaunch: () => void = () => undefined,
): Promise<DatabaseHandle> {
  if (!databaseUrl) return superviseEmbeddedPostgres(dataDir, log, onLaunch);
  onLaunch();
  return { settings: { connectionString: databaseUrl }, stop: async () => undefined };
}

/** Like {@link openDatabaseServer}; where the running service has the embedded server, borrows that one. For operator commands. */
export async function borrowDatabaseServer(config: Config, log: Logger): Promise<DatabaseHandle> {
  try {
    return await openDatabaseServer(config, log);
  } catch (error) {
    const running =
      error instanceof DataDirInUseError ? await findRunningPostgres(config.dataDir) : undefined;
    if (!running) throw error;
    return { settings: { ...running, ssl: false }, stop: async () => undefined };
  }
}

const restart_wait_ms = 1_000;

/** Keeps the embedded server up: if it dies, requests get 503 until it is back. */
async function superviseEmbeddedPostgres(
  dataDir: string,
  log: Logger,
  onLaunch: () => void,
): Promise<DatabaseHandle> {
  const stopping = new AbortController();
  const start = () =>
    startEmbeddedPostgres({
      dataDir,
      onLaunch,
      onExit: (reason) => {
        log.error({ reason }, 'the embedded PostgreSQL died; starting it again');
        running = restart();
      },
    });
  /** The server that runs, or comes back; undefined when it is to stay away. */
  async function restart(): Promise<EmbeddedPostgres | undefined> {
    while (!stopping.signal.aborted) {
      await pause(restart_wait_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      try {
        return await start();
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL does not start');
      }
    }
    return undefined;
  }
  const first = await start();
  let running: Promise<EmbeddedPostgres | undefined> = Promise.resolve(first);
  return {
    settings: { ...first.connection, ssl: false },
    stop: async () => {
      stopping.abort();
      await (await running)?.stop();
    },
  };
}
