import { randomBytes } from 'node:crypto';
import { request as send, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { operation, stream } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';
import { row } from './row.ts';

const part = 'x'.repeat(64 * 1024);
let produced = 0;
let ended = 0;

function createStreamRow(path: string, produce: () => AsyncGenerator<string>, media_type = 'text/csv') {
  const serveStream = operation({
    name: 'test.stream',
    summary: 'Returns a stream.',
    who: 'anyone',
    input: closedObject({}),
    output: { 200: stream('text/csv', 'text/plain') },
    refuses: [],
    run: async () => ({ media_type, filename: 'rows.csv', chunks: produce() }),
  });
  return row('GET', path, 'public', serveStream);
}

async function* countParts(parts: number): AsyncGenerator<string> {
  try {
    for (produced = 0; produced < parts; produced++) {
      await new Promise((resolve) => void setImmediate(resolve));
      yield part;
    }
  } finally {
    ended++;
  }
}

/** Lets the production of `/stepwise` go on. */
let proceed = () => {};

/** Text that hardly becomes smaller. */
async function* produceRandomParts(): AsyncGenerator<string> {
  try {
    for (produced = 0; produced < 100_000; produced++) yield randomBytes(48 * 1024).toString('base64');
  } finally {
    ended++;
  }
}

const rows = [
  createStreamRow('/stepwise', async function* () {
    yield 'a,b\r\n';
    await new Promise<void>((resolve) => (proceed = resolve));
    yield 'c,d\r\n';
  }),
  createStreamRow('/random', produceRandomParts),
  createStreamRow('/small', async function* () {
    yield 'a,b\r\n';
    yield 'naïve,2\r\n';
  }),
  createStreamRow('/empty', async function* () {}),
  createStreamRow('/large', () => countParts(100_000)),
  createStreamRow('/refused', async function* () {
    const refusal = new Refusal('overloaded', { headers: { 'retry-after': '5' } });
    yield await Promise.reject<string>(refusal);
  }),
  createStreamRow('/broken', async function* () {
    yield 'a,b\r\n';
    await new Promise((resolve) => void setImmediate(resolve));
    throw new Error('the database is gone');
  }),
  createStreamRow('/undeclared', () => countParts(1), 'application/pdf'),
];

let server: TestServer;
let address: { readonly url: string; readonly port: number };
beforeAll(async () => {
  server = await openTestServer(rows);
  address = await server.listen();
});

const get = (path: string, method = 'GET') => fetch(`${address.url}/api/v1${path}`, { method });

test('sends a stream as an attachment, in parts and without a length', async () => {
  const response = await get('/small');
  expect([response.status, await response.text()]).toEqual([200, 'a,b\r\nnaïve,2\r\n']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="rows.csv"',
    'transfer-encoding': 'chunked',
    'cache-control': 'no-store',
  });
  expect(await (await get('/empty')).text()).toBe('');
});

test('HEAD has the headers of GET and ends the production', async () => {
  const before = ended;
  const response = await get('/large', 'HEAD');
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/csv',
  ]);
  await expect.poll(() => ended).toBe(before + 1);
});

test('an error before the first part is a problem like any other', async () => {
  const response = await get('/refused');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ code: 'overloaded' });
  expect(response.headers.get('content-disposition')).toBeNull();
});

test('a media type that the operation does not declare is a defect, and nothing is sent', async () => {
  expect((await get('/undeclared')).status).toBe(500);
});

test('an error after the first part breaks the transfer, so that no receiver takes the file for complete', async () => {
  const response = await get('/broken');
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(server.readLog()).toContain('transfer_broken');
  // Without chunks, the end of the connection is the end of the file: it must be an error as well.
  await expect(readWithHttp10('/broken')).rejects.toThrow(/ECONNRESET/);
  expect(await readWithHttp10('/small')).toContain('naïve,2\r\n');
});

function readWithHttp10(path: string): Promise<string> {
  const socket = connect(address.port, '127.0.0.1');
  socket.write(`GET /api/v1${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
  return text(socket);
}

test.each(['br', 'gzip'])(
  'a compressed part reaches the client before the next one is produced: %s',
  async (encoding) => {
    const response = await fetch(`${address.url}/api/v1/stepwise`, {
      headers: { 'accept-encoding': encoding },
    });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      encoding,
      'Accept-Encoding',
    ]);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('a,b\r\n');
    proceed();
    expect((await reader.read()).value).toBe('c,d\r\n');
    expect((await reader.read()).done).toBe(true);
  },
);

test.each([
  ['/large', {}],
  ['/random', { 'accept-encoding': 'br' }],
])(
  'production waits for a client that does not read, and ends when it disconnects: %s %o',
  async (path, headers) => {
    const before = ended;
    const response = await new Promise<IncomingMessage>((resolve) => {
      const request = send(`${address.url}/api/v1${path}`, { headers }, resolve);
      request.on('error', () => undefined).end();
    });
    response.on('error', () => undefined);
    const waiting = await readSettled(() => produced);
    expect(waiting).toBeLessThan(1_000);
    response.destroy();
    await expect.poll(() => ended).toBe(before + 1);
    expect(produced).toBeLessThan(1_000);
  },
);

/** Reads a number until it has stopped changing. */
async function readSettled(read: () => number): Promise<number> {
  let last = -1;
  const hasSettled = () => {
    const before = last;
    last = read();
    return last > 0 && last === before;
  };
  await expect.poll(hasSettled, { interval: 100 }).toBe(true);
  return last;
}

test('the API reference lists all media types without a schema', () => {
  const { paths } = buildOpenApiDocument(rows, 'https://tessera.example') as {
    paths: Record<string, { get: { responses: Record<string, { content: unknown }> } }>;
  };
  expect(paths['/api/v1/small']!.get.responses['200']!.content).toEqual({
    'text/csv': { schema: {} },
    'text/plain': { schema: {} },
  });
});
