import { beforeAll, expect, test } from 'vitest';
import { file, operation, type FileBody } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { row } from './row.ts';

const bytes = Buffer.from([0x50, 0x4b, 0x00, 0xff, 0xfe, 0x0a]);

function createFileRow(path: string, media_type: string, body: FileBody) {
  const serveFile = operation({
    name: 'test.file',
    summary: 'Returns a file.',
    who: 'anyone',
    input: closedObject({}),
    output: { 200: file(media_type) },
    refuses: [],
    run: async () => body,
  });
  return row('GET', path, 'public', serveFile);
}

const rows = [
  createFileRow('/zip', 'application/zip', { filename: 'data-2026.zip', content: bytes }),
  createFileRow('/csv', 'text/csv; charset=utf-8', { filename: 'data.csv', content: 'naïve\r\n' }),
  createFileRow('/injected', 'text/csv', { filename: 'a"\r\nset-cookie: x=1', content: '' }),
];

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer(rows);
});

const get = (path: string) => testServer.server.inject({ method: 'GET', url: `/api/v1${path}` });

test('sends a file unchanged, as an attachment that browsers do not display or sniff', async () => {
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

test('sends text as UTF-8 with its own media type', async () => {
  const { payload, headers } = await get('/csv');
  expect([payload, headers['content-type']]).toEqual(['naïve\r\n', 'text/csv; charset=utf-8']);
});

test('a file name that could inject a header is a defect, and the file is not sent', async () => {
  const { statusCode, headers, payload } = await get('/injected');
  expect([statusCode, headers['set-cookie'], headers['content-disposition']]).toEqual([
    500,
    undefined,
    undefined,
  ]);
  expect(JSON.parse(payload)).toMatchObject({ code: 'internal_error' });
});

test('the API reference lists the media type without a schema', () => {
  const { paths } = buildOpenApiDocument(rows, 'https://tessera.example') as {
    paths: Record<string, { get: { responses: Record<string, { content: unknown }> } }>;
  };
  expect(paths['/api/v1/csv']!.get.responses['200']!.content).toEqual({ 'text/csv': { schema: {} } });
});
