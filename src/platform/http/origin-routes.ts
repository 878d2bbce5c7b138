import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpExtension } from '#platform/mcp/extension.ts';
import type { ToolRow } from '#platform/mcp/tool-row.ts';
import { addressLimits } from '#platform/limits/rate-windows.ts';
import type { Row } from '#platform/http/row.ts';
import type { Platform } from '#platform/platform.ts';
import { sendReply, type ReplyHeaders } from '#platform/http/headers.ts';
import type { ApiTexts } from '#platform/openapi/api-texts.ts';

/** Who may call a route at the origin: anyone; a wallet by the codes and tokens of its protocol; the operator on the internal port. */
export type OriginAccess = 'public' | 'wallet' | 'operator';

/**
 * Whether a route counts against the rate limits of the caller's address. Registrations of clients and exchanges of tokens have limits of their own,
 * because the servers of a large client send those of many people.
 */
export type OriginLimit = 'limited' | 'unlimited' | keyof typeof addressLimits;

/** What a handler at the origin receives. */
export type OriginRequest = {
  /** The path and the query, as they were sent. */
  readonly url: string;
  /** The values of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The JSON value of the body; with `body: 'bytes'` a Buffer. */
  readonly body: unknown;
};

/** What a handler at the origin replies. An object is sent as JSON. */
export type OriginReply = {
  readonly status?: number;
  readonly headers: Readonly<ReplyHeaders>;
  readonly content: string | Buffer | object;
};

export type OriginHandler = (
  platform: Platform,
  request: OriginRequest,
) => OriginReply | Promise<OriginReply>;

export type OriginOptions = {
  /** `bytes`: the handler reads the body itself, of any media type and of at most {@link OriginOptions.body_bytes_max} bytes. */
  readonly body?: 'bytes';
  readonly body_bytes_max?: number;
  /** The reply to an error of the route's own protocol; undefined for errors that are replied to as everywhere. */
  readonly toReply?: (error: unknown) => OriginReply | undefined;
};

/** One line of a table of `src/tables/origin.ts`. */
export type OriginRow = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: OriginAccess;
  readonly limit: OriginLimit;
  readonly handler: OriginHandler;
  readonly options: OriginOptions;
};

/** A path at the origin and its handler. */
export function row(
  method: OriginRow['method'],
  path: string,
  access: OriginAccess,
  limit: OriginLimit,
  handler: OriginHandler,
  options: OriginOptions = {},
): OriginRow {
  return { method, path, access, limit, handler, options };
}

/** What the tables say: the rows that a protocol serves with its own media type and errors; of `src/tables/tools.ts` the tools, and what a model reads about all of them; the notes on their fields; and what a composition adds to them. */
export type ProtocolOptions = {
  readonly rows: readonly Row[];
  readonly tools: readonly ToolRow[];
  readonly instructions: string;
  readonly texts: ApiTexts;
  readonly extension: McpExtension | undefined;
};

/** A protocol that adds its routes itself, because it has several methods at each path. */
export type ProtocolRow = {
  readonly paths: readonly string[];
  readonly access: 'agent' | 'service_key';
  readonly add: (server: FastifyInstance, platform: Platform, options: ProtocolOptions) => void;
};

/** Adds the routes of a table to a server. */
export function addOriginRoutes(
  server: FastifyInstance,
  platform: Platform,
  rows: readonly OriginRow[],
): void {
  for (const each of rows) {
    if (each.options.body === 'bytes') addBytesRoute(server, platform, each);
    else addRoute(server, platform, each);
  }
}

function addRoute(server: FastifyInstance, platform: Platform, { handler, ...row }: OriginRow): void {
  server.route({
    method: row.method,
    url: row.path.replace(/\{(\w+)\}/g, ':$1'),
    config: buildLimitConfig(row.limit),
    handler: async (request, reply) => send(reply, await handler(platform, toOriginRequest(request))),
  });
}

function buildLimitConfig(limit: OriginLimit): FastifyContextConfig {
  if (limit === 'unlimited') return {};
  return limit === 'limited' ? { limited: true } : { limited: true, limit: addressLimits[limit] };
}

/** A scope of its own, because the content type parsers and the error handler differ from those of the API. */
function addBytesRoute(server: FastifyInstance, platform: Platform, row: OriginRow): void {
  const { body_bytes_max, toReply } = row.options;
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const parserOptions = {
      parseAs: 'buffer',
      ...(body_bytes_max && { bodyLimit: body_bytes_max }),
    } as const;
    scope.addContentTypeParser('*', parserOptions, (_request, bytes, done) => done(null, bytes));
    scope.setErrorHandler((error, _request, reply) => {
      const known = toReply?.(error);
      if (!known) throw error;
      return send(reply, known);
    });
    addRoute(scope, platform, row);
  });
}

function toOriginRequest({ url, params, headers, body }: FastifyRequest): OriginRequest {
  return {
    url,
    params: params as Readonly<Record<string, string>>,
    headers: headers as Readonly<Record<string, string | undefined>>,
    body,
  };
}

function send(reply: FastifyReply, { status = 200, headers, content }: OriginReply): FastifyReply {
  const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
  return sendReply(reply, status, headers, bytes);
}
