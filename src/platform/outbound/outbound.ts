import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Config } from '#platform/config.ts';
import {
  createPinnedLookup,
  createRoutes,
  type FindRoute,
  type Route,
} from '#platform/outbound/connections.ts';
import { createResolver } from '#platform/outbound/name-servers.ts';
import { isLocalAddress, isPublicAddress } from '#platform/outbound/public-address.ts';

/** A request to an external server whose URL a user gave to the service. */
export type OutboundRequest = {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The limit for everything: name resolution, connections, redirects and the complete response. */
  readonly timeout_ms: number;
  /** The limit for the body of the response. */
  readonly max_bytes: number;
  /** Whether a longer body is refused, or cut off at the limit. */
  readonly whenTooLong?: 'refuse' | 'cut';
  /**
   * The owner of the connection, which stays open for the owner's next request to the same server; one that is open already is used. Owners
   * share no connections. If the server closes a kept connection without a response, the request is sent once more on a new one, so the server
   * may receive it twice.
   */
  readonly keep_for?: string;
  /** How many redirects of a GET are followed. Each URL is checked like the first one. */
  readonly redirects_max?: number;
};

/** The response of the external server. The body is never decompressed. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
};

export type FetchOutbound = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

/** The reason why a request got no response. */
export type OutboundFault =
  | 'url_forbidden'
  | 'address_forbidden'
  | 'unresolvable'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects';

const messages: Readonly<Record<OutboundFault, string>> = {
  url_forbidden: 'must be an https URL without user, password or a port below 1024',
  address_forbidden: 'leads to an address that is not on the public internet',
  unresolvable: 'names a host that cannot be found',
  unreachable: 'does not respond',
  timeout: 'does not respond in time',
  too_large: 'sends a response that is too large',
  too_many_redirects: 'redirects too often',
};

/**
 * An expected failure of an outbound request. The message completes "The URL …", can be shown to the user, and reveals nothing about the
 * network.
 */
export class OutboundError extends Error {
  readonly fault: OutboundFault;
  /** The status of a response that began and was not completed. */
  readonly status: number | undefined;

  constructor(fault: OutboundFault, cause?: unknown, status?: number) {
    super(messages[fault], { cause });
    this.name = 'OutboundError';
    this.fault = fault;
    this.status = status;
  }
}

/**
 * Describes an error so that it completes "The URL …". Outside production it names the variable that permits private addresses, where that is
 * the way out.
 */
export function describeOutboundError(
  { fault, message }: OutboundError,
  { production, outboundPrivate }: Pick<Config, 'production' | 'outboundPrivate'>,
): string {
  const mayBePermitted = fault === 'address_forbidden' || fault === 'url_forbidden';
  if (!mayBePermitted || production || outboundPrivate) return message;
  return `${message}; TESSERA_WEBHOOK_ALLOW_PRIVATE=true permits private addresses, and http there, for development`;
}

export type OutboundOptions = {
  /** For development and tests: also permits private and loopback addresses, `http:` there, and any port. */
  readonly allowPrivate: boolean;
  /** The name servers that resolve names in production; those of the system if there are none. */
  readonly nameServers?: readonly string[];
  /** Resolves a host name to all of its addresses. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly isAllowed?: (address: string) => boolean;
  /** For how long a check of a server is valid for further requests that keep their connection. */
  readonly checked_ms?: number;
};

const default_checked_ms = 10_000;

/**
 * Creates the only function with which the service fetches URLs that users give to it. No request reaches an address that is not on the
 * public internet: a name is resolved once, all of its addresses are checked, and only these are used for the connection, so that a DNS
 * response that changes after the check has no effect. Redirects are checked in the same way. Connections that are kept lead to checked
 * addresses as well.
 */
export function createFetchOutbound({
  allowPrivate,
  checked_ms = default_checked_ms,
  ...options
}: OutboundOptions): FetchOutbound {
  const guard: Guard = {
    allowPrivate,
    resolve:
      options.resolve ?? (allowPrivate ? resolveLocally : createResolveByNameServer(options.nameServers)),
    isAllowed: options.isAllowed ?? ((address) => allowPrivate || isPublicAddress(address)),
  };
  const findAddresses = (url: URL, signal: AbortSignal) => resolveAllowedAddresses(guard, url, signal);
  const findRoute = createRoutes(findAddresses, checked_ms);
  return async (url, request) => {
    // Not AbortSignal.timeout, whose timer would outlive a short request.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), request.timeout_ms);
    try {
      return await followRedirects(guard, { url, request, signal: deadline.signal }, (target, sent, signal) =>
        request.keep_for !== undefined
          ? sendOnRoute(target, sent, signal, findRoute)
          : sendOnce(target, sent, signal, findAddresses),
      );
    } finally {
      clearTimeout(timer);
    }
  };
}

type Send = (target: URL, request: OutboundRequest, signal: AbortSignal) => Promise<OutboundResponse>;

type OutboundCall = { readonly url: string; readonly request: OutboundRequest; readonly signal: AbortSignal };

async function followRedirects(
  guard: Guard,
  { url, request, signal }: OutboundCall,
  send: Send,
): Promise<OutboundResponse> {
  let target = checkUrl(guard, url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(target, removeForeignHeaders(target, url, request), signal);
    const location = findRedirect(target, request, response);
    if (location === undefined) return response;
    if (redirects >= (request.redirects_max ?? 0)) throw new OutboundError('too_many_redirects');
    target = checkUrl(guard, location);
  }
}

/** Sends a request on a connection of its own. */
async function sendOnce(
  target: URL,
  request: OutboundRequest,
  signal: AbortSignal,
  findAddresses: (url: URL, signal: AbortSignal) => Promise<readonly string[]>,
): Promise<OutboundResponse> {
  return sendRequest(target, { addresses: await findAddresses(target, signal) }, request, signal);
}

/** Sends a request on a connection that may have been used before, and on a new one if the server has just closed that one. */
async function sendOnRoute(
  target: URL,
  request: OutboundRequest,
  signal: AbortSignal,
  findRoute: FindRoute,
): Promise<OutboundResponse> {
  const route = await findRoute(request.keep_for ?? '', target, signal);
  try {
    return await sendRequest(target, route, request, signal);
  } catch (error) {
    if (!(error instanceof OutboundError && error.cause instanceof KeptConnectionClosed)) throw error;
    return sendRequest(target, { addresses: route.addresses }, request, signal);
  }
}

/** The server closed a kept connection without a response: it probably did so before the request arrived. */
class KeptConnectionClosed extends Error {}

/**
 * Checks a URL that a user gives to the service, before it is stored: its form, and the address if its host is one. A host name is
 * resolved and checked with each request.
 *
 * @throws OutboundError `url_forbidden`, `address_forbidden`.
 */
export function checkOutboundUrl(
  text: string,
  { allowPrivate }: Pick<OutboundOptions, 'allowPrivate'>,
): void {
  const url = checkUrl({ allowPrivate }, text);
  const host = readHost(url).replace(/\.$/, '');
  const isNamedLocal = isIP(host) === 0 && localNames.test(host);
  if (url.protocol === 'http:' && !isNamedLocal && !isLocalAddress(host))
    throw new OutboundError('url_forbidden');
  // Another local name resolves to nothing, or to an address that is refused with each request.
  const isForbidden = isIP(host) ? !isPublicAddress(host) : /(^|\.)localhost$/.test(host);
  if (isForbidden && !allowPrivate) throw new OutboundError('address_forbidden');
}

/** Names that are not in the public DNS: those without a dot, and those below the names of RFC 6761, RFC 6762, RFC 8375 and `internal`. */
const localNames = /^[^.]+$|\.(?:localhost|local|test|internal|home\.arpa)$/;

type Guard = Required<Omit<OutboundOptions, 'nameServers' | 'checked_ms'>>;

/** @throws OutboundError `url_forbidden`. */
function checkUrl({ allowPrivate }: Pick<Guard, 'allowPrivate'>, text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('url_forbidden');
  const url = new URL(text);
  const isSchemeAllowed = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:');
  const hasCredentials = url.username !== '' || url.password !== '';
  // Ports below 1024 belong to mail servers and others, which could interpret a request as commands.
  const isPortAllowed = url.port === '' || allowPrivate || Number(url.port) >= 1024;
  if (!isSchemeAllowed || hasCredentials || !isPortAllowed) throw new OutboundError('url_forbidden');
  return url;
}

/**
 * Returns the host without the brackets of an IPv6 address. `URL` has already converted decimal, octal and hexadecimal IPv4 to the dotted
 * form.
 */
function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Removes the headers from a request to another origin, because they may contain a token for the first server. */
function removeForeignHeaders(target: URL, first: string, request: OutboundRequest): OutboundRequest {
  return target.origin === new URL(first).origin ? request : { ...request, headers: {} };
}

async function resolveAllowedAddresses(
  { resolve, isAllowed }: Guard,
  url: URL,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = readHost(url);
  const addresses = isIP(host) ? [host] : await awaitBeforeDeadline(signal, resolve(host));
  if (addresses.length === 0) throw new OutboundError('unresolvable');
  // A private address among public ones is suspicious, and the connection could use any of them.
  if (!addresses.every(isAllowed)) throw new OutboundError('address_forbidden');
  // What leaves this network is encrypted, in development too.
  if (url.protocol === 'http:' && !addresses.every(isLocalAddress)) throw new OutboundError('url_forbidden');
  return addresses;
}

async function awaitBeforeDeadline<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const rejectLate = () => deadline.reject(new OutboundError('timeout'));
  signal.addEventListener('abort', rejectLate, { once: true });
  if (signal.aborted) rejectLate();
  try {
    return await Promise.race([work, deadline.promise]);
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError('unresolvable', error);
  } finally {
    signal.removeEventListener('abort', rejectLate);
  }
}

function sendRequest(
  url: URL,
  { addresses, agent }: Pick<Route, 'addresses'> & Partial<Route>,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  let status: number | undefined;
  const fail = (error: unknown) => {
    const isKept = sent.reusedSocket && status === undefined && !signal.aborted;
    const reason = isKept ? new KeptConnectionClosed('closed', { cause: error }) : error;
    reject(toOutboundError(reason, signal, status));
  };
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method: request.method ?? 'GET',
    headers: {
      'user-agent': 'Tessera',
      'accept-encoding': 'identity',
      ...request.headers,
      ...(request.body !== undefined && { 'content-length': Buffer.byteLength(request.body) }),
    },
    // Never the agent of the process, whose connections no check has seen.
    agent: agent ?? false,
    ...(!agent && { lookup: createPinnedLookup(addresses) }),
    signal,
  });
  sent.on('error', fail);
  // Node reports no error if a server switches protocols or closes the connection without a response.
  const failWithoutResponse = () => fail(new Error('the connection was closed'));
  sent.once('close', failWithoutResponse);
  sent.once('response', (incoming) => {
    status = incoming.statusCode;
    // From here on, reading the body detects an incomplete response.
    sent.off('close', failWithoutResponse);
    void readResponse(incoming, request)
      .then(resolve, fail)
      // A complete response leaves the connection to its agent.
      .finally(() => (agent && incoming.complete ? undefined : sent.destroy()));
  });
  sent.end(request.body);
  return promise;
}

async function readResponse(
  incoming: http.IncomingMessage,
  { max_bytes, whenTooLong = 'refuse' }: OutboundRequest,
): Promise<OutboundResponse> {
  const parts: Buffer[] = [];
  let remaining = max_bytes;
  // Without an encoding, the parts are Buffers.
  for await (const part of incoming as AsyncIterable<Buffer>) {
    if (part.length > remaining && whenTooLong === 'refuse') throw new OutboundError('too_large');
    parts.push(part.subarray(0, remaining));
    remaining -= part.length;
    if (remaining < 0) break;
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) };
}

function toOutboundError(error: unknown, signal: AbortSignal, status: number | undefined): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(signal.aborted ? 'timeout' : 'unreachable', error, status);
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the target of a redirect. Only a GET is redirected, because the body of a POST is meant only for its URL. */
function findRedirect(
  url: URL,
  { method = 'GET' }: OutboundRequest,
  response: OutboundResponse,
): string | undefined {
  const { location } = response.headers;
  if (method !== 'GET' || location === undefined || !redirectStatuses.has(response.status)) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url).href : location;
}

/**
 * Creates a function that resolves a name by the name servers directly. `getaddrinfo` would block one of the four pool threads, which password hashes need, while it
 * waits for a slow name server, and would read the machine's hosts file.
 */
function createResolveByNameServer(nameServers: readonly string[] = []): Guard['resolve'] {
  return async (hostname) => {
    const resolver = createResolver(nameServers);
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  };
}

/** Resolves a name by the operating system, so that in development names of this machine and its network work as well. */
async function resolveLocally(hostname: string): Promise<readonly string[]> {
  const records = await lookup(hostname, { all: true });
  return records.map(({ address }) => address);
}
