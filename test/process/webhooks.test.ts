import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { findFreePorts, prepareDataDir, runTessera, type TesseraProcess } from './run-tessera.ts';

const events = 60;

let service: TesseraProcess | undefined;
afterAll(async () => {
  service?.process.kill('SIGTERM');
  await service?.exited;
});

test('a worker that is killed while it sends webhooks loses no event, and none is stuck after a restart', async () => {
  const environment = {
    TESSERA_DATA_DIR: await prepareDataDir(),
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
    ...(await findFreePorts()),
  };
  const start = async () => {
    service = runTessera(['serve'], environment);
    return (await service.ready).replace('localhost', '127.0.0.1');
  };
  let url = await start();
  let token = '';
  const send = async (method: string, path: string, body?: object): Promise<Record<string, never>> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
    const reply = (await response.json()) as Record<string, never>;
    if (response.ok) return reply;
    // A busy machine serves a burst of one caller in parts.
    if (response.status !== 503) throw new Error(JSON.stringify(reply));
    await pause(Number(response.headers.get('retry-after')) * 1_000);
    return send(method, path, body);
  };
  const account = { email: 'hooks@example.org', password: 'Correct-Horse-7-Battery' };
  token = (await send('POST', '/auth/register', { ...account, name: 'Hooks', role: 'org_admin' }))[
    'access_token'
  ]!;

  const receiver = await startWebhookReceiver();
  const { id, secret } = await send('POST', '/webhooks/', { url: receiver.url });
  receiver.secrets = [secret!];
  // The first replies are held back, so that attempts are in progress when the worker is killed.
  receiver.reply = (response) => {
    if (receiver.received.length > 15) return;
    response.end('ok');
  };
  const sent = await Promise.all(
    Array.from({ length: events }, () => send('POST', `/webhooks/${id}/test`, {})),
  );
  await expect.poll(() => receiver.received.length).toBeGreaterThan(15);
  service!.process.kill('SIGKILL');
  expect(await service!.exited).toBe('SIGKILL');
  receiver.reply = (response) => response.end('ok');
  url = await start();

  const countStatuses = async () => {
    const { data } = (await send('GET', `/webhooks/${id}/deliveries?limit=100`)) as unknown as {
      data: readonly { status: string }[];
    };
    return Object.fromEntries(
      [...Map.groupBy(data, ({ status }) => status)].map(([name, { length }]) => [name, length]),
    );
  };
  await expect.poll(countStatuses, { interval: 500 }).toEqual({ delivered: events });
  const received = new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']));
  expect(received).toEqual(new Set(sent.map((delivery) => delivery['id'])));
  expect(receiver.received.every(({ event }) => event !== undefined)).toBe(true);
});
