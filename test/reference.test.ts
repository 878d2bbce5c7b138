import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { originRows } from '../src/tables/origin.ts';
import { pageRows } from '../src/tables/pages.ts';
import { startApp } from './harness.ts';
import { resolveResponses } from './resolve-responses.ts';
import { proves } from './requirements.ts';
import { refusals } from '#lib/refusals.ts';

type PublishedDocument = {
  readonly info: { readonly description: string };
  readonly paths: Record<
    string,
    Record<
      string,
      { operationId: string; security: unknown[]; responses: Record<string, { description: string }> }
    >
  >;
};

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });
const published: Readonly<Record<string, unknown>> = (await app.request('GET', '//openapi.json')).body;
const document: PublishedDocument = resolveResponses(published) as unknown as PublishedDocument;

const listDescriptions = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ path, method, ...each })),
  );

test('a widely used linter finds no fault in the OpenAPI document', async () => {
  proves('version-api-is-preview');
  const linter = new spectral.Spectral();
  const rules = {
    // Two paths of the specification end in a slash.
    'path-keys-no-trailing-slash': 'off',
    // `described-api.test.ts` checks each example against its schema, twenty times as fast.
    'oas3-valid-media-example': 'off',
  } as const;
  linter.setRuleset({ extends: [rulesets.oas as never], rules });
  const found = await linter.run(JSON.stringify(published));
  // A row that is not built yet has no success to describe.
  const isPendingRow = ({ code, path: [, path, method] }: (typeof found)[number]) =>
    code === 'operation-success-response' &&
    document.paths[path!]?.[method!]?.operationId.startsWith('pending.');
  const faults = found.filter((each) => !isPendingRow(each));
  expect(faults.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`)).toEqual([]);
  expect(document.info.description).toMatch(/preview/);
});

test('every row of the table is described once, under a unique name, with its access', () => {
  proves('surface-auth-column-values');
  const rows = [...specifiedRows, ...additionalRows];
  const all = listDescriptions();
  expect(all.map(({ method, path }) => `${method.toUpperCase()} ${path}`)).toEqual(
    expect.arrayContaining(rows.map(({ method, path }) => `${method} /api/v1${path}`)),
  );
  expect(all).toHaveLength(rows.length);
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  for (const { method, path, access } of rows)
    expect(document.paths[`/api/v1${path}`]![method.toLowerCase()]!.security).toEqual(
      access === 'public' ? [] : [{ bearer: [] }],
    );
});

test('every refusal that an operation declares is described at its status', () => {
  for (const { operation, method, path } of [...specifiedRows, ...additionalRows]) {
    const { responses } = document.paths[`/api/v1${path}`]![method.toLowerCase()]!;
    for (const code of operation.refuses)
      expect(responses[refusals[code][0]]?.description).toContain(`${code}: `);
    for (const status of Object.keys(operation.output)) expect(responses).toHaveProperty(status);
  }
});

test('every reference inside the document has a target', () => {
  const text = JSON.stringify(published);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, where]) => where!.split('/'));
  expect(references.length).toBeGreaterThan(10);
  const findTarget = (steps: readonly string[]) =>
    steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], published);
  expect(references.filter((steps) => typeof findTarget(steps) !== 'object')).toEqual([]);
  expect(text).not.toContain('"$id"');
});

test.each(['//docs', '//docs/reference.js', '//docs/reference.css', '//docs/problems'])(
  '%s loads nothing from another origin',
  async (page) => {
    const { status, headers, body } = await app.request('GET', page);
    expect(status).toBe(200);
    expect(String(body)).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|url\(|@import/);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
  },
);

test('the page that shows the document permits no script or style in its text', async () => {
  const { headers } = await app.request('GET', '//docs');
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
});

test('no policy permits inline scripts or styles, and that of the problems names the style in their page', async () => {
  const pages = [...originRows, ...pageRows.filter(({ who }) => who === 'anyone')].map(({ path }) => path);
  expect(pages).toContain('/docs/problems');
  for (const page of pages) {
    const { headers } = await app.request('GET', `/${page}`);
    expect([page, headers['content-security-policy']]).toEqual([page, expect.not.stringContaining('unsafe')]);
  }
  const { headers, body } = await app.request('GET', '//docs/problems');
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(String(body)) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
  expect(String(body)).not.toMatch(/<script| style=/);
});

test('the page that shows the document loads its own script and style', async () => {
  const { body } = await app.request('GET', '//docs');
  const assets = [...String(body).matchAll(/<(?:script|link) [^>]*?(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address!,
  );
  expect(assets).toEqual(['/docs/reference.css', '/docs/reference.js']);
  for (const address of assets) expect((await app.request('GET', `/${address}`)).status).toBe(200);
});

test('the page of problems has an entry for every code, to which the type of a problem links', async () => {
  const { body } = await app.request('GET', '//docs/problems');
  for (const [code, [status, sentence]] of Object.entries(refusals)) {
    expect(body).toContain(`id="${code}"`);
    expect(body).toContain(`· ${status}</dt><dd>${sentence}`);
  }
});

test('the table lists each code once, with a status and a sentence', async () => {
  const read = (name: string) => readFile(new URL(`../src/lib/${name}`, import.meta.url), 'utf8');
  const text = (await read('refusals.ts')).replace('  ...conflicts,', await read('conflicts.ts'));
  expect([...text.matchAll(/^ {2}(\w+): \[\s*(\d{3}),/gm)].map(([, code]) => code)).toEqual(
    Object.keys(refusals),
  );
  for (const [status, sentence] of Object.values(refusals)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/[<>&]/);
  }
});

test.each([
  'consent_required',
  'consent_level_too_low',
  'engagement_level_too_low',
  'email_not_verified',
  'email_missing',
  'recent_authentication_required',
  'mfa_required',
  'mfa_not_enabled',
  'mfa_not_set_up',
  'sso_domain_unverified',
  'sso_not_configured',
  'trait_vector_not_found',
  'archetype_not_found',
  'job_closed',
  'webhook_inactive',
  'transaction_pending',
  'payment_balance_too_low',
  'payment_wallet_foreign',
  'payment_rail_unsupported',
  'payouts_unavailable',
  'network_not_allowed',
  'host_not_allowed',
] as const)(
  '%s depends on a state or a setting, and names the request or the variable that changes it',
  (code) => {
    expect(refusals[code][1]).toMatch(/TESSERA_[A-Z_]+|(?:GET|POST|PUT|PATCH) \/|PATCH|\/app\//);
  },
);
