import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Client, ClientConfig } from 'pg';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig, type Config } from '#platform/config.ts';
import { hasCluster, requireKnownMajor } from '@tessera/embedded-postgres';
import { estimateRows } from '#platform/database/analyze.ts';
import { openArchive } from '#platform/backups/open-archive.ts';
import { openClient } from '#platform/database/connections.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { buildExecutor, toQuery } from '#platform/database/executor.ts';
import { requireSuitableServer } from '#platform/database/require-suitable-server.ts';
import {
  describeEngine,
  describeHalfDistribution,
  findEngineFault,
  readEngine,
} from '#platform/distribution/engine.ts';
import { computeNeeds, describeMeans, describeShortage, readMeans } from '#platform/means.ts';
import { listMissingMigrations } from '#platform/database/migrate.ts';

/** One thing that the doctor looked at. `warning` does not stop the service; `failed` does. */
export type Check = {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
};

/** What a check has found, in one line. A check that throws has failed, with the first line of its error. */
export type Finding = readonly [status: Check['status'], detail: string];

/** A check that belongs to a module. */
export type ModuleCheck = (config: Config) => Promise<Finding>;

type Result = { readonly checks: readonly Check[] };

const timeout_ms = 5_000;
const free_bytes_min = 1_000_000_000;
const clock_difference_ms_max = 2_000;

/** Checks a configuration and everything that it names. Starts no database, and creates and changes nothing. */
export async function runDoctor(
  environment: Readonly<Record<string, string | undefined>>,
  moduleChecks: Readonly<Record<string, ModuleCheck>> = {},
): Promise<Result> {
  const config = parseConfiguration(environment);
  if (typeof config === 'string')
    return { checks: [{ check: 'configuration', status: 'failed', detail: config }] };
  const checks: Readonly<Record<string, () => Finding | Promise<Finding>>> = {
    configuration: () => checkConfiguration(config),
    means: () => checkMeans(config),
    data_directory: () => checkDataDirectory(config),
    master_key: () => checkMasterKey(config),
    database: () => checkDatabase(config),
    archive: () => checkArchive(config),
    redis: () => checkRedis(config),
    mail: () => checkMail(config),
    port: () => checkPort(config.host, config.port),
    internal_port: () => checkPort(config.internalHost, config.internalPort),
  };
  const further = Object.entries(moduleChecks).map(([name, find]) => [name, () => find(config)] as const);
  return { checks: await Promise.all([...Object.entries(checks), ...further].map(runCheck)) };
}

/** One line for each check: its name, its status and what was found. */
export function summariseChecks({ checks }: Result): Readonly<Record<string, string>> {
  return Object.fromEntries(checks.map(({ check, status, detail }) => [check, `${status}, ${detail}`]));
}

/** Names the checks that failed; undefined if none did. */
export function describeFailedChecks({ checks }: Result): string | undefined {
  const failed = checks.filter(({ status }) => status === 'failed');
  return failed.length === 0 ? undefined : `failed: ${failed.map(({ check }) => check).join(', ')}`;
}

async function runCheck([check, find]: readonly [string, () => Finding | Promise<Finding>]): Promise<Check> {
  try {
    const [status, detail] = await find();
    return { check, status, detail };
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    const [line] = (message || code || 'it cannot be used').split('\n', 1);
    return { check, status: 'failed', detail: line! };
  }
}

function parseConfiguration(environment: Readonly<Record<string, string | undefined>>): Config | string {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function checkConfiguration({ production, trustedProxies, smtpUrl }: Config): Finding {
  if (!production) return ['warning', 'valid; TESSERA_ENV is development, which permits unsafe settings'];
  if (!trustedProxies)
    return [
      'warning',
      'valid; TESSERA_TRUSTED_PROXIES is unset, so all users behind a proxy share its rate limit',
    ];
  if (!smtpUrl) return ['warning', 'valid; TESSERA_SMTP_URL is unset, so emails are written as files'];
  return ['ok', 'valid'];
}

async function checkMeans(config: Config): Promise<Finding> {
  const means = await readMeans(await findExistingDirectory(config.dataDir));
  const needs = computeNeeds(config, await estimateMembers(config));
  const shortage = describeShortage(needs, means);
  return shortage === undefined
    ? ['ok', describeMeans(means)]
    : ['warning', `${shortage}; docs/operating.md#needs`];
}

/** What cannot be read counts as no members: another check says why. */
async function estimateMembers(config: Config): Promise<number> {
  try {
    const settings = await findDatabaseSettings(config);
    if (!settings) return 0;
    return await withClient(settings, (client) =>
      estimateRows(
        buildExecutor((statement) => client.query(toQuery(statement))),
        'members',
      ),
    );
  } catch {
    return 0;
  }
}

async function checkDataDirectory({ dataDir }: Config): Promise<Finding> {
  const directory = await findExistingDirectory(dataDir);
  if (!(await stat(directory)).isDirectory()) return ['failed', `${directory} is a file, not a directory`];
  await access(directory, constants.W_OK | constants.X_OK);
  const { bavail, bsize } = await statfs(directory);
  const free = `${dataDir}, ${Math.floor((bavail * bsize) / 1_000_000)} MB free`;
  return [bavail * bsize < free_bytes_min ? 'warning' : 'ok', free];
}

/** The directory itself, or the nearest one above it in which the service would create it. */
async function findExistingDirectory(directory: string): Promise<string> {
  const exists = await access(directory).then(
    () => true,
    () => false,
  );
  const parent = path.dirname(directory);
  return exists || parent === directory ? directory : findExistingDirectory(parent);
}

async function checkMasterKey({ masterKey, dataDir }: Config): Promise<Finding> {
  if (masterKey) return ['ok', 'set by TESSERA_MASTER_KEY'];
  const file = path.join(dataDir, 'master.key');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return ['warning', `the first start will generate ${file}; keep a copy elsewhere`];
  return Buffer.from(text, 'base64').length === 32
    ? ['ok', `in ${file}; keep a copy elsewhere`]
    : ['failed', `${file} must contain 32 bytes in base64`];
}

async function checkDatabase({ databaseUrl, dataDir }: Config): Promise<Finding> {
  if (databaseUrl) return checkConnection({ connectionString: databaseUrl });
  const cluster = path.join(dataDir, 'postgres');
  if (!(await hasCluster(cluster))) return ['ok', 'embedded, created at the first start'];
  await requireKnownMajor(cluster);
  const running = await findDatabaseSettings({ databaseUrl, dataDir });
  return running ? checkConnection(running) : ['ok', `embedded, in ${cluster}, not running`];
}

/** Finds how to connect to the database; undefined if it is the embedded one and does not run. */
async function findDatabaseSettings({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<ClientConfig | undefined> {
  if (databaseUrl) return { connectionString: databaseUrl };
  const running = await findRunningPostgres(dataDir);
  return running && { ...running, ssl: false };
}

async function withClient<Found>(
  settings: ClientConfig,
  use: (client: Client) => Promise<Found>,
): Promise<Found> {
  const limits = { connectionTimeoutMillis: timeout_ms, statement_timeout: timeout_ms };
  const client = await openClient({ ...settings, ...limits });
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function checkConnection(settings: ClientConfig): Promise<Finding> {
  return withClient(settings, async (client) => {
    const { rows } = await client.query<ServerFacts>(serverFacts);
    const { version, time, may_create, is_read_only } = rows[0]!;
    // Its error says what is wrong.
    await requireSuitableServer(client, settings);
    const engine = await readEngine(client);
    const server = `PostgreSQL ${version}${engine ? ` with ${describeEngine(engine)}` : ''}`;
    const fault = engine && (findEngineFault(engine) ?? (await describeHalfDistribution(client)));
    if (fault !== undefined) return ['failed', `${server}; ${fault}`];
    if (is_read_only) return ['failed', `${server} is read-only, perhaps a standby: use the primary`];
    const missing = (await listMissingMigrations(client)).length;
    if (missing > 0 && !may_create)
      return [
        'failed',
        `${server} lacks ${missing} of the migrations, which this user may not run: run "migrate" as the owner`,
      ];
    const difference_ms = Math.abs(systemClock.now().getTime() - time.getTime());
    if (difference_ms > clock_difference_ms_max)
      return [
        'warning',
        `${server}; its clock differs from the clock of this machine by ${Math.round(difference_ms / 1000)} s`,
      ];
    return [
      'ok',
      missing === 0
        ? `${server}, current schema`
        : `${server}, the next start will run ${missing} migration${missing === 1 ? '' : 's'}`,
    ];
  });
}

type ServerFacts = {
  readonly version: string;
  readonly time: Date;
  readonly may_create: boolean;
  readonly is_read_only: boolean;
};

const serverFacts = `
  select current_setting('server_version') as version, clock_timestamp() as time,
    has_schema_privilege(current_user, current_schema(), 'CREATE') as may_create,
    current_setting('transaction_read_only')::boolean as is_read_only`;

/** An archive whose log has ended a while ago is no warning, because the service may be stopped. */
async function checkArchive({ archive, databaseUrl, dataDir }: Config): Promise<Finding> {
  if (!archive)
    return [
      'ok',
      `not configured; ${databaseUrl ? 'archive the external database with pgBackRest' : 'only "backup" copies the database'}`,
    ];
  const storage = openArchive(archive.place, dataDir);
  const backups = await storage.list();
  return backups.length === 0
    ? ['ok', `${storage.name} has no backup yet: the running service makes one`]
    : ['ok', `${storage.name}, restorable from ${backups[0]!.end.from} to ${backups.at(-1)!.end.to}`];
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (!redisUrl) return ['ok', 'not configured; each process counts its own rate limits'];
  const { Redis } = await import('ioredis');
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeout_ms,
    commandTimeout: timeout_ms,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  client.on('error', (error: Error) => (reason = error));
  try {
    await client.connect();
    await client.ping();
    return ['ok', 'replies'];
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
}

async function checkMail({ smtpUrl, mailFrom, dataDir }: Config): Promise<Finding> {
  if (!smtpUrl) return ['warning', `no mail server; mails are written to ${path.join(dataDir, 'mail')}`];
  const { createTransport } = await import('nodemailer');
  const limits = {
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    dnsTimeout: timeout_ms,
  };
  const transport = createTransport({ url: smtpUrl, ...limits });
  try {
    await transport.verify();
    return ['ok', `the mail server accepts the login; mails come from ${mailFrom}`];
  } finally {
    transport.close();
  }
}

/** A port that is in use is a warning, because it may be the running service. */
function checkPort(host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? ['warning', `${host}:${port} is in use`] : ['failed', message]),
    );
    server.listen({ host, port }, () => server.close(() => resolve(['ok', `${host}:${port} is free`])));
  });
}
