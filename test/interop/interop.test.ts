import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { findFreePorts, prepareDataDir, runNpm } from '#test/process/run-tessera.ts';
import { interopAdditions } from './additions.ts';

test('the service itself serves no adapter of test suites', async () => {
  const app = await startApp();
  for (const { path } of interopAdditions.originRows ?? [])
    expect([path, (await app.request('POST', `/${path}`, { body: {} })).status]).toEqual([path, 404]);
  expect(await listTools(app)).not.toContainEqual(expect.objectContaining({ name: 'test_simple_text' }));
});

test('with the adapters, the tools of the suites are listed and called beside those of the service', async () => {
  const app = await startApp({}, undefined, interopAdditions);
  const own = await listTools(await startApp());
  const tools = await listTools(app);
  expect(tools.slice(0, own.length)).toEqual(own);
  expect(tools).toContainEqual(expect.objectContaining({ name: 'test_simple_text' }));
  const { result } = await callMcp(app, 'tools/call', { name: 'list_traits', arguments: {} });
  expect(result.structuredContent.traits).toHaveLength(20);
  expect((await callMcp(app, 'tools/call', { name: 'test_simple_text' })).result.content).toHaveLength(1);
});

test('`npm run interop` serves the adapters until it is stopped, and is refused in production', async () => {
  const ports = await findFreePorts();
  const service = runNpm(['run', 'interop'], { ...ports, TESSERA_DATA_DIR: await prepareDataDir() });
  const url = await service.ready;
  const post = async (path: string, body: object) =>
    (
      await fetch(`${url}/vc-api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json() as Promise<object>;
  const credential = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential'],
    issuer: `did:web:${new URL(url).host.replace(':', '%3A')}`,
    credentialSubject: { id: 'did:example:subject' },
  };
  const verifiableCredential = await post('/credentials/issue', { credential });
  expect(await post('/credentials/verify', { verifiableCredential })).toMatchObject({ verified: true });
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  const refused = runNpm(['run', 'interop'], { TESSERA_ENV: 'production' });
  expect(await refused.exited).toBe(1);
  expect(refused.readErrors()).toContain('the adapters for test suites are refused');
});

type App = Awaited<ReturnType<typeof startApp>>;

async function listTools(app: App): Promise<readonly object[]> {
  return (await callMcp(app, 'tools/list')).result.tools;
}

async function callMcp(app: App, method: string, params: object = {}) {
  const reply = await app.request('POST', '//mcp/public', {
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method, params },
  });
  const { body } = reply;
  return typeof body === 'string' ? JSON.parse(/^data: (.*)$/m.exec(body)![1]!) : body;
}
