import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { insertAgents } from './lib/agents.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { receiveDone, receiveMessage, requestUsage, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import type { LoadOrder, LoadSetup } from './lib/load-generator.ts';
import { measureLeast } from './lib/measure.ts';
import { formatMicroseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

const caller_count = 500;

/** Measures the processor time of a call of a tool, compared with a request of the same operation to the API. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [300, 3] : [1_000, 60];
  const costs = await measureLeast(await startSubjects(cleaning, count), rounds);
  const row = (tool: string, revision: string, ours: number, rest: number) => {
    const cells = [formatMicroseconds(ours), formatMicroseconds(rest), formatRatio(rest / ours), '0.5×'];
    return [`\`${tool}\``, revision, ...cells];
  };
  return {
    title: 'Calls of tools over MCP',
    tables: [
      {
        head: ['tool', 'revision', 'tools/call', 'the API', 'rate of the API', 'target'],
        rows: [
          row('read_profile', '2026-07-28', costs.profile, costs.restProfile),
          row('read_profile', '2025-11-25', costs.formerProfile, costs.restProfile),
          row('list_archetypes', '2026-07-28', costs.archetypes, costs.restArchetypes),
        ],
      },
    ],
    notes: [
      `The time is the user and system time of all threads of the service: the least of ${rounds} slices of ${count} requests each, which alternate between`,
      'the subjects, with 16 connections from another process. A call of `read_profile` looks up the grant of its token by its primary key, which a request with',
      'an access token does not; its result has the reply twice, as structured content and as text. Rate limits are off.',
    ],
  };
};

type Subject = 'profile' | 'formerProfile' | 'restProfile' | 'archetypes' | 'restArchetypes';

async function startSubjects(cleaning: AsyncDisposableStack, count: number) {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, process.env['BENCH_NODE_FLAGS']?.split(' '), {
    TESSERA_RATE_LIMITS: 'off',
  });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const callers = await insertCallers(settings, dataDir, service.publicUrl, caller_count);
  const tokens = await insertAgents(settings, dataDir, service.publicUrl, callers);
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  generator.send({ requests: buildRequests(callers, tokens) } satisfies LoadSetup);
  await receiveMessage(generator);
  const createSlice = (subject: Subject) => () =>
    measureSlice(service.child, generator, { subject, port: service.port, count });
  return {
    profile: createSlice('profile'),
    formerProfile: createSlice('formerProfile'),
    restProfile: createSlice('restProfile'),
    archetypes: createSlice('archetypes'),
    restArchetypes: createSlice('restArchetypes'),
  };
}

/** Measures the microseconds of processor time of a request. */
async function measureSlice(
  server: ChildProcess,
  generator: ChildProcess,
  order: LoadOrder,
): Promise<number> {
  const before = await requestUsage(server);
  generator.send(order);
  await receiveDone(generator);
  const after = await requestUsage(server);
  return (after.cpu_us - before.cpu_us) / order.count;
}

function buildRequests(
  callers: readonly CallerPair[],
  tokens: readonly string[],
): Readonly<Record<Subject, readonly string[]>> {
  const buildGet = (target: string, token?: string) =>
    `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}\r\n`;
  return {
    restProfile: callers.map(({ member_token }) => buildGet('/api/v1/members/me', member_token)),
    profile: tokens.map((token) => buildCall('/mcp', 'read_profile', '2026-07-28', token)),
    formerProfile: tokens.map((token) => buildCall('/mcp', 'read_profile', '2025-11-25', token)),
    restArchetypes: [buildGet('/api/v1/taxonomy/archetypes')],
    archetypes: [buildCall('/mcp/public', 'list_archetypes', '2026-07-28')],
  };
}

function buildCall(target: string, name: string, revision: string, token?: string): string {
  const isModern = revision === '2026-07-28';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: {}, ...(isModern && { _meta: envelope }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = [
    'host: localhost',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${Buffer.byteLength(body)}`,
    `mcp-protocol-version: ${revision}`,
    ...(isModern ? ['mcp-method: tools/call', `mcp-name: ${name}`] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
  ];
  return `POST ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}
