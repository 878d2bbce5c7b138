import { OutboundError } from '#platform/outbound/outbound.ts';

/** A request to a server that the operator configured. */
export type ConfiguredRequest = {
  readonly body: string;
  /** The limit for everything, from the connection to the last byte of the response. */
  readonly timeout_ms: number;
  readonly max_bytes: number;
};

export type ConfiguredResponse = { readonly status: number; readonly body: string };

/**
 * Posts JSON to a server whose URL the operator configured, such as a node of a chain. It may be on a private network, so the rules of
 * `fetchOutbound` do not apply, but time and bytes are limited in the same way, and nothing is redirected. Connections are reused. No error names
 * the URL, because it can contain a key.
 *
 * @throws OutboundError `timeout`, `unreachable`, `too_large`.
 */
export async function fetchConfigured(url: string, request: ConfiguredRequest): Promise<ConfiguredResponse> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const { status, body } = await post(url, headers, request);
  return { status, body: body.toString('utf8') };
}

/** A request of bytes to another process of the service. */
export type ProcessRequest = Omit<ConfiguredRequest, 'body'> & {
  readonly body: Buffer;
  /** Ends the request. */
  readonly signal: AbortSignal;
};

/** Posts bytes to another process of the service, like {@link fetchConfigured}. @throws OutboundError `timeout`, `unreachable`, `too_large`. */
export function fetchFromProcess(
  url: string,
  request: ProcessRequest,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  // Compressing what is encrypted would take time for nothing.
  const headers = { 'content-type': 'application/octet-stream', 'accept-encoding': 'identity' };
  return post(url, headers, request);
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  request: Omit<ProcessRequest, 'body' | 'signal'> & {
    readonly body: string | Buffer;
    readonly signal?: AbortSignal;
  },
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const timeout = AbortSignal.timeout(request.timeout_ms);
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'user-agent': 'Tessera' },
      body: request.body,
      redirect: 'error',
      signal,
    });
    return { status: response.status, body: await readBody(response, request.max_bytes) };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError(timeout.aborted ? 'timeout' : 'unreachable');
  }
}

async function readBody(response: Response, max_bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > max_bytes) throw new OutboundError('too_large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
