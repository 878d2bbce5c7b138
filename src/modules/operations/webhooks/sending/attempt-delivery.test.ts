import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFetchOutbound, type FetchOutbound } from '#platform/outbound/outbound.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { createFakeClock } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts';
import { readKeys } from '../signatures.ts';
import { attemptDelivery } from './attempt-delivery.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

const clock = createFakeClock();
const errors: unknown[] = [];
const log = { error: (fault: unknown) => void errors.push(fault) } as never;
const local = createFetchOutbound({ allowPrivate: true });

const attempt = (url: string, fetchOutbound: FetchOutbound = local) =>
  attemptDelivery(
    { fetchOutbound, now: clock.now, log },
    {
      subscription_id: randomUUID(),
      url,
      keys: { current: readKeys('a-secret-of-the-client'), previous: undefined },
    },
    { id: randomUUID(), event_type: 'match.accepted', body: '{"a":1}' },
  );

test.each([200, 201, 204, 299])('status %i is a success', async (status) => {
  receiver.reply = (response) => response.writeHead(status).end();
  expect(await attempt(receiver.url)).toMatchObject({ response_status: status, error: null });
});

test.each([
  [400, 'http_status'],
  [404, 'http_status'],
  [410, 'gone'],
  [429, 'http_status'],
  [500, 'http_status'],
  [503, 'http_status'],
])('status %i is a failure', async (status, error) => {
  proves('webhook-delivery-fails-on-non-2xx');
  receiver.reply = (response) => response.writeHead(status).end();
  expect(await attempt(receiver.url)).toMatchObject({ response_status: status, error });
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with status %i is a failure and is not followed',
  async (status) => {
    const elsewhere = await startWebhookReceiver();
    receiver.reply = (response) => response.writeHead(status, { location: elsewhere.url }).end();
    expect(await attempt(receiver.url)).toMatchObject({ response_status: status, error: 'redirect' });
    expect(elsewhere.received).toEqual([]);
  },
);

describe('a reply', () => {
  test('that comes after more than 30 seconds is a failure', async () => {
    proves('webhook-delivery-fails-after-30-seconds');
    const limits: number[] = [];
    const fetchLimited: FetchOutbound = (url, request) => {
      limits.push(request.timeout_ms);
      return local(url, { ...request, timeout_ms: 50 });
    };
    receiver.reply = () => undefined;
    expect(await attempt(receiver.url, fetchLimited)).toMatchObject({
      response_status: null,
      error: 'timeout',
    });
    receiver.reply = (response) => {
      response.writeHead(200).write('a body without an end');
    };
    // The server has replied, but not completely.
    expect(await attempt(receiver.url, fetchLimited)).toMatchObject({
      response_status: 200,
      response_excerpt: null,
      error: 'timeout',
    });
    expect(limits).toEqual([30_000, 30_000]);
  });

  test('of more than 64 KiB is cut off, and 1 KiB of it is kept', async () => {
    let written = 0;
    receiver.reply = (response) => {
      response.writeHead(200);
      const writeMore = () => {
        while (!response.destroyed && response.write('ö'.repeat(8_192))) written += 16_384;
        if (!response.destroyed) response.once('drain', writeMore);
      };
      writeMore();
    };
    const { error, response_excerpt } = await attempt(receiver.url);
    expect([error, Buffer.byteLength(response_excerpt!)]).toEqual([null, 1_024]);
    expect(written).toBeLessThan(64 * 1_048_576);
  });

  test('with bytes that are not text is kept as text that can be stored', async () => {
    receiver.reply = (response) => response.end(Buffer.from([0, 255, 65]));
    expect((await attempt(receiver.url)).response_excerpt).toBe('\u{fffd}\u{fffd}A');
  });

  test('may ask for a pause', async () => {
    receiver.reply = (response) => response.writeHead(503, { 'retry-after': '120' }).end();
    expect(await attempt(receiver.url)).toMatchObject({ error: 'http_status', retry_after_s: 120 });
  });

  test('that is no HTTP is a failure', async () => {
    const server = createServer((socket) => void socket.end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    cleanUpAfterFile(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await attempt(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'unreachable' });
  });
});

test('a server that cannot be reached, a name that cannot be resolved and a defect are failures', async () => {
  expect(await attempt('http://127.0.0.1:1/')).toMatchObject({ error: 'unreachable' });
  const unresolvable = createFetchOutbound({ allowPrivate: true, resolve: async () => [] });
  expect(await attempt('http://nobody.example/', unresolvable)).toMatchObject({ error: 'unresolvable' });
  expect(await attempt('http://x.example/', () => Promise.reject(new Error('a defect')))).toMatchObject({
    error: 'unreachable',
  });
  expect(errors).toHaveLength(1);
});

describe('a private address is never reached', () => {
  test('in production, whatever the name resolves to', async () => {
    const inside = await startWebhookReceiver();
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      const guarded = createFetchOutbound({ allowPrivate: false, resolve: async () => [address] });
      const url = `https://hooks.example:${inside.port}/`;
      expect(await attempt(url, guarded)).toMatchObject({
        response_status: null,
        error: 'address_forbidden',
      });
    }
    const plain = createFetchOutbound({ allowPrivate: false, resolve: async () => ['127.0.0.1'] });
    expect(await attempt(inside.url, plain)).toMatchObject({ error: 'url_forbidden' });
    expect(inside.received).toEqual([]);
  });

  test('in any spelling of its address: a listener on all local addresses sees no connection at all', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    // All addresses of this machine, IPv6 included if there is any.
    await new Promise<void>((resolve) => void server.listen(0, resolve));
    cleanUpAfterFile(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    const guarded = createFetchOutbound({ allowPrivate: false });
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '017700000001',
      '0177.0.0.1',
      '127.1',
      '127.255.255.254',
      '0',
      '0.0.0.0',
      '１２７.０.０.１',
      '127。0。0。1',
      '127.0.0.1.',
      'localhost',
      'localhost.',
      'LOCALHOST',
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
    ];
    for (const host of hosts) {
      const { response_status, error } = await attempt(`https://${host}:${port}/`, guarded);
      expect([host, response_status]).toEqual([host, null]);
      expect(['address_forbidden', 'url_forbidden', 'unresolvable']).toContain(error);
    }
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0']) {
      const resolving = createFetchOutbound({ allowPrivate: false, resolve: async () => [address] });
      expect((await attempt(`https://hooks.example:${port}/`, resolving)).error).toBe('address_forbidden');
    }
    expect(connections).toBe(0);
    // The listener does count, and the service would reach it if it were allowed.
    expect((await attempt(`http://127.1:${port}/`)).error).toBe('unreachable');
    expect(connections).toBeGreaterThan(0);
  });

  test('by a name that changes its address between the check and the connection', async () => {
    // 127.0.0.1 stands for a public address, and 127.0.0.2 for a private one with a server behind it.
    const outside = await startWebhookReceiver('127.0.0.1');
    const inside = await startWebhookReceiver('127.0.0.2', outside.port);
    let resolved = 0;
    const rebinding = createFetchOutbound({
      allowPrivate: true,
      resolve: async () => [resolved++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2'],
      isAllowed: (address) => address === '127.0.0.1',
      checked_ms: 0,
    });
    const outcomes = [];
    for (let number = 0; number < 6; number++)
      outcomes.push((await attempt(`http://rebinding.example:${outside.port}/`, rebinding)).error);
    expect(outcomes).toEqual([
      null,
      'address_forbidden',
      null,
      'address_forbidden',
      null,
      'address_forbidden',
    ]);
    expect([outside.received.length, inside.received.length, resolved]).toEqual([3, 0, 6]);
  });
});
