import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toRefusal } from '#platform/http/problem.ts';
import type { Span, Telemetry } from '#platform/telemetry/telemetry.ts';

/** The methods that OpenTelemetry's conventions name; any other is one word, or a client could make names without end. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * One span a request, in the words of OpenTelemetry's conventions for HTTP servers. Their `url.path`, `url.query`, `client.address` and
 * `user_agent.original` are left out: the first two hold ids and tokens, the others tell who somebody is.
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
    // Without an answer, because the client went away: then onResponse never comes.
    reply.raw.once('close', () => endSpan(request, {}, 'client_closed_request'));
    span.runInside(done);
  });
  // A body arrives in the context of its connection, so that of the request is entered again.
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
  const known = methods.has(method);
  const word = known ? method : 'HTTP';
  return { method: known ? method : '_OTHER', route, name: route === undefined ? word : `${word} ${route}` };
}
