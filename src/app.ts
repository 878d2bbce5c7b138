import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { PoolConfig } from 'pg';
import { added, specified } from './api.ts';
import { eventTable } from './events.ts';
import { personalData } from './personal-data.ts';
import { taskTable } from './tasks.ts';
import { authenticate, watchSessions } from '#modules/auth';
import { addCredentialDocuments, flushVerifications } from '#modules/credentials';
import { addVerifyPage } from '#modules/verify-page';
import { addWalletIssuance } from '#modules/wallets';
import { systemClock, type Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database/database.ts';
import { addReference } from '#platform/http/reference.ts';
import { openInternalDoor } from '#platform/http/internal.ts';
import { openDoor } from '#platform/http/server.ts';
import { openKeys } from '#platform/security/keys.ts';
import { openLog, type Logger } from '#platform/telemetry/log.ts';
import { openMailer } from '#platform/mail.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { openOutbound } from '#platform/outbound/outbound.ts';
import { openMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { openQueue } from '#platform/queue/queue.ts';
import { openRateLimits } from '#platform/limits/rate-limits.ts';
import { loadMasterKey, secretsFrom } from '#platform/security/secrets.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';
import { tracedDatabase } from '#platform/database/traced-database.ts';

/** A running Tessera without its sockets: `door` and `internalDoor` listen where the caller says. */
export type App = {
  readonly platform: Platform;
  readonly door: FastifyInstance;
  readonly internalDoor: FastifyInstance;
  /** Drains requests, hands running tasks back, closes every connection. */
  close(): Promise<void>;
};

/** What tests replace, and the traces, where there are any. */
export type AppOverrides = {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly telemetry?: Telemetry | undefined;
};

/** Composes the tables and the platform on a migrated database. What was opened is closed again if a later part does not open. */
export async function openApp(
  config: Config,
  settings: PoolConfig,
  overrides: AppOverrides = {},
): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const platform = await openPlatform(opened, config, settings, overrides);
  const { log, metrics } = platform;
  const clock = overrides.clock ?? systemClock;
  const limits = openRateLimits({ enabled: config.rateLimits, redisUrl: config.redisUrl, clock, log });
  opened.defer(() => limits.close());
  opened.defer(await watchSessions(platform));
  opened.defer(() => flushVerifications(platform).catch(() => undefined));
  const rows = [...specified, ...added];
  const door = openDoor(platform, { rows, authenticate, limits, metrics, telemetry: overrides.telemetry });
  addReference(door, rows, config.publicUrl);
  addCredentialDocuments(door, platform);
  addVerifyPage(door, platform);
  addWalletIssuance(door, platform);
  // The rest of a start need not wait for packages that only test suites use.
  if (config.vcApi) (await import('#modules/vc-api')).addVcApi(door, platform);
  const internalDoor = openInternalDoor(platform, metrics);
  opened.defer(() => internalDoor.close());
  // Last opened, first closed: requests are drained, then running tasks are handed back, then what both worked with goes.
  opened.defer(() => door.close());
  const all = opened.move();
  return { platform, door, internalDoor, close: () => all.disposeAsync() };
}

async function openPlatform(
  opened: AsyncDisposableStack,
  config: Config,
  settings: PoolConfig,
  overrides: AppOverrides,
): Promise<Platform> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? openLog({ level: 'info' });
  const metrics = openMetrics();
  const { telemetry } = overrides;
  const pooled = openDatabase(settings, (error) =>
    log.warn({ err: error }, 'an idle database connection was lost'),
  );
  opened.defer(() => pooled.close());
  metrics.watchPool(() => pooled.connections());
  const database = telemetry ? tracedDatabase(pooled, telemetry) : pooled;
  const secrets = secretsFrom(await loadMasterKey(config.masterKey, config.dataDir));
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    mailDir: path.join(config.dataDir, 'mail'),
    from: `Tessera <no-reply@${new URL(config.publicUrl).hostname}>`,
    clock,
  });
  opened.defer(() => mailer.close());
  const memory = openMemory(() => platform);
  // Closed after the queue, whose running tasks use it until they are handed back.
  opened.defer(() => memory.close());
  const queueOptions = { settings, database, clock, log, metrics, telemetry };
  const openingQueue = openQueue({ ...queueOptions, tasks: taskTable, events: eventTable });
  // Before it is open: should the keys fail meanwhile, it is waited for, and closed.
  opened.defer(async () => (await openingQueue.catch(() => undefined))?.close());
  const [keys, queue] = await Promise.all([openKeys(database, secrets, clock), openingQueue]);
  opened.defer(() => keys.close());
  const fetchOutbound = openOutbound({ allowPrivate: config.outboundPrivate });
  const platform: Platform = {
    config,
    now: clock.now,
    log,
    metrics,
    database,
    secrets,
    keys,
    mailer,
    queue,
    fetchOutbound,
    personalData,
    memory,
  };
  return platform;
}
