import { setTimeout as pause } from 'node:timers/promises';
import type { ClientConfig, PoolConfig } from 'pg';
import { archiveMemory } from '#platform/backups/archive-state.ts';
import { forgetArchive } from '#platform/backups/archive-slot.ts';
import { superviseArchive } from '#platform/backups/supervise-archive.ts';
import type { Config } from '#platform/config.ts';
import { computeNeeds, describeShortage, limitConnections, type Means, readMeans } from '#platform/means.ts';
import { estimateRows } from '#platform/database/analyze.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { owner_role, prepareRoles, service_role } from '#platform/database/roles.ts';
import { DataDirInUseError, type EmbeddedPostgres } from '@tessera/embedded-postgres';
import { findRunningPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { formatReachableOrigin } from '#platform/reachable-origin.ts';
import { openLog, type Logger } from '#platform/telemetry/log.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';
import type { Additions, App } from './app.ts';

/** A running service that listens on its ports. */
export type Service = {
  readonly url: string;
  readonly app: App;
  /** Finishes running requests, hands running tasks back to the queue, stops the embedded database and sends the last traces. */
  stop(): Promise<void>;
};

/** How to connect to a database, and the function that stops or releases its server. */
export type DatabaseHandle = {
  /** As the role that reads and writes rows. */
  readonly settings: PoolConfig;
  /** As the role that owns the schemas and migrates them. */
  readonly owner: PoolConfig;
  /** As the superuser of the embedded server, for its backups. */
  readonly superuser: ClientConfig;
  readonly stop: () => Promise<void>;
};

type ServiceOptions = {
  readonly quiet?: boolean;
  readonly telemetry?: Telemetry | undefined;
  readonly additions?: Additions | undefined;
};

/** Starts everything that the configuration asks for. Resolves when the service accepts requests. */
export async function startService(
  given: Config,
  { quiet = false, telemetry, additions }: ServiceOptions = {},
): Promise<Service> {
  const log = openLog({ level: quiet ? 'warn' : given.logLevel });
  const means = await readMeans(given.dataDir);
  const config = fitConfig(given, means);
  await using opened = new AsyncDisposableStack();
  if (telemetry) opened.defer(() => telemetry.close());
  const launched = Promise.withResolvers<void>();
  const opening = openDatabaseServer(config, log, launched.resolve);
  // Most of the code is loaded while the database starts, because loading it first would delay that start.
  const loading = launched.promise.then(() =>
    Promise.all([
      import('./app.ts'),
      import('#modules/access/accounts'),
      import('#modules/matching/matches'),
    ]),
  );
  const database = await opening;
  opened.defer(() => database.stop());
  if (!config.archive && !config.databaseUrl) await forgetArchive(database.superuser);
  await migrateDatabase(database.owner);
  const [{ openApp }, { ensureAdmin }, { watchMatchIndex }] = await loading;
  const app = await openApp(config, database.settings, { log, telemetry, isPatient: true }, additions);
  // Stopped after the app, so that the archive has what its last requests wrote.
  opened.defer(superviseConfiguredArchive(app, database, log));
  opened.defer(() => app.close());
  await ensureAdmin(app.platform);
  const announceIndex = config.serves.worker ? await watchMatchIndex(app.platform) : undefined;
  if (config.serves.worker) await app.platform.queue.startWorkers(app.platform);
  await warnAboutShortage(app.platform, means);
  warnAboutMissingProxy(config, log);
  // A start waits as long as it must; from now on somebody waits for replies.
  app.platform.database.limitTime();
  if (config.serves.api) await app.server.listen({ host: config.host, port: config.port });
  await app.internalServer.listen({ host: config.internalHost, port: config.internalPort });
  const internal = app.internalServer.addresses().find((each) => typeof each === 'object');
  if (internal) await announceIndex?.(formatReachableOrigin(internal));
  if (config.serves.api) opened.defer(prepareReplies(app, log));
  const resources = opened.move();
  return { url: config.publicUrl, app, stop: () => resources.disposeAsync() };
}

/** Compiles the schemas of requests and replies while nobody waits for them. @returns a function that stops it. */
function prepareReplies(app: App, log: Logger): () => void {
  const stopping = new AbortController();
  void app.compileSchemas(stopping.signal).catch((error: unknown) => {
    log.error({ err: error }, 'a schema cannot be compiled');
  });
  return () => stopping.abort();
}

/** Starts the archive, if one is configured. @returns a function that stops it. */
function superviseConfiguredArchive(
  { platform }: Pick<App, 'platform'>,
  { superuser }: DatabaseHandle,
  log: Logger,
): () => Promise<void> {
  const { archive, dataDir } = platform.config;
  if (!archive) return async () => undefined;
  const { place, days } = archive;
  const memory = archiveMemory(platform);
  return superviseArchive({ connection: superuser, dataDir, archive: place, days }, log, (state) => {
    memory.state = state;
  });
}

/** Lets the public port accept no more connections than there are descriptors for. */
function fitConfig(config: Config, means: Means): Config {
  return { ...config, http: { ...config.http, connections_max: limitConnections(config, means) } };
}

/** Warns in one line of what the process lacks for its configuration and its members. */
async function warnAboutShortage(
  { config, database, log }: Pick<App['platform'], 'config' | 'database' | 'log'>,
  means: Means,
): Promise<void> {
  const needs = computeNeeds(config, await estimateRows(database, 'members'));
  const shortage = describeShortage(needs, means);
  if (shortage !== undefined)
    log.warn(
      { connections_max: config.http.connections_max },
      `this service may need more than it has: ${shortage} (docs/operating.md#needs)`,
    );
}

/** Only production is expected behind a proxy: on a developer's machine the line would say nothing. */
function warnAboutMissingProxy({ production, serves, trustedProxies }: Config, log: Logger): void {
  if (production && serves.api && !trustedProxies)
    log.warn(
      'TESSERA_TRUSTED_PROXIES is unset: every address that connects counts as one client, with one rate limit and a quarter of the connections',
    );
}

/** Opens the operator's PostgreSQL by its URL, or the embedded one in the data directory. */
async function openDatabaseServer(
  { databaseUrl, dataDir }: Config,
  log: Logger,
  onLaunch: () => void = () => undefined,
): Promise<DatabaseHandle> {
  if (!databaseUrl) return superviseEmbeddedPostgres(dataDir, log, onLaunch);
  onLaunch();
  const settings = { connectionString: databaseUrl };
  return { settings, owner: settings, superuser: settings, stop: async () => undefined };
}

/** Does the same as {@link openDatabaseServer} for operator commands, but uses the embedded server of a service that is already running. */
export async function borrowDatabaseServer(config: Config, log: Logger): Promise<DatabaseHandle> {
  try {
    return await openDatabaseServer(config, log);
  } catch (error) {
    const running =
      error instanceof DataDirInUseError ? await findRunningPostgres(config.dataDir) : undefined;
    if (!running) throw error;
    return { ...buildRoleSettings(running), stop: async () => undefined };
  }
}

/** The embedded server trusts everybody who can reach its private socket: a role needs no password. */
function buildRoleSettings(connection: EmbeddedPostgres['connection']): Omit<DatabaseHandle, 'stop'> {
  const superuser = { ...connection, ssl: false };
  return {
    settings: { ...superuser, user: service_role },
    owner: { ...superuser, user: owner_role },
    superuser,
  };
}

const restart_wait_ms = 1_000;

/** Starts the embedded server and restarts it if it dies. Until it is back, requests get 503. */
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
        log.error({ reason }, 'the embedded PostgreSQL died and is being restarted');
        running = restart();
      },
    });
  /** Resolves to the restarted server, or to undefined if the service is stopping. */
  async function restart(): Promise<EmbeddedPostgres | undefined> {
    while (!stopping.signal.aborted) {
      await pause(restart_wait_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      try {
        return await start();
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL cannot be started');
      }
    }
    return undefined;
  }
  const first = await start();
  let running: Promise<EmbeddedPostgres | undefined> = Promise.resolve(first);
  const settings = buildRoleSettings(first.connection);
  try {
    await prepareRoles(settings.superuser);
  } catch (error) {
    await first.stop();
    throw error;
  }
  return {
    ...settings,
    stop: async () => {
      stopping.abort();
      await (await running)?.stop();
    },
  };
}
