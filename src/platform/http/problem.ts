import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { Type, type TProperties } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { refusals, type RefusalCode } from '#lib/refusals.ts';
import { mayRejectBytes } from '#platform/http/connections/bound-pipelining.ts';
import { closedObject, field } from '#platform/schema.ts';

/**
 * The body of every error (RFC 9457). `type` and `code` are stable, `detail` is for people, and `errors` names the invalid fields.
 *
 * @param more Fields that only some problems have.
 * @param sample The refusal in the sample, and the path that was refused.
 */
export function buildProblemSchema(
  more: TProperties,
  { code, instance }: { readonly code: RefusalCode; readonly instance: string },
) {
  const [status, sentence] = refusals[code];
  return closedObject(
    {
      type: field(
        Type.String(),
        'A stable URL that identifies the kind of problem.',
        `/docs/problems#${code}`,
      ),
      title: field(Type.String(), 'The kind of problem as a sentence.', sentence),
      status: field(Type.Integer(), 'The HTTP status.', status),
      detail: field(Type.String(), 'What is wrong with this request, for people.', sentence),
      instance: field(Type.String(), 'The path of the request.', instance),
      code: field(Type.Enum(Object.keys(refusals) as RefusalCode[]), 'The stable code of the problem.', code),
      errors: Type.Optional(
        field(
          Type.Array(
            closedObject({
              pointer: field(Type.String(), 'The field, as a JSON pointer into the request.', '/title'),
              reason: field(Type.String(), 'What is wrong with it.', 'must not be empty'),
            }),
          ),
          'The invalid fields.',
        ),
      ),
      ...more,
      request_id: field(
        Type.String(),
        'The id of the request, for questions to the operator.',
        '4f9d1c2b-7a6e-4d35-9c80-1b2a3f4e5d6c',
      ),
    },
    { $id: 'Problem' },
  );
}

/** Sends a refusal as problem+json, with the WWW-Authenticate challenge that status 401 requires. */
export function sendProblem(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, extras, status } = refusal;
  const { request } = reply;
  request.refusedCode = code;
  if (status === 401) reply.header('www-authenticate', buildChallenge(code));
  return reply
    .code(status)
    .headers(extras.headers ?? {})
    .header('content-type', 'application/problem+json')
    .send(
      JSON.stringify({
        type: `/docs/problems#${code}`,
        title: refusals[code][1],
        status,
        detail: refusal.message,
        instance: request.url.split('?', 1)[0],
        code,
        ...(extras.errors && { errors: extras.errors }),
        ...extras.fields,
        request_id: request.id,
      }),
    );
}

/** Builds the challenge of RFC 6750 section 3, which has no error parameter if the request had no token. */
function buildChallenge(code: RefusalCode): string {
  const realm = 'Bearer realm="tessera"';
  return code === 'token_expired' || code === 'token_invalid' ? `${realm}, error="invalid_token"` : realm;
}

/** How long a client has to read the problem. Closed at once, the connection could be reset before that. */
const linger_ms = 1_000;

/**
 * Rejects bytes that are not HTTP, or arrive too slowly. No request exists yet, so the problem is written to the socket, which is closed: also
 * if the client neither reads nor closes its end.
 */
export function rejectUnreadableRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET' || !mayRejectBytes(socket))
    return void socket.destroy();
  const lingering = setTimeout(() => socket.destroy(), linger_ms).unref();
  socket.once('close', () => clearTimeout(lingering));
  const code = byParserCode[error.code ?? ''] ?? 'request_malformed';
  const [status, title] = refusals[code];
  const problem = {
    type: `/docs/problems#${code}`,
    title,
    status,
    detail: title,
    instance: '',
    code,
    request_id: randomUUID(),
  };
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      `x-request-id: ${problem.request_id}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const byParserCode: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Converts an error to a refusal: a refusal stays as it is, known errors of the framework have a code, and any other error is a defect. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const refusalCode = byFrameworkCode[code];
  if (refusalCode) return new Refusal(refusalCode);
  if (error instanceof SyntaxError && statusCode === 400) return new Refusal('body_malformed');
  // Only a status that the framework sets concerns this request. The 404 of another server, for example, is a defect here. If the sender
  // of a body disconnects, the error has the framework's status 400 and the socket's code.
  const isAboutRequest = code.startsWith('FST_') || (code === 'ECONNRESET' && statusCode === 400);
  return new Refusal(
    isAboutRequest && statusCode !== undefined && statusCode < 500 ? 'request_malformed' : 'internal_error',
  );
}

const byFrameworkCode: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body_malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request_malformed',
  FST_ERR_BAD_URL: 'request_malformed',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
};
