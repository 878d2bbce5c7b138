import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { anonymousCaller, type Caller, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { buildRowHandler } from '#platform/http/row-handler.ts';
import { rejectUnreadableRequest, toRefusal, sendProblem } from '#platform/http/problem.ts';
import { readForm } from '#platform/http/form.ts';
import { buildProxyCheck } from '#platform/http/client-address.ts';
import { compressReplies } from '#platform/http/compression/compress-replies.ts';
import { findNetworkRefusal } from '#platform/limits/operator-networks.ts';
import { addHeaders, buildFixedHeaders, pageHeaders } from '#platform/http/headers.ts';
import { refuseWhileStopping } from '#platform/http/connections/refuse-while-stopping.ts';
import { readBodiesAsJson } from '#platform/http/read-json-bodies.ts';
import { readQuery } from '#platform/http/query.ts';
import { markPages } from '#platform/http/mark-pages.ts';
import { addOriginRoutes, type OriginRow } from '#platform/http/origin-routes.ts';
import type { Row } from '#platform/http/row.ts';
import { traceRequests } from '#platform/http/trace-requests.ts';
import { logRequest } from '#platform/telemetry/log.ts';
import {
  admitRequests,
  openCallerKeys,
  refuseExcessRequests,
  type CallerKeys,
} from '#platform/http/admit-requests.ts';
import {
  buildServerFactory,
  default_bounds,
  type ConnectionBounds,
} from '#platform/http/connections/create-http-server.ts';
import { shareConnections } from '#platform/http/connections/share-connections.ts';
import { refuseRepeatedHeaders } from '#platform/http/refuse-repeated-headers.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { unlimitedVerdict, type RateLimits, type Verdict } from '#platform/limits/rate-limits.ts';
import { nameLimited } from '#platform/limits/name-limited.ts';
import { limitsByRole, type Limit } from '#platform/limits/rate-windows.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

/** What the server needs besides the platform. */
export type ServerOptions = {
  readonly rows: readonly Row[];
  /** What is served outside the API. */
  readonly originRows: readonly OriginRow[];
  /** Identifies the caller by the Authorization header. Throws a Refusal with 401 or 403. */
  readonly authenticate: (
    platform: Platform,
    authorization: string,
  ) => LoggedInCaller | Promise<LoggedInCaller>;
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  /** Is called after each reply to a program that has sent a service key. */
  readonly recordKeyRequest?: (platform: Platform, request: KeyRequest) => void;
  /** Undefined unless traces are configured. */
  readonly telemetry?: Telemetry | undefined;
  /** Renders a refusal for people: for requests of browsers outside the API. Elsewhere it is problem+json. */
  readonly renderProblem?: (request: FastifyRequest, refusal: Refusal) => string;
  /** For tests: other limits than those of the configuration. */
  readonly bounds?: Partial<ConnectionBounds>;
};

/** A request by a service key and its reply, without ids of the path, contents and addresses. */
export type KeyRequest = {
  readonly id: string;
  readonly service_key_id: string;
  readonly method: string;
  /** The pattern of the route, if there is one. */
  readonly url: string | undefined;
  readonly status: number;
  /** Of the refusal, if it is one. */
  readonly code: string | undefined;
  readonly duration_ms: number;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    /** The id of the service key that the request has sent, even if it is not accepted from this network. */
    sentKey: string | undefined;
    /** The code of the refusal that the reply is. */
    refusedCode: string | undefined;
    /** Why the request's token was not accepted; thrown only where an operation needs a caller. */
    authenticationError: unknown;
    /** What the line of the request in the log has besides its usual fields. */
    logged: Readonly<Record<string, string>> | undefined;
  }
  interface FastifyContextConfig {
    /** The rate limits count this route although it is outside the API. */
    limited?: true;
    /** The rate limits count requests of this route apart: a member's, or those of an address. */
    limit?: Limit;
    /** A browser comes to this route of the API by itself, and a person reads its refusals. */
    visited?: true;
    /** Identifies the caller of this route in place of the Authorization header. */
    identify?: (request: FastifyRequest) => Promise<LoggedInCaller | undefined>;
    /** Identifies the caller of this route by another kind of token than the API's. */
    authenticate?: ServerOptions['authenticate'];
  }
}

const api_prefix = '/api/v1';
const body_bytes_max = 256 * 1024;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Builds the public HTTP server: every row of the tables becomes a route. The caller lets it listen. */
export function openServer(platform: Platform, options: ServerOptions): FastifyInstance {
  const { connections_max, requests_max, idle_seconds } = platform.config.http;
  const server = fastify({
    logger: false,
    bodyLimit: body_bytes_max,
    serverFactory: buildServerFactory({
      ...default_bounds,
      connections_max,
      idle_ms: idle_seconds * 1000,
      ...options.bounds,
    }),
    genReqId: () => randomUUID(),
    trustProxy: buildProxyCheck(platform.config.trustedProxies),
    // refuseWhileStopping replies with a problem instead.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: readQuery },
    frameworkErrors: (error, _request, reply) =>
      refuseUnrouted(platform, options, reply as FastifyReply, toRefusal(error)),
    clientErrorHandler: rejectUnreadableRequest,
  });
  shareConnections(server.server, connections_max, platform.config.trustedProxies);
  server.decorateRequest('caller');
  server.decorateRequest('authenticationError');
  server.decorateRequest('sentKey');
  server.decorateRequest('refusedCode');
  server.decorateRequest('logged');
  server.removeAllContentTypeParsers();
  readBodiesAsJson(server, 'application/json');
  observeRequests(server, platform, options);
  const keys = openCallerKeys();
  admitRequests(server, { requests_max, keys, database: platform.database });
  if (options.telemetry) traceRequests(server, options.telemetry);
  addHeaders(server, platform);
  if (platform.config.sandbox) markPages(server);
  compressReplies(server);
  refuseExcessRequests(server);
  refuseWhileStopping(server);
  refuseRepeatedHeaders(server);
  identifyAndLimit(server, platform, options, keys);
  handleErrors(server, platform, options);
  for (const row of options.rows) if (row.options.from !== 'form') addRoute(server, platform, row);
  addFormRoutes(server, platform, options.rows);
  refuseOtherMethods(server, options.rows);
  addOriginRoutes(server, platform, options.originRows);
  return server;
}

/** Only monitoring calls it. */
const internal_bounds = { connections_max: 200, idle_ms: 60_000 } as const;

/** Builds the operator's own server: metrics, and the health of what the service depends on. */
export function openInternalServer(platform: Platform, rows: readonly OriginRow[]): FastifyInstance {
  const server = fastify({
    logger: false,
    serverFactory: buildServerFactory({ ...default_bounds, ...internal_bounds }),
    clientErrorHandler: rejectUnreadableRequest,
  });
  server.decorateRequest('replyHeaders');
  server.addHook('onRequest', (request, _reply, done) => {
    request.replyHeaders = {};
    done();
  });
  compressReplies(server);
  addOriginRoutes(server, platform, rows);
  return server;
}

function addRoute(server: FastifyInstance, platform: Platform, row: Row): void {
  server.route({
    method: row.method,
    url: api_prefix + row.path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      ...(row.options.limit && { limit: row.options.limit }),
      ...(row.options.visited && { visited: true }),
    },
    handler: buildRowHandler(platform, row, row.operation),
  });
}

/** Only these rows accept a form, because another site can make a browser send one. */
function addFormRoutes(server: FastifyInstance, platform: Platform, rows: readonly Row[]): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      (_request, bytes, done) => {
        const read = readForm(bytes as Buffer);
        return read instanceof Refusal ? done(read, undefined) : done(null, read);
      },
    );
    for (const row of rows) if (row.options.from === 'form') addRoute(scope, platform, row);
  });
}

/** A known path with another method is 405 and lists the methods that it allows (RFC 9110 section 15.5.6). */
function refuseOtherMethods(server: FastifyInstance, rows: readonly Row[]): void {
  const byPath = Map.groupBy(rows, (row) => api_prefix + row.path.replace(/\{(\w+)\}/g, ':$1'));
  for (const [url, here] of byPath) {
    const served: readonly string[] = here.map(({ method }) => method);
    const allowed = served.includes('GET') ? [...served, 'HEAD'] : served;
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

/**
 * Identifies the caller and applies the rate limits. A request with a bad token counts against its network address like an anonymous one, so
 * that guessing tokens is limited; above the limit the reply is 429 whatever else is wrong. An operation that needs no token ignores a bad
 * one: otherwise a client that always sends its token could not refresh it.
 */
function identifyAndLimit(
  server: FastifyInstance,
  platform: Platform,
  { authenticate, limits }: ServerOptions,
  keys: CallerKeys,
): void {
  const consume = (request: FastifyRequest): Verdict | Promise<Verdict> => {
    // The route, not the path: `/%61pi/v1/…` is another spelling of the same route and must not avoid the limit.
    const { url, config } = request.routeOptions;
    if (url !== undefined && !url.startsWith(api_prefix) && !config.limited) return unlimitedVerdict;
    const { caller, address } = request;
    const apart = config.limit;
    if (apart?.address_groups !== undefined) return limits.consume({ limit: apart, key: address });
    const ofRole = limitsByRole[caller.role];
    if (caller.role === 'anonymous') return limits.consume({ limit: ofRole, key: address });
    return limits.consume({ limit: apart ?? ofRole, key: nameLimited(caller) });
  };
  // Most requests need not wait here, and a promise for each would cost as much as the limit itself.
  server.addHook('onRequest', (request, _reply, done) => {
    const admit = ({ allowed, headers }: Verdict) => {
      Object.assign(request.replyHeaders, headers);
      done(allowed ? undefined : new Refusal('too_many_requests'));
    };
    const proceed = () => {
      keys.recordCaller(request);
      const verdict = consume(request);
      if (verdict instanceof Promise) verdict.then(admit, done);
      else admit(verdict);
    };
    const identifying = identifyCaller(platform, authenticate, request);
    if (identifying) identifying.then(proceed, done);
    else proceed();
  });
}

/** Records the caller on the request, or why its token was not accepted. @returns a promise where that needs the database. */
function identifyCaller(
  platform: Platform,
  authenticate: ServerOptions['authenticate'],
  request: FastifyRequest,
): Promise<void> | undefined {
  const { identify, authenticate: authenticateRoute = authenticate } = request.routeOptions.config;
  const accept = (caller: LoggedInCaller | undefined) => {
    request.sentKey = caller?.service_key?.service_key_id;
    const refusal = caller && findNetworkRefusal(platform.config, caller, request.address);
    if (refusal) request.authenticationError = refusal;
    else request.caller = caller ?? anonymousCaller;
  };
  if (identify) return identify(request).then(accept);
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  const refuse = (error: unknown) => void (request.authenticationError = error);
  try {
    const caller = authenticateRoute(platform, authorization);
    if (caller instanceof Promise) return caller.then(accept, refuse);
    accept(caller);
  } catch (error) {
    refuse(error);
  }
  return undefined;
}

/** One log line and one measurement for each request, but none for a request whose client disconnected: it has no status. */
function observeRequests(server: FastifyInstance, platform: Platform, options: ServerOptions): void {
  const { log } = platform;
  const { metrics, recordKeyRequest } = options;
  const countEnd = () => metrics.countRequestEnd();
  server.addHook('onRequest', (request, reply, done) => {
    const started_ms = performance.now();
    request.caller = anonymousCaller;
    metrics.countRequestStart();
    // Unlike `finish`, this is also emitted for a request whose client disconnected.
    reply.raw.on('close', countEnd);
    reply.raw.once('finish', () => {
      const { id, caller, method, sentKey: service_key_id, refusedCode: code } = request;
      const { url: route = 'none' } = request.routeOptions;
      const status = reply.raw.statusCode;
      const duration_ms = performance.now() - started_ms;
      metrics.observeRequest(route, method, status, duration_ms / 1000);
      logRequest(log, {
        request_id: id,
        method,
        route,
        status,
        duration_ms: Math.round(duration_ms * 10) / 10,
        role: caller.role,
        ...(caller.role !== 'anonymous' && { user_id: caller.user_id }),
        ...request.logged,
      });
      const { url } = request.routeOptions;
      if (service_key_id !== undefined)
        recordKeyRequest?.(platform, { id, service_key_id, method, url, status, code, duration_ms });
    });
    done();
  });
}

function handleErrors(
  server: FastifyInstance,
  { log, database }: Platform,
  { renderProblem }: ServerOptions,
): void {
  const send = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) =>
    isForPeople(request) && renderProblem
      ? sendProblemPage(reply, refusal, renderProblem(request, refusal))
      : sendProblem(reply, refusal);
  server.setNotFoundHandler((request, reply) => send(request, reply, new Refusal('route_not_found')));
  server.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    // That the database is unavailable is in the log once. The line of each request has its status.
    const isKnown = refusal.code === 'database_unavailable' && database.getLastState() !== 'up';
    if (isFault(refusal) && !isKnown) log.error({ request_id: request.id, err: error }, refusal.code);
    return send(request, reply, refusal);
  });
}

/** Refuses a request whose path the framework cannot decode or does not route, and which therefore has passed no hook. */
function refuseUnrouted(
  platform: Platform,
  { renderProblem }: ServerOptions,
  reply: FastifyReply,
  refusal: Refusal,
): void {
  const { request } = reply;
  request.caller = anonymousCaller;
  const headers = { ...buildFixedHeaders(platform), 'x-request-id': request.id };
  request.replyHeaders = headers;
  reply.headers(headers);
  if (renderProblem && !request.url.startsWith(`${api_prefix}/`) && isForBrowser(request))
    sendProblemPage(reply, refusal, renderProblem(request, refusal));
  else sendProblem(reply, refusal);
}

function sendProblemPage(reply: FastifyReply, { status, extras }: Refusal, page: string): FastifyReply {
  const headers = { ...extras.headers, ...pageHeaders };
  return reply.code(status).headers(headers).send(page);
}

/** Whether a browser shows the reply to a person. Most rows of the API reply with problem+json to browsers as well. */
function isForPeople(request: FastifyRequest): boolean {
  const { url, routeOptions } = request;
  if (url.startsWith(`${api_prefix}/`) && routeOptions.config.visited !== true) return false;
  return isForBrowser(request);
}

function isForBrowser({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept?.slice(0, 300) ?? '');
}

/** Whether a refusal needs a line of its own in the log. A refusal of excess requests has no cause, and there may be thousands a second. */
function isFault({ status, code, cause }: Refusal): boolean {
  if (code === 'overloaded') return cause !== undefined;
  return status >= 500;
}
