import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { createFetchOutbound, OutboundError, type OutboundOptions } from './outbound.ts';

const request = { method: 'POST', body: 'event', timeout_ms: 3_000, max_bytes: 1_000 } as const;
const kept = { ...request, keep_for: 'ours' } as const;

/** Starts a server that counts its connections. */
async function startCountingServer(
  listener: RequestListener = (_, response) => void response.end('ok'),
  { host = '127.0.0.1', port = 0 } = {},
) {
  const server: Server = createServer(listener);
  const counted = { connections: 0, open: 0, requests: 0, port: 0, server };
  server.on('connection', (socket) => {
    counted.connections++;
    counted.open++;
    socket.on('close', () => counted.open--);
  });
  server.prependListener('request', () => counted.requests++);
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  cleanUpAfterFile(async () => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(counted, { port: (server.address() as AddressInfo).port });
}

/** 127.0.0.1 and 127.0.0.3 stand for public addresses, and 127.0.0.2 for a private one. */
const isAllowed = (address: string) => address !== '127.0.0.2';

/** Creates a fetch that finds its name at these addresses, one after the other. */
function createResolvingFetch(addresses: readonly string[], options: Partial<OutboundOptions> = {}) {
  let looked_up = 0;
  const resolve = async () => [addresses[Math.min(looked_up++, addresses.length - 1)]!];
  const fetch = createFetchOutbound({ allowPrivate: true, resolve, isAllowed, ...options });
  return { fetch, countLookUps: () => looked_up };
}

const catchFault = (fetching: Promise<unknown>) =>
  fetching.then(
    () => 'no fault',
    (error: unknown) => (error instanceof OutboundError ? error.fault : error),
  );

test('requests that keep their connection share it and the check of its address within their owner; others do not', async () => {
  const server = await startCountingServer();
  const { fetch, countLookUps } = createResolvingFetch(['127.0.0.1']);
  const url = `http://hooks.example:${server.port}/`;
  for (let number = 0; number < 20; number++) expect((await fetch(url, kept)).status).toBe(200);
  expect([server.connections, countLookUps()]).toEqual([1, 1]);
  for (let number = 0; number < 3; number++) await fetch(url, request);
  expect([server.connections, countLookUps()]).toEqual([4, 4]);
  for (let number = 0; number < 3; number++) await fetch(url, { ...request, keep_for: 'theirs' });
  expect([server.connections, countLookUps()]).toEqual([5, 5]);
});

test('once the check has expired, a name that leads to a private address is refused, and its idle connections are closed', async () => {
  const outside = await startCountingServer();
  const inside = await startCountingServer(undefined, { host: '127.0.0.2', port: outside.port });
  const { fetch } = createResolvingFetch(['127.0.0.1', '127.0.0.2'], { checked_ms: 0 });
  const url = `http://rebinding.example:${outside.port}/`;
  await fetch(url, kept);
  expect(outside.open).toBe(1);
  for (let number = 0; number < 3; number++)
    expect(await catchFault(fetch(url, kept))).toBe('address_forbidden');
  await expect.poll(() => outside.open).toBe(0);
  expect([outside.requests, inside.connections]).toEqual([1, 0]);
});

test('during the check, a name that changes leads no connection elsewhere, not even a new one', async () => {
  const outside = await startCountingServer((_, response) =>
    response.writeHead(200, { connection: 'close' }).end('ok'),
  );
  const inside = await startCountingServer(undefined, { host: '127.0.0.2', port: outside.port });
  const { fetch, countLookUps } = createResolvingFetch(['127.0.0.1', '127.0.0.2']);
  for (let number = 0; number < 5; number++) await fetch(`http://rebinding.example:${outside.port}/`, kept);
  expect([outside.connections, inside.connections, countLookUps()]).toEqual([5, 0, 1]);
});

test('a name that moves to another public address gets new connections, and a connection in use ends with its request', async () => {
  const replies: (() => void)[] = [];
  const before = await startCountingServer((_, response) => void replies.push(() => response.end('ok')));
  const after = await startCountingServer(undefined, { host: '127.0.0.3', port: before.port });
  const { fetch } = createResolvingFetch(['127.0.0.1', '127.0.0.3'], { checked_ms: 0 });
  const url = `http://moving.example:${before.port}/`;
  const first = fetch(url, kept);
  await expect.poll(() => replies.length).toBe(1);
  await fetch(url, kept);
  await fetch(url, kept);
  expect([before.open, after.connections]).toEqual([1, 1]);
  replies[0]!();
  expect((await first).status).toBe(200);
  await expect.poll(() => before.open).toBe(0);
});

test('a request on a connection that the server has closed is sent again on a new one, and a request on a new one is not', async () => {
  const server = await startCountingServer((incoming, response) => {
    const isSecond = server.requests === 2;
    if (isSecond || incoming.url === '/never') incoming.socket.destroy();
    else response.end('ok');
  });
  const { fetch } = createResolvingFetch(['127.0.0.1']);
  const url = `http://closing.example:${server.port}/`;
  await fetch(url, kept);
  expect((await fetch(url, kept)).status).toBe(200);
  expect([server.connections, server.requests]).toEqual([2, 3]);
  const { fetch: fetchAnew } = createResolvingFetch(['127.0.0.1']);
  expect(await catchFault(fetchAnew(`${url}never`, kept))).toBe('unreachable');
  expect(server.requests).toBe(4);
});

test('a connection whose response was cut off, was too late or has failed is not used again', async () => {
  const server = await startCountingServer((incoming, response) => {
    if (incoming.url === '/late') return;
    response.end(incoming.url === '/long' ? 'x'.repeat(2_000_000) : 'ok');
  });
  const { fetch } = createResolvingFetch(['127.0.0.1']);
  const url = `http://odd.example:${server.port}`;
  expect((await fetch(`${url}/long`, { ...kept, whenTooLong: 'cut' })).body.length).toBe(1_000);
  expect((await fetch(`${url}/`, kept)).body.toString()).toBe('ok');
  expect(await catchFault(fetch(`${url}/late`, { ...kept, timeout_ms: 200 }))).toBe('timeout');
  expect((await fetch(`${url}/`, kept)).body.toString()).toBe('ok');
  expect(server.connections).toBe(3);
});

test('at most five idle connections to a server stay open', async () => {
  const replies: (() => void)[] = [];
  const server = await startCountingServer((_, response) => void replies.push(() => response.end('ok')));
  const { fetch } = createResolvingFetch(['127.0.0.1']);
  const all = Array.from({ length: 12 }, () => fetch(`http://many.example:${server.port}/`, kept));
  await expect.poll(() => replies.length).toBe(12);
  for (const reply of replies) reply();
  await Promise.all(all);
  await expect.poll(() => server.open).toBe(5);
});
