import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { computeEtag } from '#platform/etag.ts';
import { parseCookies, serialiseCookie } from '#platform/http/cookies.ts';
import { writeContent } from '#platform/http/write-content.ts';
import type { Row } from '#platform/http/row.ts';
import { buildRowSteps, type GuardedReply } from '#platform/http/row-steps.ts';
import type { Operation, Reply, RequestFacts } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Builds the handler of a row. It checks the caller, parses the input, runs the operation and guards the reply. */
export function buildRowHandler(platform: Platform, row: Row, operation: Operation): Handler {
  const { checkCaller, parse, run } = buildRowSteps(platform, row, operation);
  return async (request, reply) => {
    checkCaller(request);
    if (request.url.includes('%00'))
      throw new Refusal('request_malformed', { detail: 'The URL contains a NUL.' });
    const input = await parse(request, request.caller);
    const key = operation.idempotent ? request.headers['idempotency-key'] : undefined;
    const { caller } = request;
    const facts = readRequestFacts(row, operation, request);
    const guarded = await run({ caller, facts, input, ...(typeof key === 'string' && { key }) });
    if (guarded.replayed) request.replyHeaders['idempotent-replayed'] = 'true';
    return send(reply, guarded);
  };

  function send(
    reply: FastifyReply,
    { status, body, cookies, receipt, headers, content }: GuardedReply,
  ): FastifyReply | Promise<FastifyReply> {
    // Operations with an entity tag reply with JSON.
    const etag = typeof content === 'string' && computeContentEtag(operation, content);
    const allHeaders = {
      ...headers,
      ...(etag && { etag }),
      ...(operation.location && locateResult(platform, operation, { status, body })),
      ...(receipt && { [receipt.name]: receipt.value }),
      ...(cookies.length > 0 && { 'set-cookie': cookies.map(serialiseCookie) }),
    };
    return writeContent(platform.log, reply, { status, headers: allHeaders, content });
  }
}

function computeContentEtag({ etag }: Operation, content: string): string | undefined {
  if (!etag) return undefined;
  return computeEtag(content, etag === true ? [] : etag.without);
}

/** How soon a client may ask for the result of a 202, in seconds. Most tasks take less. */
const task_retry_s = '1';

/** The headers that say where a new resource is, and where and when to ask for the result of a task. */
function locateResult(
  { config }: Platform,
  { location }: Operation,
  { status, body }: Pick<Reply, 'status' | 'body'>,
): Readonly<Record<string, string>> {
  if (!location || (status !== 201 && status !== 202)) return {};
  return {
    // The types of `operation` make `location` accept the bodies of these two statuses.
    location: `${config.publicUrl}/api/v1${location(body as never)}`,
    ...(status === 202 && { 'retry-after': task_retry_s }),
  };
}

const noPayment: RequestFacts['payment'] = {};

/** Repeated headers have been refused, so each is one text. */
function readPaymentHeaders({ headers }: FastifyRequest): RequestFacts['payment'] {
  return {
    'payment-signature': headers['payment-signature'] as string | undefined,
    'x-payment': headers['x-payment'] as string | undefined,
  };
}

function readRequestFacts({ options }: Row, operation: Operation, request: FastifyRequest): RequestFacts {
  // A browser marks requests that another site caused, and their cookies are ignored. Another site may post a form or send a browser here; then
  // only cookies with SameSite=None count, and of the others those that the browser sends along when it opens a page.
  const isCrossSite =
    request.headers['sec-fetch-site'] === 'cross-site' && options.from !== 'form' && options.visited !== true;
  return {
    id: request.id,
    address: request.address,
    user_agent: request.headers['user-agent']?.slice(0, 300),
    accept: request.headers.accept?.slice(0, 300),
    if_match: request.headers['if-match'],
    payment: operation.takes_payment ? readPaymentHeaders(request) : noPayment,
    cookies: isCrossSite ? {} : parseCookies(request.headers.cookie),
    origin: request.headers.origin,
  };
}
