import type { Platform } from '#platform/platform.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import { refusals } from '#lib/refusals.ts';
import { buildOpenApiDocument, type DocumentParts } from '#platform/openapi/build-document.ts';
import { renderReference, type ReferenceDocument } from '#platform/reference/render-reference.ts';
import type { OriginHandler, OriginReply } from '#platform/http/origin-routes.ts';
import type { Row } from '#platform/http/row.ts';
import { instanceMemory } from '#platform/instance-memory.ts';

/** Everything is served from here, so the page works without the internet. The page itself contains no script and no style. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const problemsStyle = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem } dt { margin-top: 1rem }
dt:target { background: #fff3bf }`;
const problemsStyleHash = createHash('sha256').update(problemsStyle).digest('base64');

/** The page of problems has its style in place, and no script. The policy names that style by its hash, and permits no other. */
const problemsPolicy = `default-src 'none'; style-src 'sha256-${problemsStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const assets: Readonly<Record<string, string>> = {
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
};

/** The document of this service, which says where it is and whether it is a sandbox. */
function buildServiceDocument(
  rows: readonly Row[],
  { publicUrl, sandbox }: Platform['config'],
  parts: DocumentParts,
) {
  return buildOpenApiDocument(rows, publicUrl, { ...parts, sandbox });
}

/** Builds the handler of `/openapi.json` for the rows of the API. The document is built with the first request, once per service. */
export function buildOpenApiHandler(rows: readonly Row[], parts: DocumentParts): OriginHandler {
  const getDocument = instanceMemory(({ config }) =>
    JSON.stringify(buildServiceDocument(rows, config, parts)),
  );
  return (platform) => buildPageReply('application/json; charset=utf-8', getDocument(platform));
}

/** Builds the handler of `/docs`, the page to read and try the API. It is rendered with the first request, once per service. */
export function buildDocsHandler(rows: readonly Row[], parts: DocumentParts): OriginHandler {
  const getPage = instanceMemory(({ config }) =>
    renderReference(buildServiceDocument(rows, config, parts) as unknown as ReferenceDocument),
  );
  return (platform) => buildPageReply('text/html; charset=utf-8', getPage(platform));
}

/** The style and the script of the page. */
export const serveDocsAsset: OriginHandler = async (_, { params }) => {
  const name = params['name'] ?? '';
  const type = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (type === undefined) throw new Refusal('route_not_found');
  return buildPageReply(type, await readFile(path.join(import.meta.dirname, name), 'utf8'));
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
<style>${problemsStyle}</style></head>
<body><h1>Problems</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these stable codes.</p>
<dl>
${entries.join('\n')}
</dl></body>
</html>
`,
    problemsPolicy,
  );
};

function buildPageReply(type: string, content: string, contentPolicy = policy): OriginReply {
  const headers = {
    'content-type': type,
    'content-security-policy': contentPolicy,
    'cache-control': 'public, max-age=300',
  };
  return { headers, content };
}
