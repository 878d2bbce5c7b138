import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { requireRecentAuthentication } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { computeEtag, isKnownToClient } from '#platform/etag.ts';
import { parseCookies, serialiseCookie } from '#platform/http/cookies.ts';
import { writeReply } from '#platform/http/headers.ts';
import { hashIdempotentRequest, runIdempotentRequest } from '#platform/http/idempotency.ts';
import type { Row } from '#platform/http/row.ts';
import { buildInputParser, buildOutputGuard } from '#platform/http/validation.ts';
import {
  DocumentOutput,
  FileOutput,
  isReply,
  mayCall,
  RedirectOutput,
  type Context,
  type DocumentBody,
  type FileBody,
  type Operation,
  type RedirectBody,
  type Reply,
} from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';

type RunTransaction = Platform['database']['transaction'];
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Builds the handler of a row. It checks the caller, parses the input, runs the operation and guards the reply. */
export function buildRowHandler(platform: Platform, row: Row, operation: Operation): Handler {
  const parse = buildInputParser(row, operation.input);
  const guards = buildGuards(operation);
  return async (request, reply) => {
    checkCaller(operation, request, platform.now());
    if (request.url.includes('%00'))
      throw new Refusal('request_malformed', { detail: 'The URL contains a NUL.' });
    const input = parse(request);
    const key = operation.idempotent ? request.headers['idempotency-key'] : undefined;
    const { result, replayed } =
      typeof key === 'string'
        ? await runOnce(key, request, input)
        : { result: await runOperation(request, input), replayed: false };
    if (replayed) request.replyHeaders['idempotent-replayed'] = 'true';
    return send(reply, isReply(result) ? result : { status: guards.firstStatus, body: result, cookies: [] });
  };

  function runOperation(
    request: FastifyRequest,
    input: object,
    transaction: RunTransaction = (work, options) => platform.database.transaction(work, options),
  ): Promise<unknown> {
    return operation.run(buildContext(platform, row, request, transaction), input);
  }

  function runOnce(key: string, request: FastifyRequest, input: object) {
    const { caller } = request;
    const caller_id = caller.role === 'anonymous' ? 'anonymous' : caller.user_id;
    const content = [row.method, row.path, input];
    return runIdempotentRequest(
      platform,
      hashIdempotentRequest(platform, key, caller_id, content),
      (transaction) => runOperation(request, input, transaction),
    );
  }

  function send(reply: FastifyReply, { status, body, cookies }: Reply): FastifyReply {
    const guard = guards.byStatus.get(status);
    if (guard === undefined)
      throw new Error(`${operation.name} returned status ${String(status)}, which it does not declare`);
    for (const { name } of cookies)
      if (!operation.cookies?.sets?.includes(name))
        throw new Error(`${operation.name} sets the cookie ${name}, which it does not declare`);
    // The guard runs first, because an error that it throws must be sent without the cookies.
    const { headers, content } = guard === null ? emptyReply : guard(body);
    const etag = operation.etag && computeEtag(String(content));
    if (etag && row.method === 'GET' && isKnownToClient(reply.request.headers['if-none-match'], etag))
      return writeReply(reply, 304, { etag }, '');
    const allHeaders = {
      ...headers,
      ...(etag && { etag }),
      ...(operation.location && locateResult(platform, operation, { status, body })),
      ...(cookies.length > 0 && { 'set-cookie': cookies.map(serialiseCookie) }),
    };
    return writeReply(reply, status, allHeaders, content);
  }
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

const emptyReply: GuardedReply = { headers: {}, content: '' };

function checkCaller(
  { who, recent_authentication }: Operation,
  { caller, authenticationError }: FastifyRequest,
  now: Date,
): void {
  if (!mayCall(who, caller)) {
    if (authenticationError instanceof Error) throw authenticationError;
    throw new Refusal(caller.role === 'anonymous' ? 'authentication_required' : 'role_not_allowed');
  }
  if (recent_authentication && caller.role !== 'anonymous') requireRecentAuthentication(caller, now);
}

function buildContext(
  platform: Platform,
  { options }: Row,
  request: FastifyRequest,
  transaction: RunTransaction,
): Context<never> {
  // A browser marks requests that another site caused, and their cookies are ignored. A form may be posted by another site; the browser
  // then sends only cookies with SameSite=None.
  const isCrossSite = request.headers['sec-fetch-site'] === 'cross-site' && options.from !== 'form';
  return {
    ...platform,
    caller: request.caller,
    now: platform.now,
    transaction,
    request: {
      id: request.id,
      address: request.address,
      user_agent: request.headers['user-agent']?.slice(0, 300),
      accept: request.headers.accept?.slice(0, 300),
      if_match: request.headers['if-match'],
      cookies: isCrossSite ? {} : parseCookies(request.headers.cookie),
      origin: request.headers.origin,
    },
  };
}

function buildGuards(operation: Operation) {
  const byStatus = new Map(
    Object.entries(operation.output).map(([status, output]) => [
      Number(status),
      buildGuard(operation.name, Number(status), output),
    ]),
  );
  const [firstStatus] = byStatus.keys();
  if (firstStatus === undefined) throw new Error(`${operation.name} declares no status`);
  return { byStatus, firstStatus };
}

/** The content of a reply, and the headers that describe it. */
type GuardedReply = { readonly headers: Readonly<Record<string, string>>; readonly content: string | Buffer };

function buildGuard(
  name: string,
  status: number,
  output: TSchema | FileOutput | DocumentOutput | RedirectOutput | null,
): ((body: unknown) => GuardedReply) | null {
  if (output === null) return null;
  // The types of `operation` make `run` return the body that its output declares.
  if (output instanceof FileOutput) return (body) => guardFile(name, output, body as FileBody);
  if (output instanceof DocumentOutput) return (body) => guardDocument(name, output, body as DocumentBody);
  if (output instanceof RedirectOutput)
    return (body) => ({ headers: { location: (body as RedirectBody).location }, content: '' });
  const guard = buildOutputGuard(name, status, output);
  return (body) => ({ headers: jsonHeaders, content: guard(body) });
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

function guardDocument(name: string, { media_types }: DocumentOutput, body: DocumentBody): GuardedReply {
  const { media_type, content, max_age_s } = body;
  if (!media_types.includes(media_type))
    throw new Error(`${name} returned ${media_type}, which it does not declare`);
  const cached = max_age_s > 0 && { 'cache-control': `public, max-age=${max_age_s}` };
  return {
    headers: {
      'content-type': media_type,
      ...cached,
      ...(media_types.length > 1 && { vary: 'Accept' }),
    },
    content,
  };
}

/** A file is an attachment, which browsers save and do not display: user input in it must not run as a page of this service. */
function guardFile(name: string, { media_type }: FileOutput, { filename, content }: FileBody): GuardedReply {
  if (!/^[\w.-]{1,100}$/.test(filename)) throw new Error(`${name} returned a file with an unsafe name`);
  const headers = {
    'content-type': media_type,
    'content-disposition': `attachment; filename="${filename}"`,
  };
  return { headers, content };
}
