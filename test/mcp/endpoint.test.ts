import { beforeAll, describe, expect, test } from 'vitest';
import { isDefaultTool } from '#lib/tool.ts';
import { tools } from '#test/tools.ts';
import { proves } from '#test/requirements.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import {
  buildRpc,
  callTool,
  readProblem,
  revisions,
  sendRpc,
  startAgentApp,
  type AgentApp,
} from './agents.ts';

let app: AgentApp;
let member: TestMember;
let admin: TestOrgUser;

beforeAll(async () => {
  app = await startAgentApp();
  member = await app.registerMember();
  admin = await app.registerOrgAdmin();
});

const publicTools = [
  'list_traits',
  'list_archetypes',
  'verify_attestation',
  'create_identity_stub',
  'add_stub_observations',
  'read_identity_stub',
];

test('the service declares no notification that it cannot send', async () => {
  const token = await app.connectAgent(member, { tools: ['read_profile'] });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'client', version: '1' },
  };
  const { body } = await sendRpc(app, 'initialize', params, { token, revision: '2025-11-25' });
  expect(body.result.capabilities).toEqual({ tools: { listChanged: false } });
  const discovered = await sendRpc(app, 'server/discover', {}, { token, revision: '2026-07-28' });
  expect(discovered.body.result.capabilities.tools).toEqual({ listChanged: false });
});

describe.each(revisions)('revision %s', (revision) => {
  test('calls a tool and returns structured content with a copy as text', async () => {
    proves('mcp-tool-call-shape');
    proves('mcp-endpoint-speaks-json-rpc');
    const token = await app.connectAgent(member, { tools: ['read_profile'] });
    const { status, body } = await callTool(app, 'read_profile', {}, { token, revision });
    expect(status).toBe(200);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(body.result.structuredContent).toMatchObject({ id: member.member_id, engagement_level: 1 });
    expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent);
  });

  test('a tool returns exactly what the API returns to the same user', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile', 'read_consent'] });
    for (const [tool, path] of [
      ['read_profile', '/members/me'],
      ['read_consent', '/members/me/consent'],
    ] as const) {
      const called = await callTool(app, tool, {}, { token, revision });
      const read = await app.request('GET', path, { token: member.token });
      expect(called.body.result.structuredContent).toEqual(read.body);
    }
  });

  test('lists the tools that the person allowed, and public tools always', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile', 'list_matches'] });
    const { body } = await sendRpc(app, 'tools/list', {}, { token, revision });
    const names = body.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...publicTools, 'read_profile', 'list_matches']);
  });

  test('lists the paid tools to those who could allow them, and to nobody else', async () => {
    const paid = ['query_archetype', 'query_trait_profile', 'query_values_profile', 'query_alignment'];
    const token = await app.connectAgent(admin, { tools: ['list_jobs'], refused: ['query_alignment'] });
    const { body } = await sendRpc(app, 'tools/list', {}, { token, revision });
    const names = body.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...publicTools, 'list_jobs', ...paid.slice(0, 3)]);
  });

  test('names the wrong argument', async () => {
    const token = await app.connectAgent(member, { tools: ['answer_assessment_item'] });
    const given = { item_id: 'x', option: 'three', extra: 1 };
    const { status, body } = await callTool(app, 'answer_assessment_item', given, { token, revision });
    expect(status).toBe(200);
    expect(body.result.isError).toBe(true);
    expect(readProblem({ body })).toMatchObject({
      code: 'field_invalid',
      fields: [
        { field: 'extra', reason: expect.any(String) },
        { field: 'option', reason: 'must be an integer' },
      ],
      what_to_do: expect.stringContaining('Correct the fields'),
    });
  });

  test('refuses an unknown tool as an error of the protocol', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile'] });
    const { body } = await callTool(app, 'read_everything', {}, { token, revision });
    expect(body.error).toMatchObject({ code: -32_602, data: { code: 'tool_not_found' } });
  });

  test('explains how to allow a tool that the person has not ticked', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile'], refused: ['read_traits'] });
    const reply = await callTool(app, 'read_traits', {}, { token, revision });
    expect(reply.status).toBe(200);
    expect(reply.body.result.isError).toBe(true);
    expect(readProblem(reply)).toMatchObject({
      code: 'tool_not_granted',
      what_to_do: expect.stringContaining('/app/agents'),
    });
  });

  test('refuses a tool of another role, which nobody could allow', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile'] });
    const reply = await callTool(app, 'create_job', { title: 'x' }, { token, revision });
    expect(readProblem(reply)).toMatchObject({ code: 'role_not_allowed' });
  });

  test('calls a public tool without a token', async () => {
    const { status, body } = await callTool(app, 'list_archetypes', {}, { revision });
    expect(status).toBe(200);
    expect(body.result.structuredContent.archetypes).toHaveLength(12);
  });

  test('serves the public tools, and only them, to programs that never log in', async () => {
    const options = { path: '/mcp/public', revision } as const;
    const { body } = await sendRpc(app, 'tools/list', {}, options);
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(publicTools);
    const called = await callTool(app, 'list_traits', {}, options);
    expect(called.body.result.isError).toBeUndefined();
    const refused = await callTool(app, 'read_profile', {}, options);
    expect(readProblem(refused)).toMatchObject({ code: 'authentication_required' });
  });
});

describe('login', () => {
  test('asks for all tools that do not spend money, at the first request', async () => {
    proves('mcp-agents-use-capability-tokens');
    const { status, headers } = await sendRpc(app, 'server/discover');
    expect(status).toBe(401);
    const challenge = String(headers['www-authenticate']);
    expect(challenge).toContain(
      'resource_metadata="http://localhost:8420/.well-known/oauth-protected-resource/mcp"',
    );
    const scopes = /scope="([^"]*)"/.exec(challenge)![1]!.split(' ');
    expect(scopes).toEqual(tools.filter(isDefaultTool).map(({ name }) => `tool:${name}`));
    expect(challenge).not.toContain('error=');
  });

  test.each(['initialize', 'tools/list', 'ping'])('%s needs a token', async (method) => {
    const { status } = await sendRpc(app, method, {}, { revision: '2025-11-25' });
    expect(status).toBe(401);
  });

  test('asks for a paid tool in addition if that is called first', async () => {
    const { status, headers } = await callTool(app, 'query_archetype', { member_id: member.member_id });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('tool:query_archetype');
    expect(headers['www-authenticate']).not.toContain('tool:query_alignment');
  });

  test('refuses a token that is not valid, including at public tools', async () => {
    for (const token of ['unknown', member.token]) {
      const { status, headers, body } = await callTool(app, 'list_traits', {}, { token });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
      expect(body.error.data.code).toBe('token_invalid');
    }
  });

  test('ends with the grant: the next call is refused', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile'] });
    expect((await callTool(app, 'read_profile', {}, { token })).status).toBe(200);
    const { grant_id } = app.findAgent(token);
    await app.request('DELETE', `/auth/grants/${grant_id}`, { token: member.token });
    expect((await callTool(app, 'read_profile', {}, { token })).status).toBe(401);
  });

  test('asks for what is held and what is needed, where the person was not asked yet', async () => {
    const token = await app.connectAgent(member, { tools: ['read_profile', 'list_matches'] });
    const { status, headers, body } = await callTool(app, 'read_traits', {}, { token });
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(headers['www-authenticate']).toContain(
      'scope="tool:read_profile tool:read_traits tool:list_matches"',
    );
    expect(body.error).toMatchObject({ code: 403, data: { code: 'scope_insufficient' } });
  });
});

describe.each(revisions)('a client of %s', (revision) => {
  test.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*;q=0.8', 'application/json'],
    ['text/*', 'text/event-stream'],
    ['application/json, text/event-stream;q=0', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
  ])('that accepts %s gets its reply as %s', async (accept, media_type) => {
    for (const path of ['/mcp', '/mcp/public'] as const) {
      const token = path === '/mcp' ? await app.connectAgent(member, { tools: ['read_profile'] }) : undefined;
      const options = { revision, path, headers: { accept }, ...(token !== undefined && { token }) };
      for (const reply of [
        await callTool(app, 'list_traits', {}, options),
        await sendRpc(app, 'tools/list', {}, options),
      ]) {
        expect([reply.status, String(reply.headers['content-type'])]).toEqual([200, media_type]);
        expect(reply.body.result).toBeDefined();
      }
    }
  });
});

describe('what does not reach the protocol', () => {
  test.each(['GET', 'DELETE', 'PUT'])('%s is not allowed', async (method) => {
    const { status, headers } = await app.request(method, '//mcp');
    expect(status).toBe(405);
    expect(headers['allow']).toBe('POST, OPTIONS');
  });

  test('a browser may ask what it may send', async () => {
    const { status, headers } = await app.request('OPTIONS', '//mcp', {
      headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toMatch(/MCP-Protocol-Version, Mcp-Method, Mcp-Name/);
    expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  });

  test('a page of another site is refused, a page of this computer is not', async () => {
    const send = (origin: string) => callTool(app, 'list_traits', {}, { headers: { origin } });
    const askPreflight = (origin: string) =>
      app.request('OPTIONS', '//mcp', { headers: { origin, 'access-control-request-method': 'POST' } });
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'file://localhost',
    ])
      for (const reply of [await send(origin), await askPreflight(origin)])
        expect(reply).toMatchObject({ status: 403 });
    for (const origin of ['http://localhost:8420', 'http://127.0.0.1:6274'])
      expect(await send(origin)).toMatchObject({ status: 200 });
  });

  test('a host of another name is refused', async () => {
    const { status, body } = await callTool(app, 'list_traits', {}, { headers: { host: 'evil.example' } });
    expect(status).toBe(403);
    expect(body.error.data.code).toBe('host_not_allowed');
  });

  test.each([
    ['{', 400, -32_700],
    ['[]', 400, -32_600],
    [JSON.stringify([buildRpc('tools/list', {}).body]), 400, -32_600],
    [`{"a":"${'x'.repeat(300_000)}"}`, 413, -32_600],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 422, -32_600],
  ])('the body %.20s is refused', async (raw, status, code) => {
    const token = await app.connectAgent(member, { tools: ['read_profile'] });
    const reply = await app.request('POST', '//mcp', { raw, token });
    expect(reply.status).toBe(status);
    expect(reply.body.error.code).toBe(code);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['without the header of the method', { 'mcp-method': '' }, 400],
    ['with the header of another method', { 'mcp-method': 'tools/list' }, 400],
    ['with the header of another tool', { 'mcp-name': 'list_archetypes' }, 400],
    ['with the header of an unknown revision', { 'mcp-protocol-version': '2030-01-01' }, 400],
  ])('a request %s is refused', async (_name, headers, status) => {
    const reply = await callTool(app, 'list_traits', {}, { headers });
    expect(reply.status).toBe(status);
    expect(reply.body.error).toBeDefined();
  });

  test('an unknown method is refused', async () => {
    const { status, body } = await sendRpc(app, 'tools/forget', {}, { path: '/mcp/public' });
    expect(status).toBe(404);
    expect(body.error.code).toBe(-32_601);
  });
});

test('an agent’s calls are counted by tool and outcome', async () => {
  const token = await app.connectAgent(member, { tools: ['read_legibility'], refused: ['read_traits'] });
  await callTool(app, 'read_legibility', {}, { token });
  await callTool(app, 'read_traits', {}, { token });
  const text = await app.platform.metrics.formatText();
  expect(text).toContain('tessera_tool_calls_total{tool="read_legibility",outcome="succeeded"} 1');
});

test.each(revisions)('null counts as absent where %s has something present or absent', async (revision) => {
  const token = await app.connectAgent(admin, { tools: ['list_jobs'] });
  const options = { token, revision };
  const listed = await sendRpc(app, 'tools/list', { cursor: null }, options);
  expect(listed.body.result.tools.length).toBeGreaterThan(5);
  const called = await sendRpc(app, 'tools/call', { name: 'list_traits', arguments: null }, options);
  expect(called.body.result.structuredContent.version).toBe('MVP-20');
  const given = { limit: null, cursor: null, status: null };
  const jobs = await sendRpc(app, 'tools/call', { name: 'list_jobs', arguments: given }, options);
  expect(jobs.body.result.structuredContent.pagination.total_count).toBe(0);
});
