import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { PoolConfig } from 'pg';
import { Type } from 'typebox';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import type { ConnectionBounds } from '#platform/http/connections/create-http-server.ts';
import { serveHealth } from '#platform/http/health.ts';
import { row as originRow } from '#platform/http/origin-routes.ts';
import { row, type Row } from '#platform/http/row.ts';
import { openServer } from '#platform/http/server.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { operation, type Context } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { openRateLimits } from '#platform/limits/rate-limits.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { cleanUpAfterFile } from './clean-up.ts';
import { cloneDatabase, createFakeClock, patientSettings, type FakeClock } from './harness.ts';

/** The HTTP server alone, with the rows of the test and with callers whose token is their name. */
export type TestServer = {
  readonly server: FastifyInstance;
  readonly clock: FakeClock;
  readonly database: Database;
  readonly platform: Platform;
  /** The log so far, as text. */
  readonly readLog: () => string;
  /** Listens on a free port. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
};

const health = originRow('GET', '/health', 'public', 'unlimited', serveHealth);

export async function openTestServer(
  rows: readonly Row[],
  environment: Readonly<Record<string, string>> = {},
  bounds: Partial<ConnectionBounds> = {},
  settings: PoolConfig = {},
): Promise<TestServer> {
  const lines: string[] = [];
  const destination = new Writable({
    write: (line: Buffer, _, done) => (lines.push(line.toString()), done()),
  });
  const config = readConfig({ TESSERA_RATE_LIMITS: 'off', ...environment });
  const clock = createFakeClock();
  const log = openLog({ level: 'info', destination });
  const metrics = openMetrics();
  const database = openDatabase(
    { ...patientSettings, ...(await cloneDatabase()), ...settings },
    () => undefined,
  );
  const secrets = createSecrets(randomBytes(32));
  const platform = { config, now: clock.now, log, metrics, database, secrets } as unknown as Platform;
  const limits = openRateLimits({ enabled: config.rateLimits, redisUrl: undefined, clock, log });
  const server = openServer(platform, {
    rows,
    originRows: [health],
    authenticate,
    limits,
    metrics,
    bounds,
  });
  cleanUpAfterFile(async () => {
    await server.close();
    await database.close();
  });
  const listen = async () => {
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as { port: number };
    return { url: `http://127.0.0.1:${port}`, port };
  };
  return { server, clock, database, platform, readLog: () => lines.join(''), listen };
}

/** `Bearer ada` is the member ada. `Bearer expired` and `Bearer nobody` are refused. */
function authenticate(_: Platform, authorization: string): LoggedInCaller {
  const name = /^Bearer (\w+)$/.exec(authorization)?.[1];
  if (name === undefined || name === 'nobody') throw new Refusal('token_invalid');
  if (name === 'expired') throw new Refusal('token_expired');
  return { role: 'member', user_id: name, session_id: name, member_id: name, authenticated_at: new Date(0) };
}

const anything = Type.Unsafe<unknown>({});

/** A public POST at `/echo` that accepts these fields and returns them. */
export function createEchoRow(
  properties: Parameters<typeof Type.Object>[0],
  run?: (context: Context, input: unknown) => Promise<unknown>,
): Row {
  return row(
    'POST',
    '/echo',
    'public',
    operation({
      name: 'test.echo',
      summary: 'Returns its input.',
      who: 'anyone',
      input: Type.Object(properties, { additionalProperties: false }),
      output: { 200: anything },
      refuses: [],
      run: async (context, input) => (run ? run(context as Context, input) : input),
    }),
  );
}
