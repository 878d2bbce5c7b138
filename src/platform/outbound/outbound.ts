import { lookup, Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from '#platform/outbound/public-address.ts';

/** A request to somebody else's server, by an address that a user gave us. */
export type OutboundRequest = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For all of it: names, connections, redirects and the whole answer. */
  readonly timeout_ms: number;
  /** Of the answer's body. */
  readonly max_bytes: number;
  /** Whether a longer answer is refused, or cut off where it passes the limit. */
  readonly whenTooLong?: 'refuse' | 'cut';
  /** How many redirects of a GET are followed; each is checked like the first address. */
  readonly redirects_max?: number;
};

/** What the other server answered; the body is as it came, and never decompressed. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
};

export type FetchOutbound = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

/** What kept a request from being answered. */
export type OutboundFault =
  | 'url_forbidden'
  | 'address_forbidden'
  | 'unresolvable'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects';

const sentences: Readonly<Record<OutboundFault, string>> = {
  url_forbidden: 'must be an https URL without user, password or a privileged port',
  address_forbidden: 'leads to an address that is not on the public internet',
  unresolvable: 'names a host that cannot be found',
  unreachable: 'does not answer',
  timeout: 'does not answer in time',
  too_large: 'answers more than is taken',
  too_many_redirects: 'redirects too often',
};

/** An expected failure of an outbound request; the message can be shown to whoever gave the URL, and tells nothing of our network. */
export class OutboundError extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, cause?: unknown) {
    super(sentences[fault], { cause });
    this.name = 'OutboundError';
    this.fault = fault;
  }
}

export type OutboundOptions = {
  /** Development and tests: private and loopback addresses, http and any port as well. */
  readonly allowPrivate: boolean;
  /** All addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly isAllowed?: (address: string) => boolean;
};

/**
 * Makes the one way by which the service fetches what a user points it at. No request reaches an address that is not on the public internet,
 * whatever the name service says: a name is resolved once, all of its addresses are checked, and the connection is made to these and to no
 * others, so that an answer that changes between check and connection changes nothing. Redirects go through the same door.
 */
export function createFetchOutbound({ allowPrivate, ...options }: OutboundOptions): FetchOutbound {
  const guard: Guard = {
    allowPrivate,
    resolve: options.resolve ?? (allowPrivate ? resolveLocally : resolveByNameServer),
    isAllowed: options.isAllowed ?? ((address) => allowPrivate || isPublicAddress(address)),
  };
  return async (url, request) => {
    const signal = AbortSignal.timeout(request.timeout_ms);
    let target = checkUrl(guard, url);
    for (let redirects = 0; ; redirects++) {
      const addresses = await resolveAllowedAddresses(guard, readHost(target), signal);
      const answer = await sendRequest(target, addresses, removeForeignHeaders(target, url, request), signal);
      const location = findRedirect(target, request, answer);
      if (location === undefined) return answer;
      if (redirects >= (request.redirects_max ?? 0)) throw new OutboundError('too_many_redirects');
      target = checkUrl(guard, location);
    }
  };
}

type Guard = Required<OutboundOptions>;

/** @throws OutboundError `url_forbidden`. */
function checkUrl({ allowPrivate }: Guard, text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('url_forbidden');
  const url = new URL(text);
  const scheme = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:');
  const anonymous = url.username === '' && url.password === '';
  // Below 1024 live mail servers and the like, which would read a request as commands of their own.
  const port = url.port === '' || allowPrivate || Number(url.port) >= 1024;
  if (!scheme || !anonymous || !port) throw new OutboundError('url_forbidden');
  return url;
}

/** The host without the brackets of an IPv6 address; a URL has turned decimal, octal and hexadecimal IPv4 into the dotted form. */
function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** What was meant for one server, such as a token among the headers, is not shown to another one. */
function removeForeignHeaders(target: URL, first: string, request: OutboundRequest): OutboundRequest {
  return target.origin === new URL(first).origin ? request : { ...request, headers: {} };
}

async function resolveAllowedAddresses(
  { resolve, isAllowed }: Guard,
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await awaitBeforeDeadline(signal, resolve(host));
  if (addresses.length === 0) throw new OutboundError('unresolvable');
  // One inside address among public ones is no accident, and a client may try any of them.
  if (!addresses.every(isAllowed)) throw new OutboundError('address_forbidden');
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
  addresses: readonly string[],
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  const fail = (error: unknown) => reject(toOutboundError(error, signal));
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method: request.method ?? 'GET',
    headers: {
      'user-agent': 'Tessera',
      'accept-encoding': 'identity',
      ...request.headers,
      ...(request.body !== undefined && { 'content-length': Buffer.byteLength(request.body) }),
    },
    // No agent: a connection that is kept would answer for a later look at the name.
    agent: false,
    lookup: createPinnedLookup(addresses),
    signal,
  });
  sent.on('error', fail);
  // A server that wants to switch protocols, or closes without a word, is no error to Node.
  const failUnanswered = () => fail(new Error('the connection was closed'));
  sent.once('close', failUnanswered);
  sent.once('response', (incoming) => {
    // From here on the body tells whether it came to its end, also when the connection is closed before all of it is read.
    sent.off('close', failUnanswered);
    void readResponse(incoming, request)
      .then(resolve, fail)
      .finally(() => sent.destroy());
  });
  sent.end(request.body);
  return promise;
}

type Lookup = NonNullable<http.RequestOptions['lookup']>;

/** Answers the addresses that were checked, whatever the name service would say now. */
function createPinnedLookup(addresses: readonly string[]): Lookup {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, records);
    return callback(null, records[0]!.address, records[0]!.family);
  };
}

async function readResponse(
  incoming: http.IncomingMessage,
  { max_bytes, whenTooLong: longer = 'refuse' }: OutboundRequest,
): Promise<OutboundResponse> {
  const parts: Buffer[] = [];
  let left = max_bytes;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    if (part.length > left && longer === 'refuse') throw new OutboundError('too_large');
    parts.push(part.subarray(0, left));
    left -= part.length;
    if (left < 0) break;
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) };
}

function toOutboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(signal.aborted ? 'timeout' : 'unreachable', error);
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends us. Only a GET is repeated elsewhere: what a POST carries was meant for its address. */
function findRedirect(
  url: URL,
  { method = 'GET' }: OutboundRequest,
  answer: OutboundResponse,
): string | undefined {
  const { location } = answer.headers;
  if (method !== 'GET' || location === undefined || !redirectStatuses.has(answer.status)) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url).href : location;
}

/**
 * By the name servers themselves: `getaddrinfo` would hold one of the process's four pool threads, which password hashes need, for as long
 * as a slow name server likes, and would read the machine's own hosts file.
 */
async function resolveByNameServer(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
}

/** In development, names of this machine and its neighbours count as well. */
async function resolveLocally(hostname: string): Promise<readonly string[]> {
  const records = await lookup(hostname, { all: true });
  return records.map(({ address }) => address);
}
