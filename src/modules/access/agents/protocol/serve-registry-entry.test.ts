import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import schema from '#test/fixtures/mcp-server.schema.json' with { type: 'json' };
import { serveRegistryEntry } from './serve-registry-entry.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://work.river-murray.example' });
const isEntry = formats.default(new Ajv()).compile(schema);

test('a registry of MCP servers accepts the entry of the service, under the name of its domain', async () => {
  const { status, body } = await app.request('GET', '//server.json');
  expect(status).toBe(200);
  expect([isEntry(body), isEntry.errors]).toEqual([true, null]);
  expect(body).toMatchObject({
    name: 'example.river-murray.work/tessera',
    remotes: [{ type: 'streamable-http', url: 'https://work.river-murray.example/mcp' }],
  });
});

test.each([
  ['http://localhost:8420', 'localhost/tessera'],
  ['https://[2001:db8::1]', '-2001-db8--1-/tessera'],
  ['https://xn--mnchen-3ya.example', 'example.xn--mnchen-3ya/tessera'],
])('the entry of %s is valid too', async (publicUrl, name) => {
  const { content } = await serveRegistryEntry({
    ...app.platform,
    config: { ...app.platform.config, publicUrl },
  });
  expect(isEntry(content)).toBe(true);
  expect(content).toMatchObject({ name });
});
