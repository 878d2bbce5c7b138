import { Type } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { file, operation, type FileBody } from '#platform/operation.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';
import { buildOpenApiDocument } from './openapi.ts';
import { row } from './row.ts';

const bytes = Buffer.from([0x50, 0x4b, 0x00, 0xff, 0xfe, 0x0a]);

function fileAt(path: string, media_type: string, body: FileBody) {
  const made = operation({
    name: 'test.file',
    summary: 'Answers a file.',
    who: 'anyone',
    input: Type.Object({}),
    output: { 200: file(media_type) },
    refuses: [],
    run: async () => body,
  });
  return row('GET', path, 'public', made);
}

const rows = [
  fileAt('/zip', 'application/zip', { filename: 'data-2026.zip', content: bytes }),
  fileAt('/csv', 'text/csv; charset=utf-8', { filename: 'data.csv', content: 'naïve\r\n' }),
  fileAt('/injected', 'text/csv', { filename: 'a"\r\nset-cookie: x=1', content: '' }),
];

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer(rows);
});

const get = (path: string) => testServer.server.inject({ method: 'GET', url: `/api/v1${path}` });

test('a file leaves byte by byte, as an attachment that no browser shows or guesses about', async () => {
  const { statusCode, rawPayload, headers } = await get('/zip');
  expect([statusCode, rawPayload]).toEqual([200, bytes]);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="data-2026.zip"',
    'content-length': '6',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
});

test('a text leaves as UTF-8 under its own media type', async () => {
  const { payload, headers } = await get('/csv');
  expect([payload, headers['content-type']]).toEqual(['naïve\r\n', 'text/csv; charset=utf-8']);
});

test('a name that could break out of its header is a defect, and nothing of the file leaves', async () => {
  const { statusCode, headers, payload } = await get('/injected');
  expect([statusCode, headers['set-cookie'], headers['content-disposition']]).toEqual([
    500,
    undefined,
    undefined,
  ]);
  expect(JSON.parse(payload)).toMatchObject({ code: 'internal_error' });
});

test('the reference names the media type, without a shape', () => {
  const { paths } = buildOpenApiDocument(rows, 'https://tessera.example') as {
    paths: Record<string, { get: { responses: Record<string, { content: unknown }> } }>;
  };
  expect(paths['/api/v1/csv']!.get.responses['200']!.content).toEqual({ 'text/csv': { schema: {} } });
});
