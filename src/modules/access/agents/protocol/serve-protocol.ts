import { Refusal } from '#lib/refusal.ts';
import type { OriginOptions, OriginReply, OriginRequest } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import { correctParameters, findMetadataFault, findParameterFault, selectMetadata } from '../rules.ts';
import { openProvider } from './open-provider.ts';
import { runProvider, toSentence, type ProviderReply } from './run-provider.ts';

const form_type = 'application/x-www-form-urlencoded';

/** The largest body of a request of the protocol. A registration is the longest. */
const body_bytes_max = 16 * 1024;

/** The library reads bodies itself, and replies with errors of OAuth. */
export const protocolOptions: OriginOptions = { body: 'bytes', body_bytes_max };

/** GET /oauth/authorize, and its continuation after the decision of the person: redirects the browser. */
export async function serveAuthorization(platform: Platform, request: OriginRequest): Promise<OriginReply> {
  const [path, query = ''] = splitOnce(request.url, '?');
  const parameters = new URLSearchParams(query);
  const fault = findParameterFault(parameters);
  if (fault !== undefined) throw new Refusal('authorization_request_invalid', { detail: toSentence(fault) });
  const corrected = correctParameters(parameters, platform.config.publicUrl, platform.tools);
  const url = corrected.size === 0 ? path : `${path}?${corrected.toString()}`;
  return toOriginReply(await run(platform, request, { method: 'GET', url, body: '' }));
}

/** POST /oauth/token and /oauth/revoke. */
export async function serveForm(platform: Platform, request: OriginRequest): Promise<OriginReply> {
  const body = readText(request);
  const isForm = request.headers['content-type']?.startsWith(form_type) === true;
  const parameters = new URLSearchParams(isForm ? body : '');
  const fault = findParameterFault(parameters);
  if (fault !== undefined) return refuse('invalid_request', fault);
  const corrected = isForm
    ? correctParameters(parameters, platform.config.publicUrl, platform.tools).toString()
    : body;
  return toOriginReply(await run(platform, request, { method: 'POST', url: request.url, body: corrected }));
}

/** POST /oauth/register (RFC 7591). */
export async function serveRegistration(platform: Platform, request: OriginRequest): Promise<OriginReply> {
  const metadata = readMetadata(request);
  const fault = metadata && findMetadataFault(metadata);
  if (fault !== undefined) return refuse('invalid_client_metadata', fault);
  const body = metadata ? JSON.stringify(selectMetadata(metadata)) : readText(request);
  return toOriginReply(await run(platform, request, { method: 'POST', url: request.url, body }));
}

/** Undefined for a body that is no JSON object, which the library refuses. */
function readMetadata(request: OriginRequest): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(readText(request));
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** An error as OAuth defines it (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
function refuse(
  error: 'invalid_client_metadata' | 'invalid_request',
  error_description: string,
): OriginReply {
  return {
    status: 400,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    content: { error, error_description },
  };
}

function run(
  platform: Platform,
  { headers }: OriginRequest,
  request: { readonly method: 'GET' | 'POST'; readonly url: string; readonly body: string },
): Promise<ProviderReply> {
  if (request.url.includes('%00'))
    throw new Refusal('request_malformed', { detail: 'The URL contains a NUL.' });
  return runProvider(openProvider(platform), platform.config, { ...request, headers });
}

/** The body as text. A POST without a body has none. */
function readText({ body }: OriginRequest): string {
  // The decoder leaves a byte order mark out, which some libraries write.
  return Buffer.isBuffer(body) ? new TextDecoder().decode(body) : '';
}

function toOriginReply({ status, headers, body }: ProviderReply): OriginReply {
  const isRedirect = status >= 300 && status < 400;
  return {
    status,
    headers: selectHeaders(headers),
    content: isRedirect ? '' : ((body as object | string) ?? ''),
  };
}

/** The service adds its own headers to every reply, those for other origins (CORS) among them. The length is that of the content. */
function selectHeaders(headers: ProviderReply['headers']): OriginReply['headers'] {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (name.startsWith('access-control-') || name === 'content-length' || value === undefined) return [];
    return [[name, Array.isArray(value) ? value : String(value)] as const];
  });
  return Object.fromEntries(entries);
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
