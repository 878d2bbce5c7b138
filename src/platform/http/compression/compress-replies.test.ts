import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { document, operation, type OtherOutput } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { openTestServer } from '#test/test-server.ts';
import { row } from '../row.ts';

const common = { summary: 'Returns text.', who: 'anyone', input: closedObject({}), refuses: [] } as const;

function createTextRow(path: string, text: string) {
  const output = { 200: closedObject({ text: Type.String() }) };
  const name = `test${path.replace('/', '.')}`;
  return row(
    'GET',
    path,
    'public',
    operation({ ...common, name, output, etag: true, run: async () => ({ text }) }),
  );
}

function createDocumentRow(path: string, content: string, max_age_s: number) {
  const output: { 200: OtherOutput } = { 200: document('text/plain') };
  const name = `test${path.replace('/', '.')}`;
  const run = async () => ({ media_type: 'text/plain', content, max_age_s });
  return row('GET', path, 'public', operation({ ...common, name, output, run }));
}

const text = 'measured fairly, '.repeat(1_000);
const large = 'paid when read, '.repeat(10_000);
const { server } = await openTestServer([
  createTextRow('/short', 'x'),
  createTextRow('/long', text),
  createTextRow('/large', large),
  createDocumentRow('/public', large, 60),
  createDocumentRow('/private', large, 0),
]);

async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  const reply = await server.inject({ method, url: `/api/v1${path}`, headers });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

test.each(['/long', '/large'])('a reply is compressed as the client likes it: %s', async (path) => {
  const plain = await get(path);
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await get(path, { 'accept-encoding': encoding });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'Accept-Encoding',
      'content-length': String(bytes.length),
      etag: `W/${String(plain.headers['etag'])}`,
    });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 10);
    expect(decompress(bytes).equals(plain.bytes)).toBe(true);
    const head = await get(path, { 'accept-encoding': encoding }, 'HEAD');
    expect(head.headers['content-length']).toBe(String(bytes.length));
  }
});

test('a short reply is sent as it is, unless the client refuses that', async () => {
  const { headers } = await get('/short', { 'accept-encoding': 'br' });
  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers).toMatchObject({ etag: expect.stringMatching(/^"/), vary: 'Accept-Encoding' });
  for (const refusing of ['br, identity;q=0', 'br;q=0.1, *;q=0'])
    expect((await get('/short', { 'accept-encoding': refusing })).headers).toMatchObject({
      'content-encoding': 'br',
      etag: expect.stringMatching(/^W\//),
    });
});

test.each(['identity;q=0', '*;q=0', 'identity;q=0, br;q=0'])(
  'a client that accepts nothing gets the reply as it is: %s',
  async (refusing) => {
    const { status, headers } = await get('/long', { 'accept-encoding': refusing });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
  },
);

test.each(['GET', 'HEAD'] as const)(
  'a client that has the reply gets 304 with what the reply depends on: %s',
  async (method) => {
    const { headers } = await get('/long', { 'accept-encoding': 'br' });
    const etag = String(headers['etag']);
    const strong = etag.replace('W/', '');
    for (const known of [etag, strong, `"x", ${etag}`, strong.replace(/"$/, '-gzip"'), '*']) {
      const again = await get('/long', { 'accept-encoding': 'br', 'if-none-match': known }, method);
      expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0]);
      expect(again.headers).toMatchObject({ etag: strong, vary: 'Accept-Encoding' });
      expect(again.headers).not.toHaveProperty('content-encoding');
    }
    expect((await get('/long', { 'if-none-match': '"x"' }, method)).status).toBe(200);
  },
);

test('a public document has a tag, by which a client does not load it again', async () => {
  const { headers } = await get('/public', { 'accept-encoding': 'br' });
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    etag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
  });
  const again = await get('/public', { 'if-none-match': String(headers['etag']), 'accept-encoding': 'gzip' });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  expect(again.headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: 'Accept-Encoding' });
  expect((await get('/public', { 'if-none-match': '"x"' })).status).toBe(200);
  expect((await get('/private')).headers).not.toHaveProperty('etag');
});

test('a reply with a cookie of the visitor says nothing by its length to another site', async () => {
  const describeVisit = (site: string) => ({
    'accept-encoding': 'br',
    cookie: 'a=b',
    'sec-fetch-site': site,
  });
  expect((await get('/long', describeVisit('cross-site'))).headers).not.toHaveProperty('content-encoding');
  expect((await get('/long', describeVisit('same-origin'))).headers).toHaveProperty('content-encoding', 'br');
});
