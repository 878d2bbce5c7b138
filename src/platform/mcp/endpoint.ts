import { toNodeHandler } from '@modelcontextprotocol/node';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { isPublicTool, type Tool } from '#lib/tool.ts';
import { replyToPreflight, sendReply } from '#platform/http/headers.ts';
import type { ApiTexts } from '#platform/openapi/api-texts.ts';
import type { RequestFacts } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { readVersion } from '#platform/telemetry/build.ts';
import { removeAbsentMembers } from './absent-values.ts';
import { decideAccess, isListed } from './access.ts';
import { createToolCalls } from './call-tool.ts';
import { refuseScope, refuseStranger } from './challenge.ts';
import type { McpExtension } from './extension.ts';
import { createLibraryHandler, toAuthInfo } from './library.ts';
import { readPlainCall, writePlainReply } from './plain-call.ts';
import { chooseReplyForm, full_accept, readMessage, writeEvent, type ReplyForm } from './reply-form.ts';
import type { CallTool, ToolOutcome } from './tool-call.ts';
import type { ToolRow } from './tool-row.ts';
import { writeTool, type ListedTool } from './write-tool.ts';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Config } from '#platform/config.ts';
import { toRefusal } from '#platform/http/problem.ts';
import { describeProblem } from './describe-problem.ts';

/** What the endpoint needs besides the platform. */
export type McpOptions = {
  readonly tools: readonly ToolRow[];
  /** What the server says about itself to models. */
  readonly instructions: string;
  /** What the fields of the tools mean. */
  readonly texts: ApiTexts;
  /** Identifies an agent by its capability token. Throws a Refusal with 401 or 403 for anything else, such as an access token of the API. */
  readonly authenticate: (
    platform: Platform,
    authorization: string,
  ) => LoggedInCaller | Promise<LoggedInCaller>;
  /** Stores that an agent has to ask its user for a further tool. */
  readonly noteScopeAsked: (platform: Platform, grant_id: string) => Promise<void>;
  readonly extension?: McpExtension | undefined;
};

/** Where agents log in, and where programs without a user call the public tools. */
export const mcpPaths = { signedIn: '/mcp', public: '/mcp/public' } as const;

const json_headers = { 'content-type': 'application/json' };

/**
 * Adds the MCP endpoint to a server (Streamable HTTP, revisions 2026-07-28 and 2025-11-25, without sessions).
 *
 * At `/mcp` every request needs a capability token except calls of public tools: clients log in only when their first request is refused, and
 * some never do if it succeeds. `/mcp/public` asks nobody to log in and has the public tools alone.
 */
export function addMcpEndpoint(server: FastifyInstance, platform: Platform, options: McpOptions): void {
  void server.register(async (scope) => {
    const endpoint = await openEndpoint(platform, options);
    const checkSite = buildSiteCheck(platform.config);
    scope.setErrorHandler((error, request, reply) => sendRpcProblem(platform, error, request, reply));
    scope.addHook('onRequest', (request, _reply, done) => {
      checkSite(request.host, request.headers.origin);
      done();
    });
    scope.addHook('preHandler', (request, _reply, done) => {
      request.body = removeAbsentMembers(request.body);
      done();
    });
    for (const url of Object.values(mcpPaths)) {
      scope.route({ method: ['GET', 'PUT', 'PATCH', 'DELETE'], url, handler: refuseMethod });
      // A browser learns before the request that its page may not call this endpoint.
      scope.route({
        method: 'OPTIONS',
        url,
        config: { checksPreflight: true },
        handler: (_request, reply) => replyToPreflight(reply),
      });
    }
    const { authenticate, noteScopeAsked } = options;
    scope.route({
      method: 'POST',
      url: mcpPaths.signedIn,
      config: { limited: true, authenticate },
      handler: (request, reply) => {
        const tool = endpoint.findTool(request.body);
        admitAgent(platform, tool, request);
        const { caller } = request;
        return tool && decideAccess(tool, caller) === 'ask_for_scope'
          ? askForScope(tool, caller)
          : endpoint.serve(request, reply, caller);
      },
    });
    scope.route({
      method: 'POST',
      url: mcpPaths.public,
      config: { limited: true, identify: () => Promise.resolve(undefined) },
      handler: (request, reply) => endpoint.serve(request, reply, anonymousCaller),
    });
    scope.addHook('onClose', () => endpoint.close());

    async function askForScope(tool: Tool, caller: Caller): Promise<never> {
      const grant = caller.role === 'anonymous' ? undefined : caller.grant;
      if (grant) await noteScopeAsked(platform, grant.grant_id);
      throw refuseScope(platform, grant, tool);
    }
  });
}

function refuseMethod(): never {
  throw new Refusal('method_not_allowed', { headers: { allow: 'POST, OPTIONS' } });
}

/**
 * Refuses what a client answers by logging in, or by asking the person for more. Both need a status of HTTP, so they are decided before the
 * protocol.
 */
function admitAgent(platform: Platform, tool: Tool | undefined, request: FastifyRequest): void {
  const { caller, authenticationError } = request;
  if (authenticationError) throw refuseStranger(platform, authenticationError, tool);
  if (tool && isPublicTool(tool)) return;
  if (caller.role === 'anonymous') throw refuseStranger(platform, undefined, tool);
}

type Endpoint = {
  /** The tool that a request calls; undefined for other requests and unknown tools. */
  readonly findTool: (body: unknown) => Tool | undefined;
  readonly serve: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<FastifyReply>;
  readonly close: () => Promise<void>;
};

/** A tool that can be called and listed. */
type ServedTool = { readonly tool: Tool; readonly listed: ListedTool; readonly call: CallTool };

async function openEndpoint(platform: Platform, options: McpOptions): Promise<Endpoint> {
  const { config, log, metrics } = platform;
  const { instructions, extension } = options;
  const serverInfo = await describeServer(config);
  const library = createLibraryHandler({ serverInfo, instructions, log, extension });
  const runLibrary = toNodeHandler(library, {
    onerror: (error) => log.error({ err: error }, 'internal_error'),
  });
  const tools = new Map(options.tools.map((row) => [row.tool.name, serveTool(platform, row, options.texts)]));
  metrics.startToolCalls([...tools.keys()]);

  return {
    findTool: (body) => tools.get(readToolName(body) ?? '')?.tool,
    serve: (request, reply, caller) => {
      if (Array.isArray(request.body))
        throw new Refusal('request_malformed', { detail: 'Batches are not supported: send one message.' });
      const form = chooseReplyForm(request.headers.accept);
      const isFree = form === 'any' || form === undefined;
      const plain = isFree ? servePlainCall(request, reply, caller) : undefined;
      if (plain) return plain;
      // Only an extension sends anything before its reply, and the library refuses who accepts neither form.
      if (isFree && (form === undefined || extension)) return streamByLibrary(request, reply, caller);
      const authInfo = buildAuthInfo(request, caller);
      const full = buildFullRequest(config, request);
      return library
        .fetch(full, { authInfo, parsedBody: request.body ?? null })
        .then((response) => sendInForm(form, reply, response));
    },
    close: () => library.close(),
  };

  function servePlainCall(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    const plain = readPlainCall(request.headers, request.body);
    const served = plain && tools.get(plain.name);
    if (!served) return undefined;
    return callTool(served, request, caller).then((outcome) =>
      sendReply(reply, 200, json_headers, writePlainReply(plain, outcome, serverInfo)),
    );
  }

  function buildAuthInfo(request: FastifyRequest, caller: Caller) {
    const served = tools.get(readToolName(request.body) ?? '');
    return toAuthInfo({
      callTool: served && (() => callTool(served, request, caller)),
      tools: [...tools.values()].filter(({ tool }) => isListed(tool, caller)).map(({ listed }) => listed),
    });
  }

  async function streamByLibrary(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    const auth = buildAuthInfo(request, caller);
    for (const [name, value] of Object.entries(request.replyHeaders)) reply.raw.setHeader(name, value);
    // A proxy must not hold events back until the stream ends.
    reply.raw.setHeader('x-accel-buffering', 'no');
    reply.hijack();
    const raw = Object.assign(request.raw, { auth }) as Parameters<typeof runLibrary>[0];
    await runLibrary(raw, reply.raw, request.body ?? null);
    return reply;
  }

  async function callTool(
    { tool, call }: ServedTool,
    request: FastifyRequest,
    caller: Caller,
  ): Promise<ToolOutcome> {
    // The protocol's forms have been checked: by `readPlainCall`, or by the library.
    const { arguments: given = {}, _meta: meta = {} } = (request.body as ToolMessage).params;
    const outcome = await call({ caller, facts: readFacts(request), arguments: given, meta });
    metrics.countToolCall(tool.name, outcome.outcome);
    request.logged = {
      tool: tool.name,
      outcome: outcome.outcome,
      ...(caller.role !== 'anonymous' && caller.grant && { client_id: caller.grant.client_id }),
    };
    return outcome;
  }
}

/** The same request from a client that accepts both forms, as the library demands. */
function buildFullRequest({ publicUrl }: Config, { headers, body }: FastifyRequest): Request {
  const sent = new Headers({ accept: full_accept, ...json_headers });
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name];
    if (typeof value === 'string') sent.set(name, value);
  }
  const content = JSON.stringify(body ?? null);
  return new Request(publicUrl + mcpPaths.signedIn, { method: 'POST', headers: sent, body: content });
}

/** Sends a reply to a client that reads one form only. The library sends nothing but the reply, so the whole of it can be written in either form. */
async function sendInForm(form: ReplyForm, reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const { status, headers } = response;
  const text = await response.text();
  if (text === '') return sendReply(reply, status, {}, '');
  const message = readMessage(text);
  if (form === 'stream' && status === 200)
    return sendReply(reply, status, { 'content-type': 'text/event-stream' }, writeEvent(message));
  const media_type = headers.get('content-type') ?? '';
  const isStream = media_type.startsWith('text/event-stream');
  return sendReply(reply, status, isStream ? json_headers : { 'content-type': media_type }, message);
}

async function describeServer({ publicUrl }: Config) {
  return { name: 'tessera', title: 'Tessera', version: await readVersion(), websiteUrl: publicUrl };
}

function serveTool(platform: Platform, row: ToolRow, texts: ApiTexts): ServedTool {
  return { tool: row.tool, listed: writeTool(row, texts), call: createToolCalls(platform, row) };
}

type ToolMessage = {
  readonly params: {
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
};

/** Reads the name of the tool that a message calls, whatever else is wrong with the message. */
function readToolName(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'tools/call') return undefined;
  const { name } = (params ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

function readFacts(request: FastifyRequest): RequestFacts {
  const { headers } = request;
  return {
    id: request.id,
    address: request.address,
    user_agent: headers['user-agent']?.slice(0, 300),
    accept: undefined,
    if_match: undefined,
    payment: {},
    cookies: {},
    origin: headers.origin,
  };
}

/**
 * Builds the check of the Host and Origin headers, which the protocol requires against DNS rebinding: a page of another site that reaches this
 * service under its own name has that name in both. Programs that are not browsers send no Origin. Pages of this service and of the same
 * computer may call it.
 */
function buildSiteCheck({ publicUrl }: Config): (host: string, origin: string | undefined) => void {
  const ownOrigin = new URL(publicUrl);
  const local = localhostAllowedHostnames();
  const allowed = [ownOrigin.hostname, ...local];
  return (host, origin) => {
    if (!validateHostHeader(host, allowed).ok) throw new Refusal('host_not_allowed');
    if (origin === undefined) return;
    const isAllowed = origin === ownOrigin.origin || isLocalOrigin(origin, local);
    if (!isAllowed) throw new Refusal('page_not_allowed');
  };
}

function isLocalOrigin(origin: string, local: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && local.includes(hostname);
}

/**
 * Replies to a request that does not reach the protocol with a JSON-RPC error and the status of HTTP, on which clients act: they log in after
 * a 401, and ask for more scope after a 403.
 */
function sendRpcProblem(
  platform: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.code === 'internal_error')
    platform.log.error({ request_id: request.id, err: error }, refusal.code);
  const { message, ...data } = describeProblem(platform, refusal, request.id);
  const rpcError = { code: chooseRpcCode(refusal), message, data };
  const body = JSON.stringify({ jsonrpc: '2.0', id: readId(request.body), error: rpcError });
  const headers = { 'content-type': 'application/json', ...refusal.extras.headers };
  return sendReply(reply, refusal.status, headers, body);
}

/** JSON-RPC 2.0, section 5.1. Codes outside the reserved range are free for the application, which uses the status of HTTP. */
function chooseRpcCode({ code, status }: Refusal): number {
  if (code === 'body_malformed') return -32_700;
  if (status >= 500) return -32_603;
  return [400, 413, 415, 422].includes(status) ? -32_600 : status;
}

/** JSON-RPC 2.0, section 5: the id of the request, or null if it could not be read. */
function readId(body: unknown): string | number | null {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { readonly id?: unknown };
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
}
