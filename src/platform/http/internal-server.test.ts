import { beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '#test/test-server.ts';
import { openDatabase } from '#platform/database/database.ts';
import { openInternalServer } from './internal-server.ts';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer([]);
});

test('the operator reads measurements and health, and a service without its database is not ready', async () => {
  const { platform } = testServer;
  const inside = openInternalServer(platform, platform.metrics);
  const metrics = await inside.inject('/metrics');
  expect([metrics.statusCode, metrics.headers['content-type']]).toEqual([200, platform.metrics.contentType]);
  expect(metrics.payload).toMatch(/^# TYPE http_request_duration_seconds histogram$/m);
  expect((await inside.inject('/health/live')).json()).toEqual({ status: 'ok' });
  expect((await inside.inject('/health/ready')).json()).toEqual({ status: 'ok', database: 'up' });

  const away = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined);
  const alone = openInternalServer({ ...platform, database: away }, platform.metrics);
  const ready = await alone.inject('/health/ready');
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable', database: 'down' }]);
  expect((await alone.inject('/health/live')).statusCode).toBe(200);
  await away.close();
});

test('the public port has neither measurements nor the state of what we depend on', async () => {
  for (const path of ['/metrics', '/health/ready'])
    expect((await testServer.server.inject(path)).statusCode).toBe(404);
  expect((await testServer.server.inject('/health')).json()).toEqual({ status: 'ok' });
});
