import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { Refusal } from '#lib/refusal.ts';
import type { Config } from '#platform/config.ts';

/** A request to the authorization server, corrected and with its whole body. */
export type ProviderRequest = {
  readonly method: 'GET' | 'POST';
  /** The path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/** What the authorization server replies. */
export type ProviderReply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: unknown;
};

/** How a request ended: with a reply, or with an error that the service shows like any other. */
type Outcome = ProviderReply | { readonly error: unknown };

const outcomes = new WeakMap<object, Outcome>();

/** The headers that the library needs to know. Others, such as X-Forwarded-Host, are ours to set. */
const passed_headers = ['accept', 'authorization', 'content-type', 'cookie'] as const;

/**
 * Runs a request through oidc-provider without a socket. The reply is written by the service, so that it has the same headers, limits and log lines as
 * every other one, and so that errors for people are pages of the console.
 *
 * @throws Refusal `authorization_request_invalid` for a request that cannot be returned to its client.
 */
export async function runProvider(
  provider: Provider,
  config: Pick<Config, 'publicUrl'>,
  request: ProviderRequest,
): Promise<ProviderReply> {
  const incoming = buildIncoming(config, request);
  await provider.callback()(incoming, new ServerResponse(incoming));
  const outcome = outcomes.get(incoming);
  if (!outcome) throw new Error('the authorization server has not replied');
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

/** Lets a new provider hand its replies and errors to {@link runProvider}. `finish` runs between both. */
export function recordReplies(
  provider: Provider,
  finish: (context: KoaContextWithOIDC) => Promise<void>,
): void {
  // Errors that are not of the protocol. The library would reply with a text that says nothing.
  provider.on('server_error', (context, error) => void (context.state['fault'] = error));
  provider.use(async (plain, next) => {
    const context = plain as KoaContextWithOIDC;
    context.respond = false;
    try {
      await next();
      await finish(context);
      outcomes.set(context.req, readOutcome(context));
    } catch (error) {
      outcomes.set(context.req, { error });
    }
  });
}

function readOutcome({ state, status, response, body }: KoaContextWithOIDC): Outcome {
  const { fault, shownError } = state as {
    fault?: unknown;
    shownError?: { error_description?: string; error: string };
  };
  if (fault !== undefined) return { error: fault };
  if (shownError) {
    const detail = shownError.error_description ?? shownError.error;
    return { error: new Refusal('authorization_request_invalid', { detail: toSentence(detail) }) };
  }
  return { status, headers: response.headers, body };
}

/** Writes a description as a sentence. The library's begin in lower case and have no full stop. */
export function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function buildIncoming({ publicUrl }: Pick<Config, 'publicUrl'>, request: ProviderRequest): IncomingMessage {
  const { protocol, host } = new URL(publicUrl);
  const passed = passed_headers.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const headers = {
    ...Object.fromEntries(passed),
    host,
    // The public address, whatever the proxies in front of this service say.
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(request.method === 'POST' && { 'content-length': String(Buffer.byteLength(request.body)) }),
  };
  const body = Readable.from(request.body === '' ? [] : [Buffer.from(request.body)]);
  // What the library reads of a request; it has no socket.
  return Object.assign(body, {
    method: request.method,
    url: request.url,
    originalUrl: request.url,
    headers,
    httpVersionMajor: 1,
    socket: {},
  }) as unknown as IncomingMessage;
}
