import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { createGetRow } from './get-row.ts';
import { formatGet, openRawClient } from './raw-client.ts';

/** Requests of the flood that have been replied to, and whose they are: those of an earlier test may still end. */
let replied = 0;
let flooder = '';
/** Requests at `/slow` hold their connections until it is resolved. */
let held = Promise.withResolvers<void>();
let testServer: TestServer;
let port: number;

const createRow = (path: string, work: () => Promise<unknown>) =>
  createGetRow(path, async () => {
    await work();
    return {};
  });

const rows = [
  createRow('/plain', async () => undefined),
  createRow('/read', () => testServer.database.run(sql`select 1`)),
  createRow('/slow', () =>
    testServer.database.transaction(async (tx) => {
      await tx.run(sql`select 1`);
      await held.promise;
    }),
  ),
];

const connections = 400;

/** Starts the server of the next test, which lets requests wait for a connection for so long. */
async function openServer(wait_ms: number): Promise<void> {
  testServer = await openTestServer(
    rows,
    { TESSERA_REQUESTS_MAX: '2000' },
    {},
    { connectionTimeoutMillis: wait_ms },
  );
  testServer.server.server.on('request', ({ headers }, response) => {
    if (!headers.authorization?.startsWith(`Bearer ${flooder}`)) return;
    response.once('finish', () => void replied++);
  });
  ({ port } = await testServer.listen());
}

const patient_ms = 60_000;
const production_ms = 3_000;

beforeAll(() => openServer(patient_ms));
beforeEach(({ task }) => {
  held = Promise.withResolvers<void>();
  flooder = `flood${task.id.replace(/\W/g, '')}`;
});

afterEach(() => held.resolve());

const send = async (path: string, user: string) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    headers: { authorization: `Bearer ${user}` },
  });
  await response.text();
  return response.status;
};

const countUsed = () => {
  const { total, idle } = testServer.database.countConnections();
  return total - idle;
};

const countUnfinished = () => {
  return countUsed() + testServer.database.countConnections().waiting;
};

/** Sends requests of one caller on many connections, without waiting for replies. */
async function sendFlood(path: string, { user = flooder, each = 20 } = {}) {
  // The server knows whose token it is.
  await send('/plain', user);
  await send('/plain', 'calm');
  replied = 0;
  const clients = await Promise.all(Array.from({ length: connections }, () => openRawClient(port)));
  const request = formatGet(path).replace('\r\n\r\n', `\r\nauthorization: Bearer ${user}\r\n\r\n`);
  for (const { socket } of clients) socket.write(request.repeat(each));
  const stop = async () => {
    for (const { socket } of clients) socket.destroy();
    // What has begun is finished.
    await expect.poll(countUnfinished).toBe(0);
  };
  return { stop, clients };
}

test('a request of another caller begins in the next turn, however many of a flood came before it', async () => {
  const order: string[] = [];
  const sendInside = async (user: string) => {
    const headers = { authorization: `Bearer ${user}` };
    const { statusCode } = await testServer.server.inject({ url: '/api/v1/plain', headers });
    order.push(user);
    return statusCode;
  };
  expect([await sendInside(flooder), await sendInside('calm')]).toEqual([200, 200]);
  const all = [...Array<string>(200).fill(flooder), 'calm'];
  // On a busy machine, the last ones of the flood wait for too long.
  const statuses = await Promise.all(all.map(sendInside));
  expect(statuses.at(-1)).toBe(200);
  expect(order.lastIndexOf('calm') - 2).toBeLessThan(10);
});

/** How many requests of the flood were replied to while a calm caller waited for each of five of its own. */
async function countOvertaking(path: string): Promise<number> {
  const overtaking: number[] = [];
  for (let asked = 0; asked < 5; asked++) {
    const before = replied;
    expect(await send(path, 'calm')).toBe(200);
    overtaking.push(replied - before);
  }
  return Math.max(...overtaking);
}

test.each(['/plain', '/read'])(
  'a flood of one caller at %s goes ahead of another caller by a few requests only',
  async (path) => {
    const { stop } = await sendFlood(path);
    await expect.poll(() => replied, { interval: 5 }).toBeGreaterThan(10);
    // Without turns, at least as many as there are connections.
    expect(await countOvertaking(path)).toBeLessThan(connections / 2);
    expect(replied).toBeLessThan(connections * 20);
    await stop();
  },
);

test('a flood that fills its share of the connections to the database with slow requests makes nobody else wait', async () => {
  const { stop } = await sendFlood('/slow', { each: 1 });
  await expect.poll(() => testServer.database.countConnections().waiting).toBeGreaterThan(100);
  // A quarter of the ten connections.
  await expect.poll(countUsed).toBe(3);
  for (let asked = 0; asked < 5; asked++) expect(await send('/read', 'calm')).toBe(200);
  held.resolve();
  await stop();
});

test('requests that wait for too long get 503 with Retry-After, those of the flood alone', async () => {
  await openServer(production_ms);
  const { stop, clients } = await sendFlood('/slow', { each: 1 });
  const countRefused = () =>
    clients.filter(({ readText }) =>
      /^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n[^]*"code":"overloaded"/.test(readText()),
    ).length;
  while (countRefused() < 100) expect(await send('/read', 'calm')).toBe(200);
  held.resolve();
  await stop();
});

test('many callers of one network do not wait in one line once they are known', async () => {
  await openServer(patient_ms);
  const floods = [];
  for (const user of ['one', 'two']) floods.push(await sendFlood('/read', { user: flooder + user, each: 5 }));
  expect(await countOvertaking('/read')).toBeLessThan(connections / 2);
  await Promise.all(floods.map(({ stop }) => stop()));
});
