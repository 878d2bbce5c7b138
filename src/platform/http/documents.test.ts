import { beforeAll, expect, test } from 'vitest';
import { document, operation, type DocumentBody } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { row } from './row.ts';

function createDocumentRow(path: string, media_types: readonly string[], body: DocumentBody) {
  const serveDocument = operation({
    name: 'test.document',
    summary: 'Returns a document.',
    who: 'anyone',
    input: closedObject({}),
    output: { 200: document(...media_types) },
    refuses: [],
    run: async ({ request }) => ({ ...body, content: request.accept ?? body.content }),
  });
  return row('GET', path, 'public', serveDocument);
}

const jwt = { media_type: 'application/vc+jwt', content: 'a.b.c', max_age_s: 60 };
const rows = [
  createDocumentRow('/one', ['application/vc+jwt'], jwt),
  createDocumentRow('/either', ['application/vc+jwt', 'application/vc'], { ...jwt, max_age_s: 0 }),
  createDocumentRow('/other', ['application/vc'], jwt),
];

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer(rows);
});

const get = (path: string, accept?: string) =>
  testServer.server.inject({ method: 'GET', url: `/api/v1${path}`, headers: accept ? { accept } : {} });

test('sends a document with its media type and its caching time', async () => {
  const { payload, headers } = await get('/one');
  expect(payload).toBe('a.b.c');
  expect(headers).toMatchObject({
    'content-type': 'application/vc+jwt',
    'cache-control': 'public, max-age=60',
    'x-content-type-options': 'nosniff',
  });
  expect(headers).not.toHaveProperty('vary');
  expect(headers).not.toHaveProperty('content-disposition');
});

test('an operation with several media types reads the Accept header, and its reply has a Vary header', async () => {
  const { payload, headers } = await get('/either', 'application/vc');
  expect(payload).toBe('application/vc');
  expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept' });
});

test('an undeclared media type is a defect', async () => {
  const { statusCode, payload } = await get('/other');
  expect(statusCode).toBe(500);
  expect(payload).not.toContain('a.b.c');
});

test('the API reference lists every media type without a schema', () => {
  const { paths } = buildOpenApiDocument(rows, 'https://tessera.example') as {
    paths: Record<string, { get: { responses: Record<string, { content: unknown }> } }>;
  };
  expect(paths['/api/v1/either']!.get.responses['200']!.content).toEqual({
    'application/vc+jwt': { schema: {} },
    'application/vc': { schema: {} },
  });
});
