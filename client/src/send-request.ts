import { readError } from './tessera-error.ts';

/** How a client reaches the service. */
export type Connection = {
  /** The service's public URL, such as `https://tessera.example`. */
  readonly url: string;
  /** A service key (`tsk_…`) or an access token, or a function that returns the current one. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** How often a request is repeated at most. The default is 3. */
  readonly retries?: number;
  /** The longest wait before a repetition in milliseconds. Longer ones, such as the rest of a day, are an error instead. The default is 60,000. */
  readonly wait_ms_max?: number;
  /** The `fetch` to use, for example one that pays. */
  readonly fetch?: typeof fetch;
};

/** A request, complete except for the address of the service and the token. */
export type PreparedRequest = {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
  readonly signal?: AbortSignal | undefined;
};

/**
 * Sends a request, and repeats it where this is safe: after 429, which means that nothing was done, and after 503 or a broken connection if
 * repeating changes nothing, because the method says so or the request has an idempotency key. It waits as `Retry-After` says, or else a random
 * time that doubles.
 *
 * @returns the reply, whose status is 2xx or 304.
 * @throws TesseraError where the service refuses, and what `fetch` throws where it cannot be reached.
 */
export async function sendRequest(connection: Connection, request: PreparedRequest): Promise<Response> {
  const { retries = 3, wait_ms_max = 60_000 } = connection;
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptRequest(connection, request);
    if (outcome instanceof Response && (outcome.ok || outcome.status === 304)) return outcome;
    const wait_ms = computeWait(outcome, attempt);
    if (attempt >= retries || !mayRepeat(request, outcome) || wait_ms > wait_ms_max)
      throw await toError(outcome);
    await wait(wait_ms, request.signal);
  }
}

type Failure = { readonly error: unknown };

async function attemptRequest(
  { url, token, fetch: send = fetch }: Connection,
  { method, target, headers, body, signal }: PreparedRequest,
): Promise<Response | Failure> {
  const secret = typeof token === 'function' ? await token() : token;
  const authorization = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  const init = { method, headers: { ...authorization, ...headers }, ...(body && { body }) };
  // A stream as a body needs `duplex`, which the types of browsers do not have yet.
  const streamed = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  try {
    return await send(`${url.replace(/\/$/, '')}${target}`, {
      ...init,
      ...streamed,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return { error };
  }
}

function mayRepeat({ method, headers, body }: PreparedRequest, outcome: Response | Failure): boolean {
  if (body instanceof ReadableStream) return false;
  if (outcome instanceof Response && outcome.status === 429) return true;
  const isUnknown = !(outcome instanceof Response) || outcome.status === 503;
  return isUnknown && (['GET', 'PUT', 'DELETE'].includes(method) || headers['idempotency-key'] !== undefined);
}

/** @returns milliseconds. */
function computeWait(outcome: Response | Failure, attempt: number): number {
  const header = outcome instanceof Response ? outcome.headers.get('retry-after') : null;
  const seconds = Number(header ?? Number.NaN);
  // A random part keeps many clients from coming back together.
  const random = 0.5 + Math.random() / 2;
  return Number.isFinite(seconds) ? (seconds + random) * 1000 : 500 * 2 ** attempt * random;
}

async function toError(outcome: Response | Failure): Promise<unknown> {
  return outcome instanceof Response ? await readError(outcome) : outcome.error;
}

/** Waits. Rejects with the signal's reason as soon as it is aborted. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
