import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Refusal, refusals } from '#lib/refusal.ts';
import { buildOpenApiDocument } from '#platform/http/openapi.ts';
import type { OriginHandler, OriginReply } from '#platform/http/origin-routes.ts';
import type { Row } from '#platform/http/row.ts';
import { instanceMemory } from '#platform/instance-memory.ts';

const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Swagger UI styles elements in place. Everything is served from here, so the page works without the internet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Builds the handler of `/openapi.json` for the rows of the API. The document is built with the first request, once per service. */
export function buildOpenApiHandler(rows: readonly Row[]): OriginHandler {
  const getDocument = instanceMemory(({ config }) =>
    JSON.stringify(buildOpenApiDocument(rows, config.publicUrl)),
  );
  return (platform) => buildPageReply('application/json; charset=utf-8', getDocument(platform));
}

/** The page to read and try the API. */
export const serveDocs: OriginHandler = () =>
  buildPageReply(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tessera API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`,
  );

/** The script that starts the page. */
export const serveDocsScript: OriginHandler = () =>
  buildPageReply(
    'text/javascript; charset=utf-8',
    `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', validatorUrl: null, deepLinking: true });
`,
  );

/** The files of Swagger UI that the page loads. */
export const serveDocsAsset: OriginHandler = async (_, { params }) => {
  const name = params['name'] ?? '';
  const type = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (type === undefined) throw new Refusal('route_not_found');
  return buildPageReply(type, await readFile(path.join(swaggerUi, name), 'utf8'));
};

/** The list of all error codes; the `type` of every problem points into it. */
export const serveProblems: OriginHandler = () => {
  const entries = Object.entries(refusals).map(
    ([code, [status, sentence]]) =>
      `<dt id="${code}"><code>${code}</code> · ${status}</dt><dd>${sentence}</dd>`,
  );
  return buildPageReply(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tessera: problems</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem } dt { margin-top: 1rem }
dt:target { background: #fff3bf }</style></head>
<body><h1>Problems</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these stable codes.</p>
<dl>
${entries.join('\n')}
</dl></body>
</html>
`,
  );
};

function buildPageReply(type: string, content: string): OriginReply {
  const headers = {
    'content-type': type,
    'content-security-policy': policy,
    'cache-control': 'public, max-age=300',
  };
  return { headers, content };
}
