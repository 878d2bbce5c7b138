import { startApp, type TestApp, type TestReply } from '#test/harness.ts';
import { connectClient } from '#test/modules/oauth.ts';

/** What a person has allowed an agent. */
export type Allowed = {
  readonly tools: readonly string[];
  readonly refused?: readonly string[];
  /** The most that the agent may spend, in dollars. */
  readonly spend_cap?: number;
};

/** A connected agent. */
export type Agent = { readonly token: string; readonly grant_id: string; readonly client_id: string };

/** A service to which agents can be connected. */
export type AgentApp = TestApp & {
  /** Connects an agent of the user: it asks for the tools, and the user allows them or not. @returns its token. */
  connectAgent(user: { readonly token: string }, allowed: Allowed): Promise<string>;
  findAgent(token: string): Agent;
};

/** Starts a service to which agents can be connected. */
export async function startAgentApp(environment: Readonly<Record<string, string>> = {}): Promise<AgentApp> {
  const app = await startApp(environment);
  const agents = new Map<string, Agent>();
  return {
    ...app,
    connectAgent: async (user, { tools, refused = [], spend_cap = null }) => {
      const scope = [...tools, ...refused].map((tool) => `tool:${tool}`).join(' ');
      const { access_token, grant_id, client_id } = await connectClient(app, user, {
        scope,
        decision: { tools, spend_cap },
      });
      agents.set(access_token, { token: access_token, grant_id, client_id });
      return access_token;
    },
    findAgent: (token) => agents.get(token)!,
  };
}

/** The two revisions of the protocol. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

export type RpcOptions = {
  readonly token?: string;
  readonly revision?: Revision;
  readonly path?: '/mcp' | '/mcp/public';
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends one JSON-RPC request as a client of the revision would, and reads its reply from JSON or from the stream of events. */
export async function sendRpc(
  app: TestApp,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options: RpcOptions = {},
): Promise<TestReply> {
  const { token, path = '/mcp', headers } = options;
  const reply = await app.request('POST', `/${path}`, {
    ...(token !== undefined && { token }),
    ...buildRpc(method, params, options),
    headers: { ...buildRpc(method, params, options).headers, ...headers },
  });
  return { ...reply, body: readRpcBody(reply.body) };
}

/** Builds the body and the headers of a request. */
export function buildRpc(
  method: string,
  params: Readonly<Record<string, unknown>>,
  { revision = '2026-07-28', meta = {} }: RpcOptions = {},
) {
  const name = params['name'];
  const accept = 'application/json, text/event-stream';
  if (revision === '2025-11-25')
    return {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) },
      },
      headers: { accept, 'mcp-protocol-version': revision },
    };
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  };
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
    headers: {
      accept,
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  };
}

function readRpcBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  const data = /^data: (.*)$/m.exec(body)?.[1];
  return data === undefined ? body : JSON.parse(data);
}

/** Calls a tool. */
export function callTool(
  app: TestApp,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
  options: RpcOptions = {},
): Promise<TestReply> {
  return sendRpc(app, 'tools/call', { name, arguments: given }, options);
}

/** Reads what a refused call tells the model. */
export function readProblem({ body }: Pick<TestReply, 'body'>) {
  return JSON.parse(body.result.content[0].text);
}
