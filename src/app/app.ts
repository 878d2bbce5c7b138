import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { PoolConfig } from 'pg';
import { toolAdvice } from '../tables/advice.ts';
import { additionalRows, specifiedRows } from '../tables/api.ts';
import { directoryRows } from '../tables/directories.ts';
import { partnerRows } from '../tables/partners.ts';
import { eventTable } from '../tables/events.ts';
import { apiTexts } from '../tables/fields.ts';
import { internalRows, originRows, protocolRows } from '../tables/origin.ts';
import { pageRows } from '../tables/pages.ts';
import { personalData } from '../tables/personal-data.ts';
import { taskTable } from '../tables/tasks.ts';
import { instructions, toolRows } from '../tables/tools.ts';
import { consoleOptions, renderProblem } from '../web/console.ts';
import { addPages } from '../web/serving/serve-pages.ts';
import { watchSessions } from '#modules/access/accounts';
import { flushVerifications } from '#modules/credentials/credentials';
import { buildMoneyGauges } from '#modules/income/books';
import { probingCounter } from '#modules/matching/jobs';
import { buildFindingGauges } from '#modules/measurement/traits';
import { buildIndexGauges, readPartStates } from '#modules/matching/matches';
import { buildArchiveGauges } from '#modules/operations/operator';
import { markMails, openSandbox } from '#modules/operations/sandbox';
import { authenticateBearer } from '#modules/access/agents';
import {
  authenticateServiceKey,
  hasServiceKey,
  prepareServiceKeys,
  recordRequest,
} from '#modules/access/service-keys';
import { endWaits } from '#modules/operations/webhooks';
import { readJurisdictions } from '#modules/people/self-identification';
import { createTestClock, systemClock, type Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database/database.ts';
import { describeServerState } from '#platform/database/probe.ts';
import { checkReadiness } from '#platform/http/health.ts';
import type { OriginRow } from '#platform/http/origin-routes.ts';
import { describeRow } from '#platform/http/row.ts';
import { compileSchemas } from '#platform/http/row-steps.ts';
import { openInternalServer, openServer } from '#platform/http/server.ts';
import type { McpExtension } from '#platform/mcp/extension.ts';
import { openKeys } from '#platform/security/keys.ts';
import { openLog, type Logger } from '#platform/telemetry/log.ts';
import { countMails, openMailer, type Mailer } from '#platform/mail.ts';
import { describeBuild } from '#platform/telemetry/build.ts';
import { openMetrics, type Metrics } from '#platform/telemetry/metrics.ts';
import { createFindTextRecords } from '#platform/outbound/name-servers.ts';
import { createFetchOutbound } from '#platform/outbound/outbound.ts';
import { openMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { openQueue } from '#platform/queue/queue.ts';
import { openRateLimits } from '#platform/limits/rate-limits.ts';
import { loadMasterKey, createSecrets } from '#platform/security/secrets.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';
import { traceDatabase } from '#platform/database/trace-database.ts';

/** A running Tessera without sockets: the caller lets `server` and `internalServer` listen. */
export type App = {
  readonly platform: Platform;
  readonly server: FastifyInstance;
  readonly internalServer: FastifyInstance;
  /** Compiles the schemas of the API while nobody waits for them. Ends early if `signal` is aborted. */
  compileSchemas(signal: AbortSignal): Promise<void>;
  /** Finishes requests in progress, hands running tasks back, and closes every connection. */
  close(): Promise<void>;
};

/** What tests replace, the traces if they are configured, and whether statements are limited. */
export type AppOverrides = {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly telemetry?: Telemetry | undefined;
  /** Whether statements take as long as they need, until the database gets the time limits of requests (`limitTime`). */
  readonly isPatient?: boolean;
};

/** What a program that embeds the service adds to its tables. `npm start` adds nothing. */
export type Additions = {
  readonly originRows?: readonly OriginRow[];
  readonly mcpExtension?: McpExtension;
};

const rows = [...specifiedRows, ...additionalRows];
/** What programs call by protocols of others, at the origin. */
const protocolApiRows = [...directoryRows, ...partnerRows];

/** Composes the tables and the platform on a migrated database. If a part fails to open, the parts opened before it are closed. */
export async function openApp(
  config: Config,
  settings: PoolConfig,
  overrides: AppOverrides = {},
  additions: Additions = {},
): Promise<App> {
  readJurisdictions(config.selfIdentification);
  await using opened = new AsyncDisposableStack();
  const platform = await openPlatform(opened, config, settings, overrides);
  const { log, metrics, now } = platform;
  const limits = openRateLimits({
    enabled: config.rateLimits,
    redisUrl: config.redisUrl,
    clock: { now },
    log,
  });
  opened.defer(() => limits.close());
  opened.defer(await watchSessions(platform));
  opened.defer(() => flushVerifications(platform).catch(() => undefined));
  prepareServiceKeys(platform);
  const server = openServer(platform, {
    rows,
    originRows: [...originRows, ...(additions.originRows ?? [])],
    authenticate: (services, authorization) =>
      hasServiceKey(authorization)
        ? authenticateServiceKey(services, authorization)
        : authenticateBearer(services, authorization),
    limits,
    metrics,
    recordKeyRequest: recordRequest,
    telemetry: overrides.telemetry,
    renderProblem: (request, refusal) => renderProblem(platform, request, refusal),
  });
  addPages(server, platform, { ...consoleOptions, pages: pageRows, apiRows: rows });
  const { mcpExtension: extension } = additions;
  for (const { add } of protocolRows)
    add(server, platform, {
      rows: protocolApiRows,
      tools: toolRows,
      instructions,
      texts: apiTexts,
      extension,
    });
  const internalServer = openInternalServer(platform, internalRows);
  opened.defer(() => internalServer.close());
  // Closed in reverse order: first requests are finished, then running tasks are handed back, then what both use is closed.
  opened.defer(() => server.close());
  opened.defer(() => endWaits(platform));
  const all = opened.move();
  return {
    platform,
    server,
    internalServer,
    compileSchemas: (signal) => compileSchemas(rows, signal),
    close: () => all.disposeAsync(),
  };
}

async function openPlatform(
  opened: AsyncDisposableStack,
  config: Config,
  settings: PoolConfig,
  overrides: AppOverrides,
): Promise<Platform> {
  const realClock = overrides.clock ?? systemClock;
  const testClock = config.sandbox ? createTestClock(realClock) : undefined;
  const clock = testClock ?? realClock;
  const log = overrides.log ?? openLog({ level: 'info' });
  const metrics = openMetrics(clock);
  const { telemetry } = overrides;
  const pooled = openDatabase(
    { ...settings, max: config.databasePoolSize },
    (error) => log.warn({ err: error }, 'an idle database connection was lost'),
    (state) => log[state === 'up' ? 'info' : 'error']({ database: state }, describeServerState(state)),
    overrides.isPatient,
  );
  opened.defer(() => pooled.close());
  await openSandbox(pooled, testClock);
  const database = telemetry ? traceDatabase(pooled, telemetry) : pooled;
  const secrets = createSecrets(await loadMasterKey(config.masterKey, config.dataDir));
  const mailer = openCountedMailer(config, clock, metrics);
  opened.defer(() => mailer.close());
  const memory = openMemory(() => platform);
  // Closed after the queue, whose running tasks use it.
  opened.defer(() => memory.close());
  const queueOptions = { database, clock, log, metrics, telemetry };
  const queue = openQueue({ ...queueOptions, tasks: taskTable, events: eventTable });
  opened.defer(() => queue.close());
  const keys = await openKeys(database, secrets, clock);
  opened.defer(() => keys.close());
  const { outboundPrivate: allowPrivate, nameServers } = config;
  const platform: Platform = {
    config,
    now: clock.now,
    testClock,
    log,
    metrics,
    database,
    secrets,
    keys,
    mailer,
    queue,
    fetchOutbound: createFetchOutbound({ allowPrivate, nameServers }),
    findTextRecords: createFindTextRecords(nameServers),
    personalData,
    rows: [...rows, ...protocolApiRows].map(describeRow),
    tools: toolRows.map(({ tool }) => tool),
    toolAdvice,
    memory,
  };
  await watchPlatform(platform);
  return platform;
}

function openCountedMailer(
  { smtpUrl, dataDir, mailFrom, sandbox }: Config,
  clock: Clock,
  metrics: Metrics,
): Mailer {
  const mailer = openMailer({ smtpUrl, mailDir: path.join(dataDir, 'mail'), from: mailFrom, clock });
  return countMails(sandbox ? markMails(mailer) : mailer, (outcome) => metrics.countMail(outcome));
}

/** Lets the metrics read the state of what the process depends on. */
async function watchPlatform(platform: Platform): Promise<void> {
  const { config, database, metrics, queue } = platform;
  const build = await describeBuild(config.commit);
  metrics.watch({
    readBuild: () => build,
    readPool: () => database.countConnections(),
    readPoolSize: () => config.databasePoolSize,
    readQueue: () => queue.readStates(),
    checkReadiness: async () => (await checkReadiness(platform, readPartStates)).isReady,
  });
  metrics.addCounters([probingCounter]);
  metrics.addGauges([
    ...buildIndexGauges(platform),
    ...buildMoneyGauges(platform),
    ...buildFindingGauges(platform),
    ...buildArchiveGauges(platform),
  ]);
}
