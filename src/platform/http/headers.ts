import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '#platform/platform.ts';

/** The headers of a reply by their lower-case names. */
export type ReplyHeaders = Record<string, string | readonly string[]>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The headers of every reply to this request, also of those that the framework sends. */
    replyHeaders: ReplyHeaders;
  }
  interface FastifyContextConfig {
    /** The route replies to the preflight of a browser itself, after its checks. */
    checksPreflight?: true;
  }
}

/** Says that what comes with it is made up. */
export const sandboxHeader = { 'x-service-sandbox': 'true' } as const;

/** Builds the headers that every reply has, errors included. */
export function buildFixedHeaders({ config }: Platform): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    // Any origin may send a bearer token. Cookies that a browser sends from another site are not accepted.
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'WWW-Authenticate, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Service-Sandbox, Idempotent-Replayed, ETag, Location, Content-Disposition, PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE',
    ...(config.sandbox && sandboxHeader),
    ...(config.publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

/** Adds the headers to every reply, and replies to the preflight requests of browsers (CORS). */
export function addHeaders(server: FastifyInstance, platform: Platform): void {
  const fixed = buildFixedHeaders(platform);
  server.decorateRequest('replyHeaders');
  server.addHook('onRequest', (request, reply, done) => {
    request.replyHeaders = { ...fixed, 'x-request-id': request.id };
    if (request.method !== 'OPTIONS' || request.routeOptions.config.checksPreflight) return done();
    return void replyToPreflight(reply);
  });
  // A reply may have set some of these headers itself.
  server.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(request.replyHeaders))
      if (!reply.hasHeader(name)) reply.header(name, value);
    done(null, payload);
  });
}

/** Allows what a browser asks for before a request to another origin. */
export function replyToPreflight(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(preflightHeaders).send();
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, PAYMENT-SIGNATURE, X-PAYMENT, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'access-control-max-age': '86400',
};

/** What follows the headers of a reply: all of it, or parts that are sent while they are produced. */
export type ReplyContent = string | Buffer | AsyncIterable<string | Uint8Array>;

/** Joins the headers of a reply with those of every reply. In a sandbox, the name of a file begins with `sandbox-`, whichever part of the service has made it. */
export function joinHeaders(
  { replyHeaders }: Pick<FastifyRequest, 'replyHeaders'>,
  headers: Readonly<ReplyHeaders>,
): ReplyHeaders {
  const all = { ...replyHeaders, ...headers };
  const disposition = all['content-disposition'];
  if (!('x-service-sandbox' in replyHeaders) || typeof disposition !== 'string') return all;
  return { ...all, 'content-disposition': disposition.replace('filename="', 'filename="sandbox-') };
}

/** Sends a reply with headers of its own, which replace those of every reply. Empty content has no media type. */
export function sendReply(
  reply: FastifyReply,
  status: number,
  headers: Readonly<ReplyHeaders>,
  content: string | Buffer,
): FastifyReply {
  // The framework's type of headers is not readonly.
  reply.code(status).headers(joinHeaders(reply.request, headers) as Record<string, string | string[]>);
  if (content === '') return reply.send();
  // The framework adds a charset to the media type of JSON that is text, also to one that has no such parameter (RFC 8259, section 11).
  return reply.send(isBareJson(headers['content-type']) ? Buffer.from(content as string) : content);
}

function isBareJson(media_type: ReplyHeaders[string] | undefined): boolean {
  return typeof media_type === 'string' && media_type.includes('json') && !media_type.includes('charset');
}

/** The headers of every page of the console: scripts, styles, fonts and forms only from and to this service, and no frames. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  // With no-referrer, a browser would send `Origin: null` with the forms of these pages (Fetch Standard, section 3.1).
  'referrer-policy': 'same-origin',
} as const;
