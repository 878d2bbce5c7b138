import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { requireRecentAuthentication } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { parseCookies, serialiseCookie } from '#platform/http/cookies.ts';
import { writeReply } from '#platform/http/headers.ts';
import { runIdempotentRequest, hashIdempotentRequest } from '#platform/http/idempotency.ts';
import type { Row } from '#platform/http/row.ts';
import { buildInputParser, buildOutputGuard } from '#platform/http/validation.ts';
import {
  DocumentOutput,
  FileOutput,
  isReply,
  mayCall,
  type Context,
  RedirectOutput,
  type DocumentBody,
  type FileBody,
  type Operation,
  type RedirectBody,
  type Reply,
} from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';

type RunTransaction = Platform['database']['transaction'];
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The way of one request through the door: admit, parse, run, guard the answer. */
export function buildRowHandler(platform: Platform, row: Row, operation: Operation): Handler {
  const parse = buildInputParser(row, operation.input);
  const guards = buildGuards(operation);
  return async (request, reply) => {
    checkCaller(operation, request, platform.now());
    if (request.url.includes('%00'))
      throw new Refusal('request_malformed', { detail: 'The address holds a NUL.' });
    const input = parse(request);
    const key = operation.idempotent ? request.headers['idempotency-key'] : undefined;
    const { answer, replayed } =
      typeof key === 'string'
        ? await runOnce(key, request, input)
        : { answer: await runOperation(request, input), replayed: false };
    if (replayed) request.replyHeaders['idempotent-replayed'] = 'true';
    return send(reply, isReply(answer) ? answer : { status: guards.first, body: answer, cookies: [] });
  };

  function runOperation(
    request: FastifyRequest,
    input: never,
    transaction: RunTransaction = (work, options) => platform.database.transaction(work, options),
  ): Promise<unknown> {
    return operation.run(buildContext(platform, row, request, transaction), input);
  }

  function runOnce(key: string, request: FastifyRequest, input: never) {
    const { caller } = request;
    const who = caller.role === 'anonymous' ? 'anonymous' : caller.user_id;
    const content = [row.method, row.path, input];
    return runIdempotentRequest(platform, hashIdempotentRequest(platform, key, who, content), (transaction) =>
      runOperation(request, input, transaction),
    );
  }

  function send(reply: FastifyReply, { status, body, cookies }: Reply): FastifyReply {
    const guard = guards.of.get(status);
    if (guard === undefined)
      throw new Error(`${operation.name} answered ${String(status)}, which it does not declare`);
    // First the guard: where it throws, the error that is answered instead must not carry the cookies.
    const { headers, content } = guard === null ? emptyReply : guard(body);
    const kept = cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies.map(serialiseCookie) };
    return writeReply(reply, status, kept, content);
  }
}

const emptyReply: GuardedReply = { headers: {}, content: '' };

function checkCaller(
  { who, recent_authentication }: Operation,
  { caller, authenticationError: refused }: FastifyRequest,
  now: Date,
): void {
  if (!mayCall(who, caller)) {
    if (refused instanceof Error) throw refused;
    throw new Refusal(caller.role === 'anonymous' ? 'authentication_required' : 'role_not_allowed');
  }
  if (recent_authentication && caller.role !== 'anonymous') requireRecentAuthentication(caller, now);
}

function buildContext(
  platform: Platform,
  { options }: Row,
  request: FastifyRequest,
  transaction: RunTransaction,
): Context {
  // A browser marks what another site made it send; such a request brings no cookie of ours. A form is there to be posted by other sites,
  // and the browser itself keeps our other cookies back, which are SameSite=Lax.
  const foreign = request.headers['sec-fetch-site'] === 'cross-site' && options.from !== 'form';
  return {
    ...platform,
    caller: request.caller as never,
    now: platform.now,
    transaction,
    request: {
      id: request.id,
      address: request.address,
      user_agent: request.headers['user-agent']?.slice(0, 300),
      accept: request.headers.accept?.slice(0, 300),
      cookies: foreign ? {} : parseCookies(request.headers.cookie),
      origin: request.headers.origin,
    },
  };
}

function buildGuards(operation: Operation) {
  const declared = Object.entries(operation.output).map(
    ([status, schema]) => [Number(status), schema] as const,
  );
  const of = new Map(
    declared.map(([status, output]) => [status, buildGuard(operation.name, status, output)] as const),
  );
  return { of, first: declared[0]![0] };
}

/** What goes out: the bytes, and the headers that describe them. */
type GuardedReply = { readonly headers: Readonly<Record<string, string>>; readonly content: string | Buffer };

function buildGuard(
  name: string,
  status: number,
  output: TSchema | FileOutput | DocumentOutput | RedirectOutput | null,
): ((body: unknown) => GuardedReply) | null {
  if (output === null) return null;
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
    throw new Error(`${name} answered ${media_type}, which it does not declare`);
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

/** A file is kept and never shown: what people wrote into it must not run as a page of ours. */
function guardFile(name: string, { media_type }: FileOutput, { filename, content }: FileBody): GuardedReply {
  if (!/^[\w.-]{1,100}$/.test(filename)) throw new Error(`${name} answered a file with an unsafe name`);
  const headers = {
    'content-type': media_type,
    'content-disposition': `attachment; filename="${filename}"`,
  };
  return { headers, content };
}
