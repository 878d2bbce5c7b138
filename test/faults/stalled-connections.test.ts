import { readdirSync } from 'node:fs';
import { Type } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { operation } from '#platform/operation.ts';
import { row } from '#platform/http/row.ts';
import { closedObject } from '#platform/schema.ts';
import { createEchoRow, openTestServer, type TestServer } from '../test-server.ts';
import { formatGet, openRawClient, openStalledClient } from './raw-client.ts';

const reply_characters = 16_000_000;
const large = row(
  'GET',
  '/large',
  'public',
  operation({
    name: 'test.large',
    summary: 'Returns more than the buffers of a connection hold.',
    who: 'anyone',
    input: closedObject({}),
    output: { 200: Type.String() },
    refuses: [],
    run: async () => 'x'.repeat(reply_characters),
  }),
);
const echo = createEchoRow({ text: Type.Optional(Type.String()) });
const bounds = { headers_ms: 300, request_ms: 600, idle_ms: 900 };

let testServer: TestServer;
let port: number;
beforeAll(async () => {
  testServer = await openTestServer([echo, large], {}, bounds);
  ({ port } = await testServer.listen());
});

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    testServer.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

const post = 'POST /api/v1/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

/** What a client sends before it stops to read and write. */
const stalls: readonly (readonly [what: string, bytes: string, clients: number])[] = [
  ['nothing', '', 40],
  ['half of the headers', 'GET /api/v1/who HTTP/1.1\r\nhost: x\r\nx-a: b', 40],
  ['half of a body', `${post}content-length: 100\r\n\r\n{"text":"`, 40],
  ['half of a chunked body', `${post}transfer-encoding: chunked\r\n\r\n5\r\n{"tex`, 20],
  ['bytes that are not HTTP', 'NONSENSE\r\n\r\n', 20],
  [
    'a body to a path that refuses it',
    'POST /api/v1/no HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{',
    15,
  ],
  ['a request, and then nothing', formatGet('/nowhere'), 15],
  ['a request for more than it reads', formatGet('/large'), 10],
];

test('two hundred stalled connections of eight kinds leave no descriptor after their time-outs', async () => {
  const before = readdirSync('/dev/fd').length;
  const clients = await Promise.all(
    stalls.flatMap(([, bytes, count]) => Array.from({ length: count }, () => openStalledClient(port, bytes))),
  );
  expect(clients).toHaveLength(200);
  await expect.poll(countConnections).toBe(0);
  // The clients have not closed their ends.
  expect(clients.filter((client) => !client.destroyed && client.writable).length).toBeGreaterThan(100);
  const after = readdirSync('/dev/fd').length;
  expect(after - before).toBeLessThan(clients.length + 20);
});

test.each(stalls)('a client that sends %s is disconnected', async (_, bytes) => {
  const existing = await countConnections();
  await openStalledClient(port, bytes);
  await expect.poll(countConnections).toBeLessThanOrEqual(existing);
});

test('a client that is late gets status 408, and one that is in time gets its reply', async () => {
  const late = await openRawClient(port);
  late.socket.write(`${post}content-length: 13\r\n\r\n{"text"`);
  const inTime = await openRawClient(port);
  inTime.socket.write(`${post}content-length: 13\r\n\r\n{"text"`);
  inTime.socket.write(':"ab"}');
  await late.closed;
  expect(late.readText()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  await inTime.closed;
  expect(inTime.readText()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"text":"ab"\}$/);
});

test('bytes that follow a request and are not HTTP do not take the place of its reply', async () => {
  const client = await openRawClient(port);
  client.socket.write(`${formatGet('/large')}NONSENSE\r\n\r\n`);
  await client.closed;
  expect(client.readText()).not.toContain(' 400 ');
});

describe('the number of connections', () => {
  test('is limited, and a place that becomes free is taken', async () => {
    const small = await openTestServer([echo], {}, { connections_max: 20 });
    const { port: at } = await small.listen();
    const clients = await Promise.all(Array.from({ length: 25 }, () => openRawClient(at)));
    await Promise.race(clients.map(({ closed }) => closed));
    const readClosed = () => clients.filter(({ socket }) => socket.destroyed).length;
    await expect.poll(readClosed).toBe(5);
    for (const { socket } of clients) socket.write(formatGet('/nowhere'));
    const readReplies = () => clients.filter(({ readText }) => readText().includes(' 404 ')).length;
    await expect.poll(readReplies).toBe(20);
    clients.find(({ socket }) => !socket.destroyed)!.socket.destroy();
    await expect
      .poll(async () => {
        const next = await openRawClient(at);
        next.socket.write(formatGet('/nowhere').replace('host: x', 'host: x\r\nconnection: close'));
        await next.closed;
        return next.readText();
      })
      .toContain(' 404 ');
  });
});
