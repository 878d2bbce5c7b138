import {
  createMcpHandler,
  ProtocolError,
  McpServer,
  type AuthInfo,
  type CallToolResult,
  type Implementation,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Logger } from '#platform/telemetry/log.ts';
import type { McpExtension } from './extension.ts';
import type { ToolOutcome } from './tool-call.ts';
import type { ListedTool } from './write-tool.ts';

/** What the library's handlers need to know about the request, besides what they read themselves. */
export type LibraryRequest = {
  /** Calls a tool of this service with the arguments as they were sent; undefined for a tool that it does not have. */
  readonly callTool: ((name: string) => Promise<ToolOutcome>) | undefined;
  readonly tools: readonly ListedTool[];
};

export type LibraryOptions = {
  readonly serverInfo: Implementation;
  readonly instructions: string;
  readonly log: Logger;
  readonly extension: McpExtension | undefined;
};

/** A client may keep a list of tools this long. It depends on what the person has allowed. */
const tools_ttl_ms = 60_000;

/** How many streams of notifications may be open at once. Only an extension sends any. */
const subscriptions_max = 10;

/**
 * Builds the handler of the protocol for both revisions, from one server that is created for each request. It has no state between requests:
 * any node can serve the next one. Nothing is left of a request when its reply is sent.
 */
export function createLibraryHandler(options: LibraryOptions): McpHttpHandler {
  const { serverInfo, log, extension } = options;
  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => {
      const { callTool, tools: ownTools } = readRequest(authInfo);
      if (!extension || callTool) return createServer(options);
      return extension.createServer({ serverInfo, ownTools, findNotifier: () => handler.notify });
    },
    {
      maxSubscriptions: extension ? subscriptions_max : 0,
      // The library reports every request that it refuses here, and the line of the request has its status.
      onerror: (error) => log.debug({ err: error }, 'the MCP library refused a request'),
    },
  );
  return handler;
}

/** The server below the library's high-level one, which would turn every error into a result: the demand for a payment has to be an error of the protocol. */
function createServer({ serverInfo, instructions }: LibraryOptions): McpServer['server'] {
  const { server } = new McpServer(serverInfo, {
    // A server without state between requests has nobody to tell. The library says true where nothing is said.
    capabilities: { tools: { listChanged: false } },
    instructions,
    cacheHints: {
      'tools/list': { ttlMs: tools_ttl_ms, cacheScope: 'private' },
      'server/discover': { ttlMs: tools_ttl_ms, cacheScope: 'public' },
    },
  });
  server.setRequestHandler('tools/list', (_request, context) => ({
    tools: [...readRequest(context.http?.authInfo).tools],
  }));
  server.setRequestHandler('tools/call', async (request, context) => {
    const { callTool } = readRequest(context.http?.authInfo);
    const { name } = request.params;
    if (callTool) return toLibraryResult(await callTool(name));
    const data = { code: 'tool_not_found', what_to_do: unknown_tool_advice };
    throw new ProtocolError(-32_602, `Unknown tool: ${name}`, data);
  });
  return server;
}

const unknown_tool_advice = 'Call tools/list for the tools that exist.';

/** Carries our own view of the request through the library, which passes it on unchanged. */
export function toAuthInfo(request: LibraryRequest): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { request } };
}

function readRequest(authInfo: AuthInfo | undefined): LibraryRequest {
  return authInfo?.extra?.['request'] as LibraryRequest;
}

function toLibraryResult(outcome: ToolOutcome): CallToolResult {
  if (outcome.kind === 'error') {
    const { code, message, data } = outcome.error;
    throw new ProtocolError(code, message, data);
  }
  const { members, meta } = outcome;
  return { ...(JSON.parse(`{${members}}`) as CallToolResult), ...(meta && { _meta: { ...meta } }) };
}
