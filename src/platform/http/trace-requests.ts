import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toRefusal } from '#platform/http/problem.ts';
import type { Span, Telemetry } from '#platform/telemetry/telemetry.ts';

/** The methods in OpenTelemetry's conventions. All others share one name, so that a client cannot create any number of span names. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Traces each request as one span, by OpenTelemetry's conventions for HTTP servers. The attributes `url.path`, `url.query`, `client.address`
 * and `user_agent.original` are left out: the first two contain ids and tokens, the others identify users.
 */
export function traceRequests(server: FastifyInstance, telemetry: Telemetry): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const failures = new WeakMap<FastifyRequest, string>();
  server.addHook('onRequest', (request, reply, done) => {
    const { method, route, name } = describeRequest(request);
    const attributes = {
      'http.request.method': method,
      'tessera.request_id': request.id,
      ...(route && { 'http.route': route }),
    };
    const span = telemetry.startRequestSpan(name, attributes, request.headers['traceparent']?.toString());
    spans.set(request, span);
    // If the client disconnects before the reply, onResponse is never called.
    reply.raw.once('close', () => endSpan(request, {}, 'client_closed_request'));
    span.runInside(done);
  });
  // The body arrives in the asynchronous context of its connection, so the context of the request is entered again.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    return span ? span.runInside(done) : done();
  });
  server.addHook('onError', (request, _reply, error, done) => {
    failures.set(request, toRefusal(error).code);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const failure = statusCode >= 500 ? (failures.get(request) ?? String(statusCode)) : undefined;
    endSpan(request, { 'http.response.status_code': statusCode }, failure);
    done();
  });

  function endSpan(request: FastifyRequest, ...outcome: Parameters<Span['end']>): void {
    spans.get(request)?.end(...outcome);
    spans.delete(request);
  }
}

function describeRequest({ method, routeOptions: { url: route } }: FastifyRequest) {
  const isKnown = methods.has(method);
  const prefix = isKnown ? method : 'HTTP';
  const name = route === undefined ? prefix : `${prefix} ${route}`;
  return { method: isKnown ? method : '_OTHER', route, name };
}
