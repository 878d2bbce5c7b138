import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { isKnownToClient } from '#platform/etag.ts';
import { sendReply } from '#platform/http/headers.ts';
import { toRefusal } from '#platform/http/problem.ts';
import { readBodiesAsJson } from '#platform/http/read-json-bodies.ts';
import { buildRowSteps } from '#platform/http/row-steps.ts';
import type { Row } from '#platform/http/row.ts';
import type { RequestFacts } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { scim_path } from '../wire.ts';
import { descriptions, findDescription } from './descriptions.ts';
import { recordRefusal } from './record-refusal.ts';
import { buildScimError } from './scim-error.ts';

const media_type = 'application/scim+json';

/** The paths that are served. */
export const scimPaths: readonly string[] = [
  `${scim_path}/Users`,
  `${scim_path}/Users/{id}`,
  `${scim_path}/Groups`,
  `${scim_path}/Groups/{id}`,
  ...Object.keys(descriptions).flatMap((name) => [`${scim_path}/${name}`, `${scim_path}/${name}/{id}`]),
];

/**
 * Adds the SCIM 2.0 endpoint to a server (RFC 7643, RFC 7644). The rows run as those of the API do, with the media type and the errors of SCIM, and for service
 * keys alone: a person who changes users must have logged in a short time ago.
 */
export function addScimEndpoint(server: FastifyInstance, platform: Platform, rows: readonly Row[]): void {
  void server.register(
    async (scope) => {
      readBodiesAsJson(scope, media_type);
      scope.setErrorHandler((error, request, reply) => sendError(platform, error, request, reply));
      for (const row of rows) addRow(scope, platform, row);
      for (const name of Object.keys(descriptions))
        for (const path of [name, `${name}/:id`])
          scope.get(`/${path}`, { config: { limited: true } }, (request, reply) => {
            const { id } = request.params as { readonly id?: string };
            return sendDocument(reply, 200, findDescription(name, id, platform.config.publicUrl));
          });
      scope.setNotFoundHandler((request, reply) =>
        sendError(platform, new Refusal('route_not_found'), request, reply),
      );
    },
    { prefix: scim_path },
  );
}

function addRow(scope: FastifyInstance, platform: Platform, row: Row): void {
  const { checkCaller, parse, run } = buildRowSteps(platform, row, row.operation);
  scope.route({
    method: row.method,
    url: row.path.slice(scim_path.length).replace(/\{(\w+)\}/g, ':$1'),
    config: { limited: true },
    handler: async (request, reply) => {
      checkCaller(request);
      const { caller } = request;
      if (caller.role === 'anonymous' || !caller.service_key) throw new Refusal('service_key_required');
      const input = await parse(request, caller);
      const ran = run({ caller, facts: readFacts(request), input }).catch(async (error: unknown) => {
        if (caller.role === 'org_admin')
          await recordRefusal(platform, { caller, row: `${row.method} ${row.path}` }, error);
        throw error;
      });
      const { status, content } = await ran;
      if (typeof content !== 'string' || content === '') return sendReply(reply, status, {}, '');
      return sendResource(request, reply, status, content);
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

/** Sends a user with its version as the entity tag, and a list without one. */
function sendResource(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  status: number,
  content: string,
): FastifyReply {
  const { meta } = JSON.parse(content) as {
    readonly meta?: { readonly version: string; readonly location: string };
  };
  if (meta && method === 'GET' && isKnownToClient(headers['if-none-match'], meta.version))
    return sendReply(reply, 304, { etag: meta.version }, '');
  const described = meta ? { etag: meta.version, ...(status === 201 && { location: meta.location }) } : {};
  return sendReply(reply, status, { 'content-type': media_type, ...described }, content);
}

function sendDocument(reply: FastifyReply, status: number, document: object): FastifyReply {
  return sendReply(reply, status, { 'content-type': media_type }, JSON.stringify(document));
}

function sendError(
  { log }: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, refusal.code);
  const { status, headers, body } = buildScimError(refusal);
  return sendReply(reply, status, { ...headers, 'content-type': media_type }, JSON.stringify(body));
}
