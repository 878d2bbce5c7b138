import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { cleanUpAfterFile } from './clean-up.ts';
import type { TestPostgres } from './global-setup.ts';
import { openApp, type Additions, type App } from '../src/app/app.ts';
import type { Clock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { listDatabaseSettings } from '#platform/distribution/distribute.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { createTestUsers, type TestUsers } from './users.ts';
import { listWorkers } from './cluster/distribute-database.ts';

export type FakeClock = Clock & { advance(ms: number): void; set(now: Date): void };

export type TestReply = {
  readonly status: number;
  // Tests read replies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
};

export type TestRequest = {
  readonly body?: unknown;
  readonly token?: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends these bytes as they are, instead of `body`. */
  readonly raw?: string;
};

export type TestMail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Empty for an email of text alone. */
  readonly html: string;
};

export type TestApp = TestUsers & {
  readonly clock: FakeClock;
  readonly server: FastifyInstance;
  readonly internalServer: FastifyInstance;
  readonly platform: Platform;
  /** The database without the limits of the service's role. */
  readonly sql: Database;
  /** `path` is relative to /api/v1; with `//` at its start it is absolute. */
  request(method: string, path: string, request?: TestRequest): Promise<TestReply>;
  /** Runs every queued background task now. @returns their number. */
  drainQueue(): Promise<number>;
  readMails(): Promise<readonly TestMail[]>;
  close(): Promise<void>;
};

/** On a busy machine a connection, a lock and a statement are worth waiting for; tests of what happens without them bring settings of their own. */
export const patientSettings = {
  connectionTimeoutMillis: 60_000,
  lock_timeout: 60_000,
  statement_timeout: 60_000,
  query_timeout: 70_000,
};

/**
 * Starts a whole service in this process, on a new clone of the migrated database, with a clock that does not move. Closed after the test
 * file. `database` are the settings of a clone to use instead, for example behind a proxy.
 * `additions` are served besides the tables of the service.
 */
export async function startApp(
  environment: Readonly<Record<string, string>> = {},
  database?: TestPostgres,
  additions?: Additions,
): Promise<TestApp> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-app-'));
  const settings = database ?? (await cloneDatabase());
  const clock = createFakeClock();
  const config = readConfig({
    TESSERA_DATA_DIR: dataDir,
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_VOLUNTEERS: 'on',
    ...environment,
  });
  const patience = database ? {} : patientSettings;
  const service = { ...patience, ...settings, user: inject('serviceUser') };
  const app = await openApp(config, service, { clock, log: createTestLog() }, additions);
  const direct = openDatabase({ ...patience, ...settings }, () => undefined);
  const closeOnce = wrapOnce(async () => {
    await app.close();
    await direct.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const request = createRequester(app);
  const testApp: TestApp = {
    ...createTestUsers(app.platform, request, clock),
    clock,
    server: app.server,
    internalServer: app.internalServer,
    platform: app.platform,
    sql: direct,
    request,
    drainQueue: () => app.platform.queue.drain(app.platform),
    readMails: () => readMailFolder(path.join(dataDir, 'mail')),
    close: closeOnce,
  };
  cleanUpAfterFile(async () => {
    await closeOnce();
    deleteFields(testApp);
  });
  return testApp;
}

/**
 * Deletes what an object has. A module is never unloaded, so the service that a test file has as a constant would stay in memory until the
 * end of the run: ten megabytes for each file, which every garbage collection afterwards goes through.
 */
function deleteFields(object: object): void {
  for (const key of Object.keys(object)) Reflect.deleteProperty(object, key);
}

/** Creates a database as a clone of the migrated template, and drops it after the test file. */
export async function cloneDatabase(): Promise<TestPostgres> {
  const server = inject('server');
  const template = inject('template');
  const database = `${template}_${randomBytes(4).toString('hex')}`;
  // A distributed database is one on each server, and knows the others by their addresses alone: copies of all are a cluster of their own.
  const servers = [server, ...listWorkers(server)];
  await Promise.all(
    servers.map((each) => useClient(each, (client) => copyTemplate(client, database, template))),
  );
  // A copy lacks what its template is set to. Citus passes it on to the workers.
  if (servers.length > 1)
    await useClient({ ...server, database }, async (client) => {
      for (const statement of listDatabaseSettings(database)) await client.query(statement);
    });
  cleanUpAfterFile(async () => {
    for (const each of servers) await dropDatabase(each, database);
  });
  return { ...server, database };
}

function dropDatabase(server: TestPostgres, database: string): Promise<void> {
  return useClient(server, async (client) => {
    await client.query(`drop database if exists ${database} with (force)`);
  });
}

async function useClient(server: TestPostgres, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** Copies the template, again if PostgreSQL refuses because another session is copying or leaving it. */
async function copyTemplate(client: pg.Client, database: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // The other strategy writes each page to the log, which takes ten times as long as to copy the files.
      await client.query(`create database ${database} template ${template} strategy file_copy`);
      return;
    } catch (error) {
      if (attempt === 50 || (error as { code?: string }).code !== '55006') throw error;
      await client.query('select pg_sleep(0.05)');
    }
  }
}

export function createFakeClock(start = new Date('2026-03-02T09:00:00.000Z')): FakeClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: (ms) => void (now += ms),
    set: (date) => void (now = date.getTime()),
  };
}

/** Writes defects to the test output, and no requests. */
function createTestLog() {
  return pino({ level: process.env['TESSERA_TEST_LOG'] ?? 'error' });
}

function createRequester({ server }: App) {
  return async (
    method: string,
    at: string,
    { body, raw, token, cookies, headers }: TestRequest = {},
  ): Promise<TestReply> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await server.inject({
      method: method as 'GET',
      url: at.startsWith('//') ? at.slice(1) : `/api/v1${at}`,
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(cookies && { cookies }),
      ...(payload !== undefined && { payload }),
    });
    return {
      status: response.statusCode,
      body: parseBody(response.payload),
      headers: response.headers,
      cookies: Object.fromEntries(response.cookies.map(({ name, value }) => [name, value])),
    };
  };
}

function parseBody(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

async function readMailFolder(folder: string): Promise<readonly TestMail[]> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(
    names
      // The mailer renames a file with a dot in front when it is complete.
      .filter((name) => !name.startsWith('.'))
      .sort((one, other) => (one < other ? -1 : 1))
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  return texts.map(parseMail);
}

/** Parses the part of RFC 5322 that our own emails use: folded headers, and one text or two alternatives. */
function parseMail(eml: string): TestMail {
  const { readHeader, body, text } = parsePart(eml);
  const boundary = /boundary="([^"]+)"/.exec(readHeader('content-type'))?.[1];
  const alternatives =
    boundary === undefined
      ? []
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => parsePart(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const findPart = (type: string) =>
    alternatives.find((part) => part.readHeader('content-type').startsWith(type))?.text;
  return {
    to: readHeader('to'),
    subject: readHeader('subject'),
    text: findPart('text/plain') ?? text,
    html: findPart('text/html') ?? '',
  };
}

function parsePart(part: string) {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const readHeader = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1] ?? '';
  const body = rest.join('\r\n\r\n');
  const quoted = /quoted-printable/i.test(readHeader('content-transfer-encoding'));
  return { readHeader, body, text: quoted ? decodeQuotedPrintable(body) : body };
}

function decodeQuotedPrintable(body: string): string {
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function wrapOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** An id that no object has. */
export const unknownId = randomUUID();
