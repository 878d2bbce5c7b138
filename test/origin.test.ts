import { describe, expect, it, test } from 'vitest';
import { internalRows, originRows, protocolRows } from '../src/tables/origin.ts';
import { pageRows } from '../src/tables/pages.ts';
import { openDatabase } from '#platform/database/database.ts';
import { computeAllMatches } from '#modules/matching/matches';
import { openInternalServer } from '#platform/http/server.ts';
import { startApp, unknownId, type TestApp } from './harness.ts';
import { runTask } from './modules/matching.ts';

const app = await startApp({ TESSERA_RATE_LIMITS: 'on' });

const fillIn = (path: string) =>
  path
    .replace('{credential_type}', 'trait_attestation')
    .replace('{name}', 'reference.css')
    .replace('{asset}', 'console.css')
    .replace(/\{\w+\}/, unknownId);

/** The whole paths of a router's tree, which prints each node behind four characters for every level above it. */
function listPaths(tree: string): string[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const node = /^([│ ]*)[├└]── (\S+)( \()?/.exec(line);
    if (!node) return [];
    const level = node[1]!.length / 4;
    parts.splice(level, parts.length, node[2]!);
    return node[3] === undefined ? [] : [parts.join('')];
  });
}

describe('the table of what is served outside the API', () => {
  it.each(originRows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s is served',
    async (_, row) => {
      const reply = await app.server.inject({ method: row.method, url: fillIn(row.path) });
      const code = reply.headers['content-type']?.includes('problem') ? reply.json().code : undefined;
      expect(code).not.toBe('route_not_found');
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
      expect(reply.headers['ratelimit'] !== undefined).toBe(row.limit !== 'unlimited');
    },
  );

  it('lists every route of the server that is not under /api/v1', () => {
    const served = listPaths(app.server.printRoutes({ commonPrefix: false })).filter(
      (path) => !path.startsWith('/api/v1'),
    );
    const paths = [
      ...[...originRows, ...pageRows].map(({ path }) => path),
      ...protocolRows.flatMap((row) => row.paths),
    ];
    expect(new Set(served)).toEqual(new Set(paths.map((path) => path.replace(/\{(\w+)\}/g, ':$1'))));
  });

  it('serves every URL that the documents of wallets and verifiers name', async () => {
    const documents = ['openid-credential-issuer', 'oauth-authorization-server/openid4vci', 'jwt-vc-issuer'];
    for (const name of documents) {
      const document = (await app.server.inject(`/.well-known/${name}`)).json() as Record<string, unknown>;
      const urls = Object.entries(document).filter(([field]) => /_(endpoint|uri)$/.test(field));
      for (const [, url] of urls) {
        const { pathname } = new URL(url as string);
        const known = originRows.some(({ path }) => path === pathname) || pathname.startsWith('/api/v1/');
        expect([pathname, known]).toEqual([pathname, true]);
      }
    }
  });
});

test('the operator reads metrics and health, and a service without its database is not ready', async () => {
  const { platform } = app;
  const internal = openInternalServer(platform, internalRows);
  const metrics = await internal.inject('/metrics');
  expect([metrics.statusCode, metrics.headers['content-type']]).toEqual([200, platform.metrics.contentType]);
  expect(metrics.payload).toMatch(/^# TYPE tessera_http_request_duration_seconds histogram$/m);
  expect((await internal.inject('/health/live')).json()).toEqual({ status: 'ok' });
  expect((await internal.inject('/health/ready')).json()).toMatchObject({ status: 'ok', database: 'up' });

  const away = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined);
  const alone = openInternalServer({ ...platform, database: away }, internalRows);
  const ready = await alone.inject('/health/ready');
  expect([ready.statusCode, ready.json()]).toMatchObject([503, { status: 'unavailable', database: 'down' }]);
  expect((await alone.inject('/health/live')).statusCode).toBe(200);
  await away.close();

  const standby = openDatabase(
    { ...platform.database.settings, options: '-c default_transaction_read_only=on' },
    () => undefined,
  );
  const demoted = openInternalServer({ ...platform, database: standby }, internalRows);
  const refused = await demoted.inject('/health/ready');
  expect([refused.statusCode, refused.json()]).toMatchObject([
    503,
    { status: 'unavailable', database: 'read_only' },
  ]);
  await standby.close();

  const full = { ...platform.database, hasStorage: async () => false };
  const stuck = openInternalServer({ ...platform, database: full }, internalRows);
  const unready = await stuck.inject('/health/ready');
  expect([unready.statusCode, unready.json()]).toMatchObject([
    503,
    { status: 'unavailable', database: 'full' },
  ]);
});

test('readiness says whether matching is ready, and a process without requests is not ready until it is', async () => {
  const readReadiness = async ({ internalServer }: TestApp) => {
    const reply = await internalServer.inject('/health/ready');
    return [reply.statusCode, reply.json()];
  };
  const ok = { status: 'ok', database: 'up' };
  const unavailable = { status: 'unavailable', database: 'up' };
  const both = await startApp();
  const worker = await startApp({ TESSERA_ROLES: 'worker' });
  expect(await readReadiness(both)).toEqual([200, { ...ok, matching: 'building' }]);
  expect(await readReadiness(worker)).toEqual([503, { ...unavailable, matching: 'building' }]);
  for (const service of [both, worker]) await runTask(service, computeAllMatches, {});
  expect(await readReadiness(both)).toEqual([200, { ...ok, matching: 'ready' }]);
  expect(await readReadiness(worker)).toEqual([200, { ...ok, matching: 'ready' }]);
  for (const { clock } of [both, worker]) clock.advance(61_000);
  expect(await readReadiness(both)).toEqual([200, { ...ok, matching: 'behind' }]);
  expect(await readReadiness(worker)).toEqual([503, { ...unavailable, matching: 'behind' }]);
  const api = await startApp({ TESSERA_ROLES: 'api' });
  expect(await readReadiness(api)).toEqual([200, ok]);
});

test('the public port has neither metrics nor the state of what the service depends on', async () => {
  for (const path of ['/metrics', '/health/ready', '/health/live'])
    expect((await app.server.inject(path)).statusCode).toBe(404);
  expect((await app.server.inject('/health')).json()).toEqual({ status: 'ok' });
});
