import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { sendReply, type ReplyHeaders } from '#platform/http/headers.ts';
import { toRefusal } from '#platform/http/problem.ts';
import { buildRowSteps } from '#platform/http/row-steps.ts';
import type { Row } from '#platform/http/row.ts';
import type { RequestFacts } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';

/** How a protocol writes an error: its own status, headers and body. */
export type ErrorReply = {
  readonly status: number;
  readonly headers: Readonly<ReplyHeaders>;
  readonly body: object;
};

/** A protocol whose rows programs call by a service key, and what it has of its own: the place, the media type, the errors, the headers of a reply. */
export type ServiceKeyProtocol = {
  readonly prefix: string;
  readonly media_type: string;
  readonly buildError: (refusal: Refusal) => ErrorReply;
  /** Sends content that is not empty; by default with the media type alone. */
  readonly sendContent?: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    content: string,
  ) => FastifyReply;
  /** Is called before the reply if a row has refused what the caller wanted. */
  readonly recordRefusal?: (platform: Platform, act: ServiceKeyAct, error: unknown) => Promise<void>;
};

/** Who called which row. */
export type ServiceKeyAct = { readonly caller: LoggedInCaller; readonly row: string };

/**
 * Serves the rows below a protocol's prefix in a part of the server that has this prefix. They run as those of the API do, but for service keys alone, because
 * what a person does needs the steps of the API.
 */
export function addServiceKeyRows(
  scope: FastifyInstance,
  platform: Platform,
  protocol: ServiceKeyProtocol,
  rows: readonly Row[],
): void {
  scope.setErrorHandler((error, request, reply) => sendError(platform, protocol, error, request, reply));
  scope.setNotFoundHandler((request, reply) =>
    sendError(platform, protocol, new Refusal('route_not_found'), request, reply),
  );
  for (const row of rows)
    if (row.path.startsWith(`${protocol.prefix}/`)) addRow(scope, platform, protocol, row);
}

function addRow(
  scope: FastifyInstance,
  platform: Platform,
  { prefix, media_type, sendContent, recordRefusal }: ServiceKeyProtocol,
  row: Row,
): void {
  const { checkCaller, parse, run } = buildRowSteps(platform, row, row.operation);
  scope.route({
    method: row.method,
    url: row.path.slice(prefix.length).replace(/\{(\w+)\}/g, ':$1'),
    config: { limited: true },
    handler: async (request, reply) => {
      checkCaller(request);
      const { caller } = request;
      if (caller.role === 'anonymous' || !caller.service_key) throw new Refusal('service_key_required');
      const input = await parse(request, caller);
      const ran = run({ caller, facts: readFacts(request), input }).catch(async (error: unknown) => {
        await recordRefusal?.(platform, { caller, row: `${row.method} ${row.path}` }, error);
        throw error;
      });
      const { status, content } = await ran;
      if (typeof content !== 'string' || content === '') return sendReply(reply, status, {}, '');
      if (sendContent) return sendContent(request, reply, status, content);
      return sendReply(reply, status, { 'content-type': media_type }, content);
    },
  });
}

function readFacts(request: FastifyRequest): RequestFacts {
  const { id, address, headers } = request;
  return {
    id,
    address,
    user_agent: headers['user-agent']?.slice(0, 300),
    accept: undefined,
    if_match: headers['if-match'],
    payment: {},
    cookies: {},
    origin: headers.origin,
  };
}

function sendError(
  { log }: Platform,
  { buildError, media_type }: ServiceKeyProtocol,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  request.refusedCode = refusal.code;
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, refusal.code);
  const { status, headers, body } = buildError(refusal);
  return sendReply(reply, status, { ...headers, 'content-type': media_type }, JSON.stringify(body));
}
