import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { anonymousCaller, type Caller, type SignedInCaller } from '#lib/caller.ts';
import { isNestedDeeperThan } from '#lib/json-depth.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { findUnstorableText } from '#lib/unstorable-text.ts';
import { buildRowHandler } from '#platform/http/row-handler.ts';
import { rejectUnreadableRequest, toRefusal, sendProblem } from '#platform/http/problem.ts';
import { readForm } from '#platform/http/form.ts';
import { addHeaders, buildFixedHeaders } from '#platform/http/headers.ts';
import { readQuery } from '#platform/http/query.ts';
import { addOriginRoutes, type OriginRow } from '#platform/http/origin-routes.ts';
import type { Row } from '#platform/http/row.ts';
import { traceRequests } from '#platform/http/trace-requests.ts';
import { logRequest } from '#platform/telemetry/log.ts';
import { batchRequests } from '#platform/http/batch-requests.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { unlimitedVerdict, type RateLimits, type Verdict } from '#platform/limits/rate-limits.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

/** What the door needs besides the platform. */
export type ServerOptions = {
  readonly rows: readonly Row[];
  /** What is served outside the API. */
  readonly originRows: readonly OriginRow[];
  /** Turns the Authorization header into who calls. Throws Refusal 401 or 403. */
  readonly authenticate: (
    platform: Platform,
    authorization: string,
  ) => SignedInCaller | Promise<SignedInCaller>;
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  /** Undefined where nobody asked for traces. */
  readonly telemetry?: Telemetry | undefined;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    /** The client's network address. The framework works it out anew from the proxies' headers whenever it is asked. */
    address: string;
    /** Why the request's token was not taken; told to it unless it needs no token. */
    authenticationError: unknown;
  }
  interface FastifyContextConfig {
    /** A route outside the API that counts against the rate limits like one of the API. */
    limited?: true;
  }
}

const api_prefix = '/api/v1';
const body_bytes_max = 256 * 1024;
const body_depth_max = 32;
const request_timeout_ms = 30_000;
/** How long a server that stops waits for the requests that it is answering. */
const drain_ms = 15_000;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Builds the HTTP server of the API: every row of the table becomes a route; `listen` is the caller's. */
export function openServer(platform: Platform, options: ServerOptions): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: body_bytes_max,
    requestTimeout: request_timeout_ms,
    genReqId: () => randomUUID(),
    trustProxy: platform.config.trustedProxies,
    // Ours says the same as a problem.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200, querystringParser: readQuery },
    frameworkErrors: (error, _request, reply) => {
      const unrouted = (reply as FastifyReply)
        .headers(buildFixedHeaders(platform))
        .header('x-request-id', reply.request.id);
      sendProblem(unrouted, toRefusal(error));
    },
    clientErrorHandler: rejectUnreadableRequest,
  });
  server.decorateRequest('caller');
  server.decorateRequest('authenticationError');
  server.decorateRequest('address');
  readBodiesAsJson(server);
  observeRequests(server, platform, options);
  batchRequests(server);
  if (options.telemetry) traceRequests(server, options.telemetry);
  addHeaders(server, platform);
  refuseWhileStopping(server);
  identifyAndLimit(server, platform, options);
  handleErrors(server, platform);
  for (const row of options.rows) if (row.options.from !== 'form') addRoute(server, platform, row);
  addFormRoutes(server, platform, options.rows);
  refuseOtherMethods(server, options.rows);
  addOriginRoutes(server, platform, options.originRows);
  return server;
}

/** Builds the operator's own server: metrics, and the health of what the service depends on. */
export function openInternalServer(platform: Platform, rows: readonly OriginRow[]): FastifyInstance {
  const server = fastify({ logger: false });
  server.decorateRequest('replyHeaders');
  server.addHook('onRequest', (request, _reply, done) => {
    request.replyHeaders = {};
    done();
  });
  addOriginRoutes(server, platform, rows);
  return server;
}

function addRoute(server: FastifyInstance, platform: Platform, row: Row): void {
  server.route({
    method: row.method,
    url: api_prefix + row.path.replace(/\{(\w+)\}/g, ':$1'),
    handler: row.operation ? buildRowHandler(platform, row, row.operation) : refuseUnbuilt,
  });
}

/** The rows that take a form stand apart, so that no other row reads one: a form is what another site can make a browser send. */
function addFormRoutes(server: FastifyInstance, platform: Platform, rows: readonly Row[]): void {
  void server.register(async (apart) => {
    apart.removeAllContentTypeParsers();
    apart.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      (_request, bytes, done) => {
        const read = readForm(bytes as Buffer);
        return read instanceof Refusal ? done(read, undefined) : done(null, read);
      },
    );
    for (const row of rows) if (row.options.from === 'form') addRoute(apart, platform, row);
  });
}

function refuseUnbuilt(): never {
  throw new Refusal('not_implemented');
}

/** A known path with another method is 405 with what it allows (RFC 9110 section 15.5.6), not "nothing here". */
function refuseOtherMethods(server: FastifyInstance, rows: readonly Row[]): void {
  const byPath = Map.groupBy(rows, (row) => api_prefix + row.path.replace(/\{(\w+)\}/g, ':$1'));
  for (const [url, here] of byPath) {
    const taken: readonly string[] = here.map(({ method }) => method);
    const allowed = taken.includes('GET') ? [...taken, 'HEAD'] : taken;
    const others = methods.filter((method) => !allowed.includes(method));
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (others.length === 0) continue;
    server.route({
      method: others,
      url,
      handler: () => {
        throw new Refusal('method_not_allowed', { headers: { allow } });
      },
    });
  }
}

function readBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // RFC 8259 section 8.1. Node would put replacement characters into the text, and nobody would hear of it.
    if (!isUtf8(bytes as Buffer))
      return done(new Refusal('body_malformed', { detail: 'The body is not UTF-8.' }), undefined);
    const text = bytes.toString();
    if (text === '') return done(null, undefined);
    if (isNestedDeeperThan(body_depth_max, text)) return done(new Refusal('body_too_deep'), undefined);
    return parseJson(request, text, (error, body) => {
      if (error) return done(error, undefined);
      // Only an escape can bring in what UTF-8 and JSON do not have as a character.
      const pointer = text.includes('\\u') ? findUnstorableText(body) : undefined;
      return pointer === undefined
        ? done(null, body)
        : done(createFieldRefusal('field_invalid', pointer, 'holds a NUL or half a character'), undefined);
    });
  });
}

/** The framework's own parser: it refuses `__proto__` and `constructor.prototype` keys. */
const parseJson = fastify().getDefaultJsonParser('error', 'error');

/** A balancer sends what a stopping server refuses to another one; what is being answered is finished, within a limit. */
function refuseWhileStopping(server: FastifyInstance): void {
  let stopping = false;
  server.addHook('preClose', async () => {
    stopping = true;
    // A connection that is answered now would be kept for the client's next request, and the server would wait for it.
    const idle = setInterval(() => server.server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.server.closeAllConnections(), drain_ms);
    server.server.once('close', () => {
      clearInterval(idle);
      clearTimeout(late);
    });
  });
  server.addHook('onRequest', (_request, _reply, done) => {
    done(stopping ? new Refusal('shutting_down', { headers: { 'retry-after': '1' } }) : undefined);
  });
}

/**
 * Who calls, and whether they may call this often. A bad token counts against its network address, so that guessing is throttled like
 * anything anonymous, and over the limit the answer is 429 whatever else is wrong. What needs no token ignores a bad one: a client that
 * always sends its token could otherwise not refresh it.
 */
function identifyAndLimit(
  server: FastifyInstance,
  platform: Platform,
  { authenticate, limits }: ServerOptions,
): void {
  const limit = (request: FastifyRequest): Verdict | Promise<Verdict> => {
    // The route, not the path: `/%61pi/v1/…` is a spelling of the same, and must not slip past the limit.
    const { url, config } = request.routeOptions;
    if (url !== undefined && !url.startsWith(api_prefix) && !config.limited) return unlimitedVerdict;
    const { caller, address } = request;
    return limits.consume(
      caller.role === 'anonymous'
        ? { role: 'anonymous', key: address }
        : { role: caller.role, key: caller.user_id },
    );
  };
  // Most requests wait for nothing here, and a promise for each would cost them as much as the limit itself.
  server.addHook('onRequest', (request, _reply, done) => {
    const admit = ({ allowed, headers }: Verdict) => {
      Object.assign(request.replyHeaders, headers);
      done(allowed ? undefined : new Refusal('too_many_requests'));
    };
    const proceed = () => {
      const verdict = limit(request);
      if (verdict instanceof Promise) verdict.then(admit, done);
      else admit(verdict);
    };
    request.address = request.ip;
    const identifying = identifyCaller(platform, authenticate, request);
    if (identifying) identifying.then(proceed, done);
    else proceed();
  });
}

/** Notes on the request who calls, or why its token was not taken. @returns a promise where that takes a look into the database. */
function identifyCaller(
  platform: Platform,
  authenticate: ServerOptions['authenticate'],
  request: FastifyRequest,
): Promise<void> | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  const take = (caller: SignedInCaller) => void (request.caller = caller);
  const refuse = (refused: unknown) => void (request.authenticationError = refused);
  try {
    const caller = authenticate(platform, authorization);
    if (caller instanceof Promise) return caller.then(take, refuse);
    take(caller);
  } catch (refused) {
    refuse(refused);
  }
  return undefined;
}

/** One line and one measurement a request, and none for a request whose client went away: it has no status. */
function observeRequests(server: FastifyInstance, { log }: Platform, { metrics }: ServerOptions): void {
  const countEnd = () => metrics.countRequestEnd();
  server.addHook('onRequest', (request, reply, done) => {
    const started_ms = performance.now();
    request.caller = anonymousCaller;
    metrics.countRequestStart();
    // Unlike the end of an answer, this also comes for a request whose client went away.
    reply.raw.on('close', countEnd);
    reply.raw.on('finish', () => {
      const { caller, method } = request;
      const route = request.routeOptions.url ?? 'none';
      const status = reply.raw.statusCode;
      const duration_ms = performance.now() - started_ms;
      metrics.observeRequest(route, method, status, duration_ms / 1000);
      logRequest(log, {
        request_id: request.id,
        method,
        route,
        status,
        duration_ms: Math.round(duration_ms * 10) / 10,
        role: caller.role,
        ...(caller.role !== 'anonymous' && { user_id: caller.user_id }),
      });
    });
    done();
  });
}

function handleErrors(server: FastifyInstance, { log }: Platform): void {
  server.setNotFoundHandler((_request, reply) => sendProblem(reply, new Refusal('route_not_found')));
  server.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.status >= 500 && refusal.code !== 'not_implemented')
      log.error({ request_id: request.id, err: error }, refusal.code);
    return sendProblem(reply, refusal);
  });
}
