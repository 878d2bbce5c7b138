import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownToClient } from '#platform/etag.ts';
import { sendReply } from '#platform/http/headers.ts';
import { readBodiesAsJson } from '#platform/http/read-json-bodies.ts';
import type { Row } from '#platform/http/row.ts';
import { addServiceKeyRows } from '#platform/http/service-key-rows.ts';
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

const protocol = {
  prefix: scim_path,
  media_type,
  buildError: buildScimError,
  sendContent: sendResource,
  recordRefusal,
};

/**
 * Adds the SCIM 2.0 endpoint to a server (RFC 7643, RFC 7644). The rows run as those of the API do, with the media type and the errors of SCIM, and for service
 * keys alone: a person who changes users must have logged in a short time ago.
 */
export function addScimEndpoint(server: FastifyInstance, platform: Platform, rows: readonly Row[]): void {
  void server.register(
    async (scope) => {
      readBodiesAsJson(scope, media_type);
      addServiceKeyRows(scope, platform, protocol, rows);
      for (const name of Object.keys(descriptions))
        for (const path of [name, `${name}/:id`])
          scope.get(`/${path}`, { config: { limited: true } }, (request, reply) => {
            const { id } = request.params as { readonly id?: string };
            return sendDocument(reply, 200, findDescription(name, id, platform.config.publicUrl));
          });
    },
    { prefix: scim_path },
  );
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
