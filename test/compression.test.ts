import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { originRows } from '../src/tables/origin.ts';
import { startApp } from './harness.ts';
import { buildRpc } from './mcp/agents.ts';
import { createJob } from './modules/jobs.ts';

const app = await startApp();

async function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = await app.server.inject({ method: 'GET', url, headers });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

const readable = originRows.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
const assets = ['/docs/reference.js', '/docs/reference.css', '/assets/console.css', '/assets/figtree.woff2'];

test.each([...readable.map(({ path }) => path), ...assets])(
  'a public document has a tag, and is compressed if it is text: %s',
  async (path) => {
    const [plain, compressed] = [await get(path), await get(path, { 'accept-encoding': 'br, gzip' })];
    if (plain.status !== 200 || !String(plain.headers['cache-control']).startsWith('public')) return;
    expect(plain.headers['etag']).toMatch(/^"[\w-]{27}"$/);
    const again = await get(path, { 'if-none-match': String(compressed.headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const isText = !/\.(?:woff2|png)$/.test(path) && plain.bytes.length >= 1_024;
    expect(compressed.headers['content-encoding']).toBe(isText ? 'br' : undefined);
    const read = isText ? brotliDecompressSync(compressed.bytes) : compressed.bytes;
    expect(read.equals(plain.bytes)).toBe(true);
  },
);

test('the reference and its document are sent in a tenth of their size', async () => {
  for (const path of ['/docs', '/openapi.json'])
    for (const encoding of ['br', 'gzip']) {
      const [plain, compressed] = [await get(path), await get(path, { 'accept-encoding': encoding })];
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 7);
    }
});

test('a page of a visitor is compressed for their own browser, and not for a request that another site caused', async () => {
  const member = await app.registerMember();
  const { cookies } = await app.request('POST', '/auth/login', {
    body: { email: member.email, password: member.password },
  });
  const cookie = `tessera-session=${cookies['refresh_token']}`;
  const visit = (site: string) =>
    get('/app/account', { cookie, accept: 'text/html', 'accept-encoding': 'gzip', 'sec-fetch-site': site });
  const [own, other] = [await visit('same-origin'), await visit('cross-site')];
  expect([own.status, own.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(gunzipSync(own.bytes).toString()).toContain('</html>');
  expect([other.status, other.headers['content-encoding']]).toEqual([200, undefined]);
});

test('a change is accepted with the tag of a compressed reply, from here or from a gateway', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createJob(app, token, { outcome_description: 'The ward is calm at six. '.repeat(60) });
  const path = `/api/v1/orgs/me/jobs/${id}`;
  const authorization = `Bearer ${token}`;
  const read = await get(path, { authorization, 'accept-encoding': 'gzip, deflate, br' });
  expect([read.status, read.headers['content-encoding']]).toEqual([200, 'br']);
  const tag = String(read.headers['etag']);
  expect(tag).toMatch(/^W\/"/);
  const change = (title: string, if_match: string) =>
    app.request('PATCH', `/orgs/me/jobs/${id}`, {
      token,
      body: { title },
      headers: { 'if-match': if_match },
    });
  const changed = await change('Ward sister', tag);
  expect([changed.status, changed.body.title]).toEqual([200, 'Ward sister']);
  expect((await change('Ward brother', tag)).status).toBe(412);
  expect((await change('Ward brother', String(changed.headers['etag']).replace(/"$/, '-gzip"'))).status).toBe(
    200,
  );
});

test('replies of the MCP endpoint are compressed, and an event is not held back', async () => {
  const list = (accept: string, revision: '2026-07-28' | '2025-11-25') => {
    const { body, headers } = buildRpc('tools/list', {}, { revision });
    return app.server.inject({
      method: 'POST',
      url: '/mcp/public',
      headers: { ...headers, accept, 'accept-encoding': 'br' },
      payload: body,
    });
  };
  for (const revision of ['2026-07-28', '2025-11-25'] as const) {
    for (const accept of ['application/json, text/event-stream', 'application/json', '*/*']) {
      const { headers, rawPayload } = await list(accept, revision);
      expect([accept, headers['content-encoding'], headers['vary']]).toEqual([
        accept,
        'br',
        'Accept-Encoding',
      ]);
      expect(JSON.parse(brotliDecompressSync(rawPayload).toString()).result.tools.length).toBeGreaterThan(5);
    }
    const { headers, payload } = await list('text/event-stream', revision);
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/event-stream', undefined]);
    expect(payload).toMatch(/^event: message\ndata: \{/);
  }
});
