import { expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();

const read = async (service: TestApp) => {
  const { token } = await service.registerPlatformAdmin();
  return (await service.request('GET', '/operator/health', { token })).body;
};

test('describes the process, what it depends on, and its last hour', async () => {
  await app.request('GET', '/nowhere');
  const body = await read(app);
  expect(body).toMatchObject({
    node: { version: expect.any(String), node_version: process.version, roles: ['api', 'worker'] },
    database: { state: 'up', connections_max: 10 },
    queue: { failed: 0 },
    matching: { readiness: 'building', members: 0, lag_seconds: null },
    mail: { transport: 'files' },
  });
  expect(body.keys).toHaveLength(3);
  expect(body.minutes).toHaveLength(1);
  const [{ requests, refused, failed, median_ms, p95_ms }] = body.minutes;
  expect([requests >= 3, refused >= 1, failed, p95_ms >= median_ms]).toEqual([true, true, 0, true]);
});

test('a process without workers says that it does not match', async () => {
  const api = await startApp({ TESSERA_ROLES: 'api', TESSERA_SMTP_URL: 'smtp://127.0.0.1:2525' });
  expect(await read(api)).toMatchObject({
    node: { roles: ['api'] },
    matching: null,
    mail: { transport: 'smtp' },
  });
});

test('only a platform administrator may read it', () => expectOperatorOnly(app, 'GET', '/operator/health'));
