import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '#lib/refusal.ts';
import { sendReply } from '#platform/http/headers.ts';
import { toRefusal } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { describeProblem } from './describe-problem.ts';

/**
 * Replies to a request that does not reach the protocol with a JSON-RPC error and the status of HTTP, on which clients act: they log in after
 * a 401, and ask for more scope after a 403.
 */
export function sendRpcProblem(
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
