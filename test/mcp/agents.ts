import { randomUUID } from 'node:crypto';
import type { ToolName } from '#lib/agent-tools.ts';
import type { CallerGrant, LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { authenticateCaller } from '#modules/auth';
import { recordGrant } from '#modules/grants';
import { startApp, type TestApp, type TestReply } from '#test/harness.ts';

/** What a person has allowed an agent. */
export type Allowed = {
  readonly tools: readonly ToolName[];
  readonly refused?: readonly ToolName[];
  /** The most that the agent may spend, in millionths of a dollar. */
  readonly spend_cap?: bigint;
};

/** A service to which agents are connected without the pages of the sign-in. */
export type AgentApp = TestApp & {
  /** Connects an agent of the user. @returns its token. */
  connectAgent(user: { readonly token: string }, allowed: Allowed): Promise<string>;
  /** Ends every token of an agent. */
  disconnectAgent(token: string): void;
};

/** Starts a service whose tokens of agents are made here; `authorization.test.ts` gets them as clients do. */
export async function startAgentApp(environment: Readonly<Record<string, string>> = {}): Promise<AgentApp> {
  const callers = new Map<string, LoggedInCaller>();
  const app = await startApp(environment, undefined, {
    authenticateAgent: (_platform, authorization) => {
      const caller = callers.get(authorization.replace(/^Bearer /, ''));
      if (!caller) throw new Refusal('token_invalid');
      return caller;
    },
  });
  return {
    ...app,
    connectAgent: async (user, { tools, refused = [], spend_cap = null }) => {
      const caller = await authenticateCaller(app.platform, `Bearer ${user.token}`);
      const token = `agent-${randomUUID()}`;
      const client = { id: token, name: 'Test agent', redirect_host: 'agent.example' };
      const { grant_id } = await app.platform.database.transaction((tx) =>
        recordGrant(app.platform, tx, {
          caller,
          client,
          asked: [...tools, ...refused],
          allowed: tools,
          spend_cap,
          lifetime_days: 30,
        }),
      );
      const grant: CallerGrant = {
        grant_id,
        client_id: client.id,
        tools: new Set(tools),
        refused_tools: new Set(refused),
      };
      callers.set(token, { ...caller, grant });
      return token;
    },
    disconnectAgent: (token) => void callers.delete(token),
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
