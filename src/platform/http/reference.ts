import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { refusals } from '#lib/refusal.ts';
import { buildOpenApiDocument } from '#platform/http/openapi.ts';
import type { Row } from '#platform/http/row.ts';

const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Swagger UI styles elements in place; nothing is loaded from elsewhere, so the page works without the internet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Adds `/openapi.json`, and `/docs` to read and try it. */
export function addReference(server: FastifyInstance, rows: readonly Row[], publicUrl: string): void {
  let document: string | undefined;
  const createPageHandler =
    (type: string, content: string | (() => string)) =>
    (_: unknown, reply: { headers(all: object): { send(content: string): unknown } }) =>
      reply
        .headers({
          'content-type': type,
          'content-security-policy': policy,
          'cache-control': 'public, max-age=300',
        })
        .send(typeof content === 'string' ? content : content());
  // Written when asked for, like the assets below: most starts never show the pages.
  const writeDocument = () => (document ??= JSON.stringify(buildOpenApiDocument(rows, publicUrl)));
  server.get('/openapi.json', createPageHandler('application/json; charset=utf-8', writeDocument));
  server.get('/docs', createPageHandler('text/html; charset=utf-8', docsPage));
  server.get('/docs/start.js', createPageHandler('text/javascript; charset=utf-8', startScript));
  server.get('/docs/problems', createPageHandler('text/html; charset=utf-8', buildProblemsPage()));
  for (const [name, type] of Object.entries(assets)) {
    // Read when asked for: most starts never show the page.
    server.get(`/docs/${name}`, async (request, reply) =>
      createPageHandler(type, await readFile(path.join(swaggerUi, name), 'utf8'))(request, reply),
    );
  }
}

const docsPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tessera API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;

const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', validatorUrl: null, deepLinking: true });
`;

function buildProblemsPage(): string {
  const entries = Object.entries(refusals).map(
    ([code, [status, sentence]]) =>
      `<dt id="${code}"><code>${code}</code> · ${status}</dt><dd>${sentence}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tessera: problems</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem } dt { margin-top: 1rem }
dt:target { background: #fff3bf }</style></head>
<body><h1>Problems</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these stable codes.</p>
<dl>
${entries.join('\n')}
</dl></body>
</html>
`;
}
