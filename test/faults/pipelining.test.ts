import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../test-server.ts';
import { createGetRow } from './get-row.ts';
import { formatGet, openRawClient } from './raw-client.ts';

/** Operations that have begun, and the most at the same time. */
let begun = 0;
let running = 0;
let running_most = 0;
/** While it is set, operations at `/held` do not end. */
let held: PromiseWithResolvers<void> | undefined;
let testServer: TestServer;
let port: number;

const rows = [
  createGetRow('/quick', async () => ({ number: ++begun })),
  createGetRow('/held', async () => {
    begun++;
    running_most = Math.max(running_most, ++running);
    await held?.promise;
    running--;
    return { number: begun };
  }),
];

beforeAll(async () => {
  testServer = await openTestServer(rows, { TESSERA_REQUESTS_MAX: '20' });
  ({ port } = await testServer.listen());
});
beforeEach(() => {
  [begun, running, running_most, held] = [0, 0, 0, undefined];
});

afterEach(() => held?.resolve());

const readQuick = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/quick`)).status;

/** As long as a request with an access token. */
const usual_padding = 700;

test('of the requests that one connection pipelines, eight run at a time, and all are replied to in order', async () => {
  held = Promise.withResolvers();
  const client = await openRawClient(port);
  client.socket.write(formatGet('/held', usual_padding).repeat(500));
  await expect.poll(() => running).toBe(8);
  expect(await readQuick()).toBe(200);
  expect(begun).toBe(9);
  held.resolve();
  await expect.poll(client.countReplies).toBe(500);
  expect(running_most).toBe(8);
  const numbers = [...client.readText().matchAll(/\{"number":(\d+)\}/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
});

test('a connection on which more than a hundred requests would wait is closed, and those do not begin', async () => {
  held = Promise.withResolvers();
  const client = await openRawClient(port);
  client.socket.write(formatGet('/held').repeat(2_000));
  await client.closed;
  held.resolve();
  await expect.poll(() => running).toBe(0);
  expect(await readQuick()).toBe(200);
  expect(begun).toBeLessThanOrEqual(9);
});

test('when a client disconnects, its waiting requests do not begin', async () => {
  held = Promise.withResolvers();
  const client = await openRawClient(port);
  client.socket.write(formatGet('/held').repeat(100));
  await expect.poll(() => running).toBe(8);
  client.socket.resetAndDestroy();
  await client.closed;
  held.resolve();
  await expect.poll(() => running).toBe(0);
  for (let later = 0; later < 5; later++) expect(await readQuick()).toBe(200);
  expect(begun).toBe(8 + 5);
});

test('the work of a request whose client has left does not begin', async () => {
  testServer.server.server.prependOnceListener('request', ({ socket }) => socket.destroy());
  const client = await openRawClient(port);
  client.socket.write(formatGet('/quick'));
  await client.closed;
  expect(await readQuick()).toBe(200);
  expect(begun).toBe(1);
});

test('above its share of the requests in flight, a caller gets 503 with Retry-After, until others have ended', async () => {
  held = Promise.withResolvers();
  const url = `http://127.0.0.1:${port}/api/v1`;
  const waiting = Array.from({ length: 10 }, () => fetch(`${url}/held`));
  await expect.poll(() => running).toBe(10);
  const refused = await fetch(`${url}/quick`);
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'overloaded' }),
  ]);
  // The places that one caller cannot take are there for another.
  const known = { headers: { authorization: 'Bearer ada' } };
  expect(
    (await testServer.server.inject({ url: '/api/v1/quick', ...known, remoteAddress: '192.0.2.7' }))
      .statusCode,
  ).toBe(200);
  expect((await fetch(`${url}/quick`, known)).status).toBe(200);
  held.resolve();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  await expect.poll(readQuick).toBe(200);
});

test('work that has begun counts as in flight until it ends, even when its client has left', async () => {
  held = Promise.withResolvers();
  const clients = await Promise.all(Array.from({ length: 10 }, () => openRawClient(port)));
  for (const { socket } of clients) socket.write(formatGet('/held'));
  await expect.poll(() => running).toBe(10);
  for (const { socket } of clients) socket.destroy();
  await expect
    .poll(() => testServer.platform.metrics.formatText())
    .toMatch(/^\S*http_requests_in_flight 0$/m);
  expect(await readQuick()).toBe(503);
  held.resolve();
  await expect.poll(readQuick).toBe(200);
});

test('a server that has refused and served thousands of requests has none in flight', async () => {
  for (let round = 0; round < 200; round++) {
    const replies = await Promise.all(
      ['/quick', '/quick', '/nowhere', '/%', '/held'].map((path) =>
        testServer.server.inject({ method: 'GET', url: `/api/v1${path}` }),
      ),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404, 400, 200]);
  }
});

test('twenty connections that pipeline 2,000 requests each do not starve another client', async () => {
  const open = await openTestServer(rows);
  const { port: at } = await open.listen();
  const clients = await Promise.all(Array.from({ length: 20 }, () => openRawClient(at)));
  const requests = formatGet('/quick', usual_padding).repeat(2_000);
  for (const { socket } of clients) socket.write(requests);
  // How many of their requests were done while the other client waited for one of its own.
  const overtaking: number[] = [];
  for (let asked = 0; asked < 10; asked++) {
    const before = begun;
    expect((await fetch(`http://127.0.0.1:${at}/api/v1/quick`)).status).toBe(200);
    overtaking.push(begun - before);
  }
  expect(begun).toBeGreaterThan(100);
  // Without the limit, nearly all 40,000 come first.
  expect(Math.max(...overtaking)).toBeLessThan(4_000);
});
