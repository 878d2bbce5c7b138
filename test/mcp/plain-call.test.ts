import { classifyInboundRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readPlainCall } from '#platform/mcp/plain-call.ts';
import type { TestReply } from '#test/harness.ts';
import { buildRpc, revisions, startAgentApp, type AgentApp } from './agents.ts';

let app: AgentApp;
let token: string;
beforeAll(async () => {
  app = await startAgentApp();
  const member = await app.registerMember();
  token = await app.connectAgent(member, {
    tools: ['read_profile', 'read_traits', 'answer_assessment_item'],
    refused: ['read_consent'],
  });
});

type Message = { readonly body: unknown; readonly headers: Readonly<Record<string, string>> };

async function send({ body, headers }: Message): Promise<TestReply['body']> {
  const reply = await app.request('POST', '//mcp', { body, headers, token });
  const data = typeof reply.body === 'string' ? /^data: (.*)$/m.exec(reply.body)?.[1] : undefined;
  return hideRequestIds(data === undefined ? reply.body : JSON.parse(data));
}

function hideRequestIds(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid'));
}

const given = fc.constantFrom(
  {},
  { version: 1 },
  { version: 'x' },
  { item_id: 'x', option: 0 },
  { nested: { a: ['é"\u2028'] } },
);
const tools = fc.constantFrom(
  'read_profile',
  'read_traits',
  'answer_assessment_item',
  'read_consent',
  'list_archetypes',
  'create_job',
  'nothing',
);
const ids = fc.oneof(fc.string(), fc.integer());

test('a plain call gets the reply that the library would give', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...revisions), tools, given, ids, async (revision, name, args, id) => {
      const { body, headers } = buildRpc('tools/call', { name, arguments: args }, { revision });
      const plain = { body: { ...body, id }, headers };
      expect(readPlainCall(plain.headers, plain.body)).toBeDefined();
      // The library ignores this parameter, and it makes the call one that is not plain.
      const other = { body: { ...plain.body, params: { ...body.params, extra: 1 } }, headers };
      expect(readPlainCall(headers, other.body)).toBeUndefined();
      expect(await send(plain)).toEqual(await send(other));
    }),
    { numRuns: 60 },
  );
});

test('a call with any fault in its form is left to the library', () => {
  const modern = buildRpc('tools/call', { name: 'read_profile', arguments: {} });
  const legacy = buildRpc('tools/call', { name: 'read_profile', arguments: {} }, { revision: '2025-11-25' });
  expect(readPlainCall(modern.headers, modern.body)).toMatchObject({ isModern: true });
  expect(readPlainCall(legacy.headers, legacy.body)).toMatchObject({ isModern: false });
  for (const message of [modern, legacy])
    for (const change of [
      { jsonrpc: '1.0' },
      { id: null },
      { id: 1.5 },
      { id: undefined },
      { method: 'tools/list' },
      { params: [] },
      { params: { name: 7 } },
      { params: { name: 'read_profile', arguments: [] } },
      { extra: 1 },
    ])
      expect(readPlainCall(message.headers, { ...message.body, ...change })).toBeUndefined();
  for (const [message, change] of [
    [modern, { 'mcp-method': undefined }],
    [modern, { 'mcp-name': 'read_traits' }],
    [modern, { 'mcp-protocol-version': undefined }],
    [modern, { 'mcp-protocol-version': '2025-11-25' }],
    [legacy, { accept: 'application/json' }],
    [legacy, { 'mcp-protocol-version': '2024-01-01' }],
  ] as const)
    expect(readPlainCall({ ...message.headers, ...change }, message.body)).toBeUndefined();
});

test('what is taken for a call of a revision is one for the library too', () => {
  const versions = fc.constantFrom(...revisions, undefined, '2024-01-01');
  const info = fc.oneof(
    fc.record({ name: fc.string(), version: fc.string() }),
    fc.constantFrom(
      { name: 'x' },
      { name: 1, version: 'x' },
      { name: 'x', version: '1', title: 't' },
      null,
      [],
    ),
  );
  const capabilities = fc.constantFrom({}, { sampling: {} }, { experimental: { x402: {} } }, null, 'x');
  const names = fc.constantFrom('read_profile', 'other', undefined);
  fc.assert(
    fc.property(
      versions,
      versions,
      names,
      info,
      capabilities,
      (header, revision, named, clientInfo, declared) => {
        const { body } = buildRpc('tools/call', { name: 'read_profile', arguments: {} });
        const prefix = 'io.modelcontextprotocol/';
        const _meta = {
          ...(revision !== undefined && { [`${prefix}protocolVersion`]: revision }),
          [`${prefix}clientInfo`]: clientInfo,
          [`${prefix}clientCapabilities`]: declared,
        };
        const message = { ...body, params: { ...body.params, _meta: header === '2025-11-25' ? {} : _meta } };
        const headers = {
          accept: 'application/json, text/event-stream',
          ...(header !== undefined && { 'mcp-protocol-version': header }),
          ...(named !== undefined && { 'mcp-method': 'tools/call', 'mcp-name': named }),
        };
        const plain = readPlainCall(headers, message);
        if (!plain) return;
        const classified = classifyInboundRequest({
          httpMethod: 'POST',
          body: message,
          ...(header !== undefined && { protocolVersionHeader: header }),
          ...(named !== undefined && { mcpMethodHeader: 'tools/call', mcpNameHeader: named }),
        });
        expect(classified.kind).toBe(plain.isModern ? 'modern' : 'legacy');
      },
    ),
    { numRuns: 500 },
  );
});
